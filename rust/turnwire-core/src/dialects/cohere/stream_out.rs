//! Writes a Cohere stream: a message, its content and its calls, each with a start, pieces and an end, then the finish reason.

use super::{keys as k, response::block};
use crate::{
    model::{Event, PartSort},
    report::Error,
    rules::DialectId,
    value::{Host, Key, Sink, Text, door::keys},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            out::{empty, map, number, text, word},
        },
    },
};

keys! {
    MESSAGE_START = "message-start";
    CONTENT_START = "content-start";
    CONTENT_DELTA = "content-delta";
    CONTENT_END = "content-end";
    TOOL_CALL_START = "tool-call-start";
    TOOL_CALL_DELTA = "tool-call-delta";
    TOOL_CALL_END = "tool-call-end";
    MESSAGE_END = "message-end";
    FAILED = "ERROR";
}

/// A stream of events.
pub(crate) struct Events<H: Host> {
    around: Around<H>,
    /// How many parts and calls have ended, which is also the number of the open one.
    parts: u64,
    calls: u64,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Named;
    const SILENT: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, parts: 0, calls: 0 })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => {
                let id = &self.around.id;
                typed(out, &MESSAGE_START, None, |out| {
                    text(out, &k::ID, id);
                    message(out, |out| {
                        word(out, &k::ROLE, &k::ASSISTANT);
                        empty(out, &k::CONTENT);
                        word(out, &k::TOOL_PLAN, &k::EMPTY);
                        empty(out, &k::TOOL_CALLS);
                        empty(out, &k::CITATIONS);
                    });
                })
            }
            Event::PartBegun(sort) => {
                let kind = if *sort == PartSort::Reasoning { &k::THINKING } else { &k::TEXT };
                self.content(out, &CONTENT_START, |out| block(kind, &Text::own(""), out))
            }
            Event::Text(said) | Event::Refusal(said) => {
                self.content(out, &CONTENT_DELTA, |out| text(out, &k::TEXT, said))
            }
            Event::Reasoning(said) => self.content(out, &CONTENT_DELTA, |out| text(out, &k::THINKING, said)),
            Event::PartEnded(_) => {
                self.parts += 1;
                typed(out, &CONTENT_END, Some(self.parts - 1), |_| {})
            }
            Event::CallBegun { id, name, .. } => self.call(out, &TOOL_CALL_START, |out| {
                text(out, &k::ID, id.as_ref().unwrap_or(&Text::own("")));
                word(out, &k::TYPE, &k::FUNCTION);
                map(out, &k::FUNCTION, |out| {
                    text(out, &k::NAME, name);
                    word(out, &k::ARGUMENTS, &k::EMPTY);
                });
            }),
            Event::CallPiece { text: piece, .. } => {
                self.call(out, &TOOL_CALL_DELTA, |out| map(out, &k::FUNCTION, |out| text(out, &k::ARGUMENTS, piece)))
            }
            Event::CallEnded { .. } => {
                self.calls += 1;
                typed(out, &TOOL_CALL_END, Some(self.calls - 1), |_| {})
            }
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        typed(out, &MESSAGE_END, None, |out| {
            map(out, &k::DELTA, |out| {
                text(out, &k::FINISH_REASON, &closing.word);
                closing.write_usage(out);
            });
        })
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&MESSAGE_END, true, |out| {
            word(out, &k::TYPE, &MESSAGE_END);
            map(out, &k::DELTA, |out| {
                word(out, &k::FINISH_REASON, &FAILED);
                text(out, &k::ERROR, &words.message);
            });
        })
    }
}

impl<H: Host> Events<H> {
    fn content<F: Frames<H>>(
        &self,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        typed(out, kind, Some(self.parts), |out| message(out, |out| map(out, &k::CONTENT, said)))
    }

    fn call<F: Frames<H>>(&self, out: &mut F, kind: &'static Key, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        typed(out, kind, Some(self.calls), |out| message(out, |out| map(out, &k::TOOL_CALLS, said)))
    }
}

fn message<H: Host, K: Sink<H>>(out: &mut K, said: impl FnOnce(&mut K)) {
    map(out, &k::DELTA, |out| map(out, &k::MESSAGE, said));
}

/// Writes an event of a type.
fn typed<H: Host, F: Frames<H>>(
    out: &mut F,
    kind: &'static Key,
    index: Option<u64>,
    said: impl FnOnce(&mut F::Out),
) -> Result<(), Error> {
    out.event(kind, false, |out| {
        word(out, &k::TYPE, kind);
        if let Some(index) = index {
            number(out, &k::INDEX, index);
        }
        said(out);
    })
}
