//! The elements of a conversation: turns, parts, tools, media, replies.

pub(crate) mod compaction;
pub mod conversation;
pub mod entity;
pub mod event;
pub mod head;
pub mod media;
pub mod part;
pub mod reply;
pub(crate) mod same;
pub(crate) mod surrogate;
pub mod tool;
pub mod turn;
