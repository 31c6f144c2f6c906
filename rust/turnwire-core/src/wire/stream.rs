//! Assembling: the chunks of a streamed reply, one by one, become the reply that the provider would have sent whole.
//!
//! The plan:
//! 1. A chunk comes as a node of any source (a host's object, JSON), or as bytes of server-sent events split anywhere (`sse.rs`).
//! 2. Each format keeps a state of its own (`dialects/<name>/stream.rs`), which takes one chunk at a time and says what can be used
//!    at once: text, reasoning, a whole call. Chunks that only repeat what others say, and those that nobody knows, are passed
//!    over; so are chunks that an SDK derives from others.
//! 3. What grows does so in place: texts in one buffer each (`text.rs`), values by key and item (`grown.rs`), arguments while
//!    somebody looks where they end (`arguments.rs`), the calls of chat endpoints by rules of their own (`calls.rs`). So time and
//!    memory are linear in what is fed, however small the chunks are.
//! 4. At the end the state becomes the wire value of the whole reply, and the format's own reader of replies reads that: there is
//!    one reader, and an assembled turn is what a parsed one is, origin included.
//! 5. A reply that was cut off is what came so far, with finish `error`. Arguments that were cut off stay the text that they
//!    are, so that their call is `incomplete`; such a call is never an event. Events that only the end can tell are the reply's.
//! 6. A chunk that cannot be read is an error, and the assembly goes on with the next; what was told before is not lost.

mod arguments;
pub(crate) mod binary;
pub(crate) mod blob;
pub(crate) mod calls;
pub(crate) mod grown;
pub mod out;
pub(crate) mod sse;
pub(crate) mod text;
pub(crate) mod told;
pub(crate) mod whole;

use std::{convert::Infallible, marker::PhantomData};

use self::told::Told;
pub use crate::model::event::Event;
use crate::{
    report::error::{Code, Error},
    value::{
        door::Source,
        handle::{Host, Value},
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
    /// Takes one chunk. Nothing is kept of a piece that is refused.
    fn feed<S: Source<H = Self::H>>(&mut self, chunk: &S, out: &mut Told<Self::H>) -> Result<(), Error>;
    /// Whether the stream said itself how it ended.
    fn has_ended(&self) -> bool;
    /// Whether nothing more of the reply is to come, whatever the connection does.
    fn is_over(&self) -> bool {
        false
    }
    /// The whole reply as the provider would have sent it, and the events that only the end tells. `cut`: whether the stream
    /// ended in the middle.
    fn finish(&mut self, cut: bool, out: &mut Told<Self::H>) -> Result<Value<Self::H>, Error>;
}

/// The state of formats whose replies are never streamed: there is none.
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

/// The error of a format that is stored, and in which no provider replies.
#[cold]
pub(crate) fn no_replies() -> Error {
    Error::new(Code::UnknownDialect, "this dialect has no replies")
}
