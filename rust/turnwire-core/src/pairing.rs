//! Which result answers which call.

pub(crate) mod links;
pub(crate) mod pending;
pub mod unnamed;
