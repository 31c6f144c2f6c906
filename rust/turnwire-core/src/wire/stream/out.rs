//! Writes a stream for a client: the events of any source become those of the client's own format.
//!
//! 1. The source's assembly reports everything that it reads (`told.rs`).
//! 2. If a format has only one part open at a time, `serial.rs` orders the events: those of another part wait.
//! 3. Each format writes its own events (`dialects/<name>/stream_out.rs`) through either door ([`Frames`]).
//! 4. The end is written from the assembled reply: why it ended, its tokens, its error.

pub(crate) mod serial;

use crate::k;
use std::{convert::Infallible, marker::PhantomData};

use super::{Event, no_replies, text::Words, whole::Map};
use crate::{
    report::Error,
    rules::DialectId,
    value::{Host, Key, Raw, Sink, Source, Text, Value, json},
    wire::response::{Around, Closing, FailureWords},
};

/// How a format frames its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// `data:` lines, and a mark at the end.
    Data,
    /// Lines with the event's name and its data, and no end mark.
    Named,
    /// As `Named`, with an end mark, which also has a name.
    NamedMark,
    /// One JSON value on each line.
    Lines,
    /// AWS's binary event stream. As a value, an event is an object with one key, its name.
    Binary,
}

impl Framing {
    /// Whether an event is lines of fields, so that clients ignore any other line.
    pub(crate) fn has_fields(self) -> bool {
        matches!(self, Self::Data | Self::Named | Self::NamedMark)
    }
}

/// Where events are written: as bytes of a body, or as values of the host.
pub trait Frames<H: Host> {
    /// The sink that an event is written to.
    type Out: Sink<H>;

    /// Writes one event by its name: an object, whose keys `write` writes. `failed`: the event reports an error that ends the
    /// stream.
    fn event(&mut self, name: &'static Key, failed: bool, write: impl FnOnce(&mut Self::Out)) -> Result<(), Error>;
    /// Writes a chunk of the target's own format unchanged.
    fn replay<S: Source<H = H>>(&mut self, chunk: &S) -> Result<(), Error>;
    /// Writes bytes of a body unchanged. Does nothing unless this is a body.
    fn copy(&mut self, _: &[u8]) {}
    /// Writes the end mark, if the framing has one.
    fn mark(&mut self);
}

/// The state of a stream that is being written, in its format's own terms.
pub(crate) trait StreamWriter: Sized {
    /// The host of its handles.
    type H: Host;
    /// How it frames its events.
    const FRAMING: Framing;
    /// Whether several parts and calls may be open at once.
    const PARALLEL: bool = false;
    /// Whether a reply may end with a pause, after which the client asks the model to continue.
    const PAUSES: bool = true;
    /// Whether its clients ignore the event that reports an error.
    const SILENT: bool = false;
    /// Whether a client takes the arguments that are written at the end of a call, whatever its pieces were.
    const WHOLE: bool = false;
    /// Whether its clients read a body that is a JSON list of its chunks.
    const LIST: bool = false;
    /// Whether it writes the arguments of a call as an object, so that it has no call with others.
    const OBJECTS: bool = false;

    /// The state before the first event.
    fn new(to: DialectId, around: Around<Self::H>) -> Result<Self, Error>;
    /// Goes on behind this many chunks of a reply with this id, which were replayed.
    fn goes_on(&mut self, _id: Option<Text<Self::H>>, _chunks: u64) {}
    /// Takes one event of the source.
    fn event<F: Frames<Self::H>>(&mut self, event: &Event<Self::H>, out: &mut F) -> Result<(), Error>;
    /// Whether it holds a call that is not written yet.
    fn holds(&self) -> bool {
        false
    }
    /// Writes the end of a whole reply.
    fn end<F: Frames<Self::H>>(&mut self, closing: &Closing<Self::H>, out: &mut F) -> Result<(), Error>;
    /// Writes the end of a broken reply.
    fn fail<F: Frames<Self::H>>(&mut self, words: &FailureWords<Self::H>, out: &mut F) -> Result<(), Error>;
}

/// The state of formats without streamed replies, which has no values.
pub(crate) struct NoWriter<H>(Infallible, PhantomData<H>);

impl<H: Host> StreamWriter for NoWriter<H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;

    fn new(_: DialectId, _: Around<H>) -> Result<Self, Error> {
        Err(no_replies())
    }
    fn event<F: Frames<H>>(&mut self, _: &Event<H>, _: &mut F) -> Result<(), Error> {
        match self.0 {}
    }
    fn end<F: Frames<H>>(&mut self, _: &Closing<H>, _: &mut F) -> Result<(), Error> {
        match self.0 {}
    }
    fn fail<F: Frames<H>>(&mut self, _: &FailureWords<H>, _: &mut F) -> Result<(), Error> {
        match self.0 {}
    }
}

/// The arguments as an object, which is empty if there are none.
pub(crate) fn object<H: Host>(args: &Words<H>) -> Value<H> {
    match json::read::value(&args.bytes()) {
        Ok(object @ Value::Map(_)) => object,
        _ => Map::default().value(),
    }
}

/// An event with its type.
pub(crate) fn typed<H: Host, F: Frames<H>>(
    out: &mut F,
    kind: &'static Key,
    said: impl FnOnce(&mut F::Out),
) -> Result<(), Error> {
    out.event(kind, false, |out| {
        word(out, &k::TYPE, kind);
        said(out);
    })
}

/// A key and a text.
pub(crate) fn text<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, text: &Text<H>) {
    out.key(key);
    out.text(text);
}

/// A key and a word that the format knows.
pub(crate) fn word<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, word: &'static Key) {
    out.key(key);
    out.literal(word);
}

/// A key and a number.
pub(crate) fn number<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, number: u64) {
    out.key(key);
    out.number(number);
}

/// A key and a value.
pub(crate) fn value<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, value: &Value<H>) {
    out.key(key);
    out.raw(&Raw::Tree(value.share()));
}

/// A key and a text, else `null`.
pub(crate) fn text_or_null<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, said: Option<&Text<H>>) {
    match said {
        Some(said) => text(out, key, said),
        None => null(out, key),
    }
}

/// A key and `null`.
pub(crate) fn null<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key) {
    out.key(key);
    out.null();
}

/// A key and an object.
pub(crate) fn map<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, inside: impl FnOnce(&mut K)) {
    out.key(key);
    out.open_map();
    inside(out);
    out.close();
}

/// A key and a list of one object.
pub(crate) fn one<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key, inside: impl FnOnce(&mut K)) {
    out.key(key);
    out.open_list();
    out.open_map();
    inside(out);
    out.close();
    out.close();
}

/// A key and a list of values.
pub(crate) fn list<'a, H: Host, K: Sink<H>>(
    out: &mut K,
    key: &'static Key,
    values: impl IntoIterator<Item = &'a Value<H>>,
) {
    out.key(key);
    out.open_list();
    values.into_iter().for_each(|value| out.raw(&Raw::Tree(value.share())));
    out.close();
}

/// A key and an empty list.
pub(crate) fn empty<H: Host, K: Sink<H>>(out: &mut K, key: &'static Key) {
    out.key(key);
    out.open_list();
    out.close();
}
