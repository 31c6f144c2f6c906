//! Writes an Ollama stream: JSON objects, one on each line, each with more of the message. The last has the finish
//! reason.

use super::{
    keys as k,
    response::{failure, line},
};
use crate::{
    model::Event,
    report::Error,
    rules::DialectId,
    value::{Host, door::keys},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            held_call::HeldCall,
            out::{map, object, one, text, value, word},
        },
    },
};

keys! {
    LINE = "line";
}

/// A stream of lines.
pub(crate) struct Lines<H: Host> {
    around: Around<H>,
    /// The open call, which is written whole.
    call: Option<HeldCall<H>>,
}

impl<H: Host> StreamWriter for Lines<H> {
    type H = H;
    const FRAMING: Framing = Framing::Lines;
    const OBJECTS: bool = true;
    const WHOLE: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, call: None })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Text(said) | Event::Refusal(said) => self.line(out, |out| text(out, &k::CONTENT, said), None),
            Event::Reasoning(said) => self.line(
                out,
                |out| {
                    word(out, &k::CONTENT, &k::EMPTY);
                    text(out, &k::THINKING, said);
                },
                None,
            ),
            _ => {
                let Some(HeldCall { id, name, args }) = HeldCall::take(&mut self.call, event) else { return Ok(()) };
                let args = object(&args);
                let said = |out: &mut F::Out| {
                    word(out, &k::CONTENT, &k::EMPTY);
                    one(out, &k::TOOL_CALLS, |out| {
                        if let Some(id) = &id {
                            text(out, &k::ID, id);
                        }
                        map(out, &k::FUNCTION, |out| {
                            text(out, &k::NAME, &name);
                            value(out, &k::ARGUMENTS, &args);
                        });
                    });
                };
                self.line(out, said, None)
            }
        }
    }

    fn holds(&self) -> bool {
        self.call.is_some()
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        self.line(out, |out| word(out, &k::CONTENT, &k::EMPTY), Some(closing))
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&LINE, true, |out| failure(words, out))
    }
}

impl<H: Host> Lines<H> {
    /// Writes a line: more of the message, and perhaps the finish reason.
    fn line<F: Frames<H>>(
        &self,
        out: &mut F,
        said: impl FnOnce(&mut F::Out),
        end: Option<&Closing<H>>,
    ) -> Result<(), Error> {
        let message = |out: &mut F::Out| {
            map(out, &k::MESSAGE, |out| {
                word(out, &k::ROLE, &k::ASSISTANT);
                said(out);
            });
        };
        out.event(&LINE, false, |out| line(&self.around, end, out, message))
    }
}
