//! What a reply says beside its turns, as each wire says it: why it ended, what it cost, its id, and what went wrong.
//!
//! [`rule`] is the data of a wire; the other files write by it. Replies and streams are written by the same rows.

pub(crate) mod closing;
pub(crate) mod draft;
pub(crate) mod end;
pub(crate) mod failure;
pub(crate) mod id;
pub(crate) mod rule;
pub(crate) mod usage;
