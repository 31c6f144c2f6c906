//! The bytes door: JSON text read into a tape of spans, and written.

pub mod escape;
pub mod read;
pub mod write;
