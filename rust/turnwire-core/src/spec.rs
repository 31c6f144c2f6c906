//! The typed messages of the specifications, and how they are stored.

pub mod message;
pub mod stored;
