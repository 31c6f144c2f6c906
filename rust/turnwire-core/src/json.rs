//! The bytes door: JSON text read into a tape of spans, and written.

pub mod brief;
pub mod escape;
mod forms;
mod place;
pub mod read;
pub mod scan;
pub mod tape;
mod transcode;
pub mod write;
