//! Assembling: the chunks of a streamed reply, one by one, become the reply that the provider would have sent whole.
//!
//! The plan:
//! 1. A chunk comes as a node of any source (a host's object, JSON), or as bytes of server-sent events split anywhere (`sse.rs`).
//! 2. Each format keeps a state of its own (`dialect/<name>/stream.rs`), which takes one chunk at a time and says what can be used
//!    at once: text, reasoning, a whole call. Chunks that only repeat what others say, and those that nobody knows, are passed
//!    over; so are chunks that an SDK derives from others.
//! 3. What grows does so in place: texts in one buffer each (`words.rs`), values by key and item (`grown.rs`), arguments while
//!    somebody looks where they end (`arguments.rs`), the calls of chat endpoints by rules of their own (`calls.rs`). So time and
//!    memory are linear in what is fed, however small the chunks are.
//! 4. At the end the state becomes the wire value of the whole reply, and the format's own reader of replies reads that: there is
//!    one reader, and an assembled turn is what a parsed one is, origin included.
//! 5. A reply that was cut off is what came so far, with finish `error`. Arguments that were cut off stay the text that they
//!    are, so that their call is `incomplete`; such a call is never an event. Events that only the end can tell are the reply's.
//! 6. A chunk that cannot be read is an error, and the assembly goes on with the next; what was told before is not lost.

mod arguments;
pub(crate) mod blob;
pub(crate) mod calls;
mod event;
pub(crate) mod grown;
mod sse;
pub(crate) mod text;
pub(crate) mod whole;

use std::{convert::Infallible, marker::PhantomData};

pub use self::event::Event;
pub(crate) use self::event::Telling;
use self::sse::Lines;
use crate::{
    dialects,
    model::{
        dialect_id::DialectId,
        reply::{Finish, Reply, read_as},
    },
    report::error::{Code, Error},
    value::{
        door::Source,
        handle::{Host, Input, Value},
        json::read::tape,
        tree::Tree,
    },
};

/// The state of one stream, in its format's own terms.
pub(crate) trait Assembly: Sized {
    /// Whose handles it gives.
    type H: Host;

    /// The state before the first chunk.
    fn new() -> Result<Self, Error>;
    /// Whether objects of this type say nothing that others do not say: they need not be read at all.
    fn is_derived(kind: &str) -> bool;
    /// Whether an object that exports nothing may be read by its attributes.
    fn reads_attributes() -> bool {
        false
    }
    /// An error where the body of a response is no text that could be fed as it is.
    fn takes_bytes() -> Result<(), Error> {
        Ok(())
    }
    /// Takes one chunk. Nothing is kept of a piece that is refused.
    fn feed<S: Source<H = Self::H>>(&mut self, chunk: &S, out: &mut Vec<Event<Self::H>>) -> Result<(), Error>;
    /// Whether the stream said itself how it ended.
    fn has_ended(&self) -> bool;
    /// The whole reply as the provider would have sent it, and the events that only the end tells. `cut`: whether the stream
    /// ended in the middle.
    fn finish(&mut self, cut: bool, out: &mut Vec<Event<Self::H>>) -> Result<Value<Self::H>, Error>;
}

/// The state of formats whose replies are never streamed: there is none.
pub(crate) struct NoStream<H>(Infallible, PhantomData<H>);

impl<H: Host> Assembly for NoStream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Err(dialects::without_replies())
    }
    fn is_derived(_: &str) -> bool {
        true
    }
    fn feed<S: Source<H = H>>(&mut self, _: &S, _: &mut Vec<Event<H>>) -> Result<(), Error> {
        match self.0 {}
    }
    fn has_ended(&self) -> bool {
        match self.0 {}
    }
    fn finish(&mut self, _: bool, _: &mut Vec<Event<H>>) -> Result<Value<H>, Error> {
        match self.0 {}
    }
}

/// Puts one reply together.
pub struct Assembler<H: Host> {
    from: DialectId,
    /// `None` once the reply is made.
    state: Option<dialects::Stream<H>>,
    lines: Lines,
    /// Whether the mark came that ends a stream of server-sent events.
    marked: bool,
    events: Vec<Event<H>>,
}

