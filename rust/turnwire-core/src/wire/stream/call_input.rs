//! Collects the arguments of a call that begins with an object. Later pieces of JSON text replace that object.

use super::{
    text::Words,
    told::{Flow, Told},
};
use crate::{
    model::{Args, Event},
    report::{Error, error::Code},
    value::{
        ArgsState, Host, Input, Raw, Text, Value,
        json::{self, read::args_state},
    },
};

/// The arguments, as far as they have arrived.
pub(crate) struct CallInput<H: Host> {
    pieces: Words<H>,
    told: bool,
    /// How much of the call was reported to a reader of full events.
    flow: Flow,
}

impl<H: Host> Default for CallInput<H> {
    fn default() -> Self {
        Self { pieces: Words::default(), told: false, flow: Flow::default() }
    }
}

impl<H: Host> CallInput<H> {
    /// Begins the call for a reader of full events.
    pub(crate) fn begin(&mut self, id: Option<&Text<H>>, name: &Text<H>, out: &mut Told<H>) {
        self.flow.begin(id, name, false, out);
    }

    /// Takes a piece. After the call was reported, its arguments stay, because a program may already run it: pieces that
    /// only repeat them are ignored.
    pub(crate) fn push(&mut self, piece: &Text<H>, input: Option<&Input>, out: &mut Told<H>) -> Result<(), Error> {
        if self.told {
            let late = self.pieces.is_empty() && !piece.is_blank(input);
            return if late { Err(too_late()) } else { Ok(()) };
        }
        self.pieces.push(piece, input);
        if out.is_full() { self.flow.grow(&self.pieces.bytes(), out) } else { Ok(()) }
    }

    /// Whether its arguments may go on after the end of its part: pieces of a server that swaps its events.
    pub(crate) fn is_open(&self, start: Option<&Value<H>>) -> bool {
        let begun = matches!(start, Some(Value::Map(entries)) if !entries.is_empty());
        let text = self.pieces.bytes();
        if text.trim_ascii().is_empty() { !begun } else { args_state(&text) != ArgsState::Object }
    }

    /// Whether there is no piece.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Ends the call for a reader of full events. Without pieces, `start` has all of its arguments.
    pub(crate) fn end(&mut self, start: Option<Value<H>>, out: &mut Told<H>) -> Result<(), Error> {
        if let Some(Value::Map(entries)) = start.filter(|_| self.pieces.is_empty())
            && !entries.is_empty()
        {
            let mut text = Vec::new();
            json::encode::value(&Value::<H>::Map(entries), None, &mut text)?;
            self.flow.grow(&text, out)?;
        }
        self.flow.end(out);
        Ok(())
    }

    /// The arguments. Text that is not an object stays text. `None` without pieces.
    pub(crate) fn value(&self) -> Result<Option<Value<H>>, Error> {
        let text = self.pieces.bytes();
        if text.trim_ascii().is_empty() {
            return Ok(None);
        }
        Ok(Some(match json::read::value(&text) {
            Ok(object @ Value::Map(_)) => object,
            _ => self.pieces.value()?,
        }))
    }

    /// Reports a call that gets no more pieces, unless its arguments are cut off. `all`: whether a call without
    /// arguments counts as complete.
    pub(crate) fn tell(
        &mut self,
        all: bool,
        (id, name): (Option<&Text<H>>, &Text<H>),
        start: Option<Value<H>>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        if self.told {
            return Ok(());
        }
        let args = match self.value()? {
            Some(Value::Text(text)) if args_state(&text.wtf8(None)) == ArgsState::Object => Args::Text(text),
            Some(object @ Value::Map(_)) => Args::Value(Raw::Tree(object)),
            Some(_) => return Ok(()),
            None => match start {
                Some(Value::Map(entries)) if all || !entries.is_empty() => Args::Value(Raw::Tree(Value::Map(entries))),
                _ => return Ok(()),
            },
        };
        out.push(Event::Call { id: id.map(Text::share), name: name.share(), args, namespace: None, form: None });
        self.told = true;
        Ok(())
    }
}

#[cold]
fn too_late() -> Error {
    let text = "expected no arguments behind a call that has ended without any, got a piece of them";
    Error::new(Code::UnexpectedChunk, text)
}
