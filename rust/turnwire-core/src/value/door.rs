//! How a payload is read and written: two small traits, so that a dialect is written once and serves every door.
//!
//! A *source* is a node of a payload: a host object, a node of the JSON tape, or a frozen
//! [`Value`](super::handle::Value). A *sink* takes a payload in order: host containers, or JSON bytes. Costs are part of
//! the contract, and [`conformance`](super::conformance) checks any implementation.

mod key;
mod sink;
mod source;

pub(crate) use self::key::{Head, keys};
pub use self::{
    key::Key,
    sink::{Piece, Sink},
    source::Source,
};