/// What some servers send behind the last event.
const MARK: &[u8] = b"[DONE]";

impl<H: Host> Assembler<H> {
    /// An assembler of replies of the dialect `from`.
    pub fn new(from: DialectId) -> Result<Self, Error> {
        let state = dialects::Stream::new(from).map_err(|error| error.in_dialect(&from.name()))?;
        Ok(Self { from, state: Some(state), lines: Lines::default(), marked: false, events: Vec::new() })
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> DialectId {
        self.from
    }

    /// Whether chunks of this type need not be read: what they say comes from others.
    #[must_use]
    pub fn is_derived(&self, kind: &str) -> bool {
        self.state.as_ref().is_some_and(|state| state.is_derived(kind))
    }

    /// Whether chunks that export nothing may be read by their attributes.
    #[must_use]
    pub fn reads_attributes(&self) -> bool {
        self.state.as_ref().is_some_and(dialects::Stream::reads_attributes)
    }

    /// An error once the reply is made.
    pub fn check_open(&self) -> Result<(), Error> {
        if self.state.is_some() { Ok(()) } else { Err(finished()) }
    }

    /// Takes one chunk.
    pub fn feed<S: Source<H = H>>(&mut self, chunk: &S) -> Result<(), Error> {
        let state = self.state.as_mut().ok_or_else(finished)?;
        state.feed(chunk, &mut self.events).map_err(|error| error.in_dialect(&self.from.name()))
    }

    /// Takes one chunk as JSON text, or the mark of the end.
    pub fn feed_json(&mut self, text: &Input) -> Result<(), Error> {
        self.check_open()?;
        match text.bytes().trim_ascii() {
            b"" => Ok(()),
            MARK => {
                self.marked = true;
                Ok(())
            }
            _ => {
                let tape = tape(text).map_err(|error| error.in_dialect(&self.from.name()))?;
                self.feed(&tape.view().root::<H>())
            }
        }
    }

    /// Takes bytes of server-sent events. Of those behind an event that cannot be read, none is lost: the next call goes on
    /// with them.
    pub fn feed_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let state = self.state.as_ref().ok_or_else(finished)?;
        state.takes_bytes().map_err(|error| error.in_dialect(&self.from.name()))?;
        self.lines.push(bytes);
        while let Some(data) = self.lines.next() {
            self.feed_json(&Input::new(data))?;
        }
        Ok(())
    }

    /// The events since somebody last asked, one by one.
    pub fn drain(&mut self) -> std::vec::Drain<'_, Event<H>> {
        self.events.drain(..)
    }

    /// The events since somebody last asked.
    pub fn events(&mut self) -> Vec<Event<H>> {
        std::mem::take(&mut self.events)
    }

    /// The reply, once all chunks are there.
    pub fn finish(&mut self) -> Result<Reply<H>, Error> {
        while let Some(data) = self.lines.next() {
            self.feed_json(&Input::new(data))?;
        }
        if let Some(data) = self.lines.rest() {
            match self.feed_json(&Input::new(data)) {
                // Half an event says nothing; the stream was cut there, and the reply says that.
                Err(error) if error.code() == Code::InvalidJson => {}
                fed => fed?,
            }
        }
        let mut state = self.state.take().ok_or_else(finished)?;
        let cut = !(state.has_ended() || self.marked);
        let whole = state.finish(cut, &mut self.events);
        let read = whole.and_then(|whole| read_as(&Tree(&whole), self.from));
        let mut reply = read.map_err(|error| error.in_dialect(&self.from.name()))?;
        if cut {
            reply.finish = Finish::Error;
        }
        if reply.finish == Finish::Error {
            // Nobody said that nothing was all.
            reply.turns.retain(|turn| !turn.parts.is_empty());
        }
        reply.events = self.events();
        Ok(reply)
    }
}

#[cold]
fn finished() -> Error {
    Error::new(Code::Finished, "this stream is finished: another reply needs an assembler of its own")
}
