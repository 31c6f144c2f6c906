//! Assembles the chunks of a streamed reply into the reply that the provider would have sent whole.
//!
//! The plan:
//! 1. A chunk is a node of any source (a host's object, JSON), or bytes of server-sent events split anywhere (`sse.rs`).
//! 2. Each format has its own state (`dialects/<name>/stream.rs`). It takes one chunk at a time and reports what a program
//!    can use at once: text, reasoning, a whole call. It skips unknown chunks and chunks that repeat others.
//! 3. Values grow in place: texts in one buffer each (`text.rs`), values by key and item (`grown.rs`), arguments up to their
//!    end (`arguments.rs`), the calls of chat endpoints by their own rules (`calls.rs`). So time and memory are linear.
//! 4. At the end the state becomes the wire value of the whole reply, which the format's reader of replies reads. So there
//!    is only one reader, and an assembled turn equals a parsed one, origin included.
//! 5. A reply that was cut off holds what has arrived, with finish `error`. Its cut arguments stay unfinished, so that the
//!    call is `incomplete`; such a call is never an event. Events that only the end can report belong to the reply.
//! 6. A chunk that cannot be read is an error, and the assembly continues with the next one. Earlier events are not lost.

mod arguments;
pub(crate) mod beside;
pub(crate) mod binary;
pub(crate) mod blob;
pub(crate) mod call_input;
pub(crate) mod calls;
pub(crate) mod chunk_losses;
pub(crate) mod grown;
pub(crate) mod held_call;
pub(crate) mod json_list;
pub mod out;
pub(crate) mod sse;
pub(crate) mod text;
pub(crate) mod told;
pub(crate) mod whole;

pub use self::out::{Frames, Framing};
pub(crate) use self::{
    beside::Beside,
    binary::BinaryFrames,
    blob::Blob,
    call_input::CallInput,
    calls::Calls,
    chunk_losses::ChunkLosses,
    grown::{Fields, Grown, Numbered},
    json_list::JsonList,
    out::{NoWriter, StreamWriter, serial::Serial},
    sse::Lines,
    text::Words,
    told::{Flow, Told},
    whole::Map,
};

use std::{convert::Infallible, marker::PhantomData};

pub use crate::model::event::Event;
use crate::{
    model::ReplyParts,
    report::{Change, Error, Step, error::Code},
    value::{Host, Source, Tree, Value},
};

/// The state of one stream, in its format's own terms.
pub(crate) trait Assembly: Sized {
    /// The host of its handles.
    type H: Host;

    /// The state before the first chunk.
    fn new() -> Result<Self, Error>;
    /// Whether objects of this type repeat others, so that they need not be read.
    fn is_derived(kind: &str) -> bool;
    /// Whether the attributes of an object without an export may be read.
    fn reads_attributes() -> bool {
        false
    }
    /// Whether only this format knows where the id and the model are, so that the whole reply gives them.
    fn has_own_head() -> bool {
        false
    }
    /// Takes one chunk. Keeps nothing of a chunk that it refuses.
    fn feed<S: Source<H = Self::H>>(&mut self, chunk: &S, out: &mut Told<Self::H>) -> Result<(), Error>;
    /// Whether the stream itself has said how it ended.
    fn has_ended(&self) -> bool;
    /// Whether the reply is complete, whatever the connection sends after it.
    fn is_over(&self) -> bool {
        false
    }
    /// Whether the mark of the end completes a reply that has not said how it ended.
    fn ends_by_mark(&self) -> bool {
        false
    }
    /// The whole reply as the provider would have sent it, and the events that only the end reports. `cut`: the stream ended
    /// early.
    fn finish(&mut self, cut: bool, out: &mut Told<Self::H>) -> Result<Value<Self::H>, Error>;
    /// What the chunks contained and the whole reply cannot hold. Paths are those of chunks in a list of all chunks.
    fn losses(&mut self) -> Vec<Change> {
        Vec::new()
    }
}

/// Assembles a whole reply that is a list of the chunks of its stream. Returns it, and whether it broke off.
pub(crate) fn of_list<A: Assembly>(
    chunks: &Tree<'_, A::H>,
    said: &mut ReplyParts<A::H>,
) -> Result<(Value<A::H>, bool), Error> {
    let mut stream = A::new()?;
    let mut out = Told::new(false);
    for (index, chunk) in chunks.items().enumerate() {
        stream.feed(&chunk, &mut out).map_err(|error| error.under(Step::Index(index)))?;
    }
    let cut = !stream.has_ended();
    let whole = stream.finish(cut, &mut out)?;
    said.losses.extend(stream.losses());
    Ok((whole, cut))
}

/// The state of formats without streamed replies, which has no values.
pub(crate) struct NoStream<H>(Infallible, PhantomData<H>);

impl<H: Host> Assembly for NoStream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Err(no_replies())
    }
    fn is_derived(_: &str) -> bool {
        true
    }
    fn feed<S: Source<H = H>>(&mut self, _: &S, _: &mut Told<H>) -> Result<(), Error> {
        match self.0 {}
    }
    fn has_ended(&self) -> bool {
        match self.0 {}
    }
    fn finish(&mut self, _: bool, _: &mut Told<H>) -> Result<Value<H>, Error> {
        match self.0 {}
    }
}

/// The error of a format that is only stored: no provider replies in it.
#[cold]
pub(crate) fn no_replies() -> Error {
    Error::new(Code::UnknownDialect, "this dialect has no replies")
}
