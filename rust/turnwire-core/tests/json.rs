//! The bytes door: the vectors, `serde_json` as a reference, and payloads that come back byte for byte.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

pub(crate) mod door;
pub(crate) mod host;
mod payloads;
mod reading;
mod writing;
