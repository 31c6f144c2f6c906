#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! The functions, structs and enums of this page are the face. The modules are for the binding and may change in any
//! version.
//!
//! turnwire's core: LLM conversations in any provider's format, under a byte budget, where every loss is reported.
//!
//! ```text
//!  host objects ─┐                                                              ┌─► host objects
//!                ├─► Source ─► dialects/X read ─► Conversation ─► stages ─► dialects/Y write ─► Sink
//!  JSON bytes ───┘   (trait)                      turns of parts                       (trait) └─► JSON bytes
//! ```
//!
//! Open `convert.rs` first: it reads, then writes. Each module below depends only on modules after it.
#![forbid(unsafe_code)]

// The face for Rust programs: one request or conversion, JSON in and JSON out.
pub mod request;
// Many payloads at once: lines and columns.
pub mod batch;
// Requests in a row: each one continues the one before it.
pub mod ledger;
// A build whose receipt alone is kept.
pub mod check;
// The builder: what is repaired, cut and checked before a request is sent.
pub mod stage;
// Replies of providers, whole or streamed.
pub mod replies;
// One payload: read, then written.
pub mod convert;
// Records that are in no dialect, read by a table of their layouts.
pub mod layouts;
// Two requests in a row, compared as a provider's check of reasoning and its cache do.
pub mod prefix;
// The detection of dialects.
pub mod detect;
// The typed messages of the specifications.
pub mod spec;
// The table of wire formats, and a folder for each.
pub mod dialects;
// What all formats share: reading, the plan of what to write, writing, streams.
pub mod wire;
// The pairing of results with calls.
pub mod pairing;
// Turns, parts, tools, media, replies.
pub mod model;
// The rules of formats, as data.
pub mod rules;
// The key words that several formats share.
pub mod k;
// Values, handles that copy no text, JSON.
pub mod value;
// Errors, paths, changes, receipts.
pub mod report;
// UTF-8 sizes and cuts.
pub mod text;

// The face, and what its signatures name.
#[doc(inline)]
pub use self::{
    report::{
        Change, ChangeCode, ChangeKind, Edit, Error, Others as SettingsChoice, Path, ReasoningChoice, Receipt,
        ServerTools, Severity, Totals,
        error::{Code, ErrorKind},
    },
    request::{Convert, End, Prepare, Rendered, Wording, check, convert, detect, prepare},
    stage::{Budget, Counter, Failed},
    text::budget::Unit,
};

// All tests are one program: both the tests beside the code and those in `tests` use every format, which takes most of the
// time to compile.
#[cfg(test)]
extern crate self as turnwire_core;
#[cfg(test)]
#[path = "../tests/main.rs"]
mod tests;
