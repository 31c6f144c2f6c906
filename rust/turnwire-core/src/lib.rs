//! turnwire's core: LLM conversations in any provider's format, under a byte budget, without losing anything unsaid.
//!
//! ```text
//!  host objects ─┐                                                             ┌─► host objects
//!                ├─► Source ─► dialect/X parse ─► Conversation ─► stages ─► dialect/Y render ─► Sink
//!  JSON bytes ───┘   (trait)                      turns of parts                      (trait) └─► JSON bytes
//! ```
#![forbid(unsafe_code)]

pub mod batch;
pub mod convert;
pub mod detect;
pub mod dialects;
pub mod model;
pub mod pairing;
pub mod replies;
pub mod report;
pub mod rules;
pub mod spec;
pub mod stage;
pub mod text;
pub mod value;
pub mod wire;
