//! What a run reports beside its payload: errors, paths, losses, receipts.

pub mod error;
pub mod loss;
pub mod notice;
pub mod path;
pub mod provenance;
pub mod receipt;
pub(crate) mod sentence;
pub mod tool_names;
