//! Which result answers which call.

pub(crate) mod links;
pub(crate) mod pending;
pub(crate) mod unnamed;
