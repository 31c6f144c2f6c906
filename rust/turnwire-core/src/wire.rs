//! Holds what all wire formats share: reading, the plan of what to write, writing, replies, schemas, settings and streams.

pub(crate) mod format;
pub(crate) mod functions;
pub(crate) mod marks;
pub(crate) mod plan;
pub mod read;
pub(crate) mod response;
pub(crate) mod schema;
pub(crate) mod settings;
pub mod stream;
pub mod write;
