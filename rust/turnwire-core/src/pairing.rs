//! Which result answers which call.

pub(crate) mod answers;
pub(crate) mod links;
pub(crate) mod pending;
mod spread;
pub(crate) mod steps;
pub mod unnamed;
