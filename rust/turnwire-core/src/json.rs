//! The bytes door: JSON text read into a tape of spans, and written.

pub mod brief;
pub mod escape;
mod place;
pub mod read;
pub mod scan;
pub mod tape;
pub mod write;
