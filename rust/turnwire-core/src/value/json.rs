//! The bytes door: reads JSON text into a tape of spans, and writes JSON.

pub mod brief;
mod builder;
pub mod compact;
pub mod encode;
pub mod escape;
mod mark;
pub mod number;
pub mod read;
mod scan;
mod spot;
pub mod tape;
pub mod write;
