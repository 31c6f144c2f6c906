//! Holds what all wire formats share: reading, the plan of what to write, writing, replies, schemas, settings and streams.
//!
//! From the bottom up:
//!
//! 1. `read/keys`, `read/tools`, `read/payload`: reading, which knows nothing of writing.
//! 2. What a plan is made of: messages, items, media, names, cache marks (`plan`), and `write/says`, which decides what is
//!    written.
//! 3. `plan/planner`: a plan in progress, with the losses and the ids, and without a sink. `plan` turns parts into items and
//!    items into messages, and hands each to a printer.
//! 4. `write/writer`: the printer, which has the sink. The dialect writes each message.
//! 5. `write/payload`: writes what is around the messages.
//! 6. `format`: what a dialect is, and `functions`: a dialect as the tables that 1 and 3 call.

pub(crate) mod format;
pub(crate) mod functions;
pub(crate) mod marks;
pub(crate) mod plan;
pub mod read;
pub(crate) mod respelled;
pub(crate) mod response;
pub(crate) mod schema;
pub(crate) mod settings;
pub mod stream;
pub(crate) mod updates;
pub mod write;
