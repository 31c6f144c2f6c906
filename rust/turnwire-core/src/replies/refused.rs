//! Keeps what a server sends in place of a stream, or in the middle of one: the body of an error, as a chunk or as a text.

use crate::{
    k,
    report::Error,
    value::{Host, Key, NodeKind, Source, Value, door::keys, json},
    wire::{
        response::failure::{names_error, text_of},
        stream::whole::kept,
    },
};

keys! {
    CANDIDATES = "candidates";
    CHOICES = "choices";
    ERRORS = "errors";
    EVENT_TYPE = "event_type";
}

/// The beginning of a body, until its first chunk.
pub(super) struct Refused<H: Host> {
    head: Vec<u8>,
    /// How many more chunks may be an error.
    chunks: u8,
    error: Option<Value<H>>,
    /// An error in a shape that the stream's format does not have.
    foreign: Option<Value<H>>,
}

impl<H: Host> Default for Refused<H> {
    fn default() -> Self {
        Self { head: Vec::new(), chunks: CHUNKS, error: None, foreign: None }
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
        let foreign = is_foreign(chunk);
        if foreign && self.foreign.is_none() {
            self.foreign = Some(kept(chunk)?);
        }
        if self.chunks == 0 {
            return Ok(foreign);
        }
        self.chunks -= 1;
        self.head = Vec::new();
        let names = names_error(chunk);
        if names && self.error.is_none() {
            self.error = Some(kept(chunk)?);
        }
        Ok(names)
    }

    /// Takes the data of an event that is named an error, whatever they are.
    pub(super) fn named(&mut self, data: &[u8]) {
        let error = || json::read::value(data).unwrap_or_else(|_| text_of(data));
        self.foreign.get_or_insert_with(error);
    }

    /// The error that the stream's format does not know.
    pub(super) fn foreign(&mut self) -> Option<Value<H>> {
        self.foreign.take()
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

/// The keys of which a chunk of some format has one, beside which an error is that format's own.
const OF_CHUNKS: [&Key; 3] = [&CHOICES, &CANDIDATES, &EVENT_TYPE];
/// The keys of errors that no chunk has.
const OF_ERRORS: [&Key; 3] = [&k::ERROR, &ERRORS, &k::DETAIL];

/// Whether a chunk is an error, and no chunk of any format.
fn is_foreign<S: Source>(chunk: &S) -> bool {
    match chunk.kind() {
        NodeKind::List => names_error(chunk),
        NodeKind::Map => {
            let kind = chunk.get(&k::TYPE);
            let kind = kind.as_ref().and_then(Source::word);
            match kind.as_deref() {
                Some(kind) if kind != k::ERROR.name => false,
                Some(_) => true,
                None => {
                    let stands = |key: &'static Key| chunk.get(key).is_some();
                    let has = |key: &'static Key| chunk.get(key).is_some_and(|said| !said.says_nothing());
                    let marked =
                        || chunk.get(&k::OBJECT).and_then(|mark| mark.word().map(|word| word == k::ERROR.name));
                    !OF_CHUNKS.into_iter().any(stands) && (OF_ERRORS.into_iter().any(has) || marked() == Some(true))
                }
            }
        }
        _ => false,
    }
}
