//! Keeps what a server sends in place of a stream: the body of an error, as a chunk or as a text.

use crate::{
    report::Error,
    value::{Host, Source, Value},
    wire::{
        response::failure::{names_error, text_of},
        stream::whole::kept,
    },
};

/// The beginning of a body, until its first chunk.
pub(super) struct Refused<H: Host> {
    head: Vec<u8>,
    /// How many more chunks may be an error.
    chunks: u8,
    error: Option<Value<H>>,
}

impl<H: Host> Default for Refused<H> {
    fn default() -> Self {
        Self { head: Vec::new(), chunks: CHUNKS, error: None }
    }
}

/// How many bytes of a text are kept.
const HEAD: usize = 8 * 1024;
/// In how many of the first chunks to look for an error.
const CHUNKS: u8 = 3;
/// How the lines of a stream begin. The first is that of a comment.
const FIELDS: [&str; 6] = [":", "data", "event", "id", "retry", "\u{FEFF}"];

impl<H: Host> Refused<H> {
    /// Takes a chunk. Returns whether it names an error.
    pub(super) fn chunk<S: Source<H = H>>(&mut self, chunk: &S) -> Result<bool, Error> {
        if self.chunks == 0 {
            return Ok(false);
        }
        self.chunks -= 1;
        self.head = Vec::new();
        let names = names_error(chunk);
        if names && self.error.is_none() {
            self.error = Some(kept(chunk)?);
        }
        Ok(names)
    }

    /// Takes bytes before the first chunk.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        if self.chunks == CHUNKS && self.head.len() < HEAD {
            self.head.extend_from_slice(&bytes[..bytes.len().min(HEAD - self.head.len())]);
        }
    }

    /// The error: a chunk that names one, or a text that is no stream.
    pub(super) fn body(&mut self) -> Option<Value<H>> {
        let text = String::from_utf8_lossy(&self.head);
        let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
        // A line may be the beginning of a field that broke off.
        let is_field = |field: &&str| line.starts_with(*field) || field.starts_with(line);
        let is_text = !line.starts_with(['{', '[']) && !FIELDS.iter().any(is_field);
        self.error.take().or_else(|| is_text.then(|| text_of(&self.head)))
    }
}
