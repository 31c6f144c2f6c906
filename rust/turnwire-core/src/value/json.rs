//! The bytes door: JSON text read into a tape of spans, and written.

pub mod brief;
mod builder;
pub mod compact;
pub mod escape;
mod mark;
pub mod number;
pub mod read;
mod scan;
mod spot;
pub mod tape;
pub mod write;
