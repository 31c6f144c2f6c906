//! turnwire's core: LLM conversations in any provider's format, under a byte budget, without losing anything unsaid.
//!
//! ```text
//!  host objects ─┐                                                             ┌─► host objects
//!                ├─► Source ─► dialect/X parse ─► Conversation ─► stages ─► dialect/Y render ─► Sink
//!  JSON bytes ───┘   (trait)                      turns of parts                      (trait) └─► JSON bytes
//! ```
#![forbid(unsafe_code)]

pub mod base64;
pub mod budget;
pub mod conversation;
pub mod convert;
pub mod detect;
pub mod dialect;
pub mod dialect_id;
pub mod entity;
pub mod error;
pub mod handle;
pub mod json;
mod links;
pub mod loss;
pub mod media;
pub mod message;
pub mod node;
pub mod part;
pub mod path;
mod pending;
pub mod provenance;
pub mod receipt;
pub mod reply;
pub mod rows;
mod same;
pub mod stage;
pub mod stored;
pub mod stream;
mod surrogate;
pub mod text;
pub mod tool;
pub mod turn;
pub mod value;
