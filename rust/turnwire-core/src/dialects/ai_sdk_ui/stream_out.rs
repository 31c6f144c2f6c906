//! Writes a UI message stream: one step with its texts and calls in parallel.

use super::keys as k;
use super::response::metadata;
use crate::{
    model::{Event, INVALID_ARGUMENTS, PartSort},
    report::Error,
    rules::DialectId,
    value::{ArgsState, HashMap, Host, Key, Sink, Text, json::read::args_state},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter, Words,
            out::{map, object, text, typed, value, word},
        },
    },
};

/// A stream of chunks.
pub(crate) struct Chunks<H: Host> {
    around: Around<H>,
    /// How many texts have begun.
    texts: u64,
    /// The id of the open text.
    open: Text<H>,
    calls: HashMap<usize, Call<H>>,
}

/// A call that is being written.
struct Call<H: Host> {
    id: Text<H>,
    name: Text<H>,
    args: Words<H>,
    /// Whether its arguments are free text.
    custom: bool,
}

impl<H: Host> StreamWriter for Chunks<H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;
    const PARALLEL: bool = true;
    const WHOLE: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, texts: 0, open: Text::own(""), calls: HashMap::default() })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => {
                typed(out, &k::START, |out| {
                    // Without an id the client makes its own.
                    if self.around.has_id {
                        text(out, &k::MESSAGE_ID, &self.around.id);
                    }
                    metadata(out, &k::MESSAGE_METADATA, self.around.model.as_ref(), None);
                })?;
                typed(out, &k::START_STEP, |_| {})
            }
            Event::PartBegun(sort) => {
                self.open = Text::own(&self.texts.to_string());
                self.texts += 1;
                self.about(out, of(*sort, [&k::TEXT_START, &k::REASONING_START]), |_| {})
            }
            Event::Text(said) | Event::Refusal(said) => {
                self.about(out, &k::TEXT_DELTA, |out| text(out, &k::DELTA, said))
            }
            Event::Reasoning(said) => self.about(out, &k::REASONING_DELTA, |out| text(out, &k::DELTA, said)),
            Event::PartEnded(sort) => self.about(out, of(*sort, [&k::TEXT_END, &k::REASONING_END]), |_| {}),
            Event::CallBegun { call, id, name, custom, .. } => {
                let id = id.as_ref().map_or_else(|| self.around.item("call_", *call), Text::share);
                let new = Call { id, name: name.share(), args: Words::default(), custom: *custom };
                typed(out, &k::INPUT_START, |out| new.named(out))?;
                self.calls.insert(*call, new);
                Ok(())
            }
            Event::CallPiece { call, text: piece } => {
                let Some(call) = self.calls.get_mut(call) else { return Ok(()) };
                call.args.push(piece, None);
                typed(out, &k::INPUT_DELTA, |out| {
                    text(out, &k::TOOL_CALL_ID, &call.id);
                    text(out, &k::INPUT_TEXT, piece);
                })
            }
            Event::CallWhole { call, text } => {
                if let Some(call) = self.calls.get_mut(call) {
                    call.args = Words::of(text.share());
                }
                Ok(())
            }
            Event::CallEnded { call } => self.calls.remove(call).map_or(Ok(()), |call| call.end(out)),
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        typed(out, &k::FINISH_STEP, |_| {})?;
        typed(out, &k::FINISH, |out| {
            text(out, &k::FINISH_REASON, &closing.word);
            metadata(out, &k::MESSAGE_METADATA, None, closing.counts());
        })?;
        out.mark();
        Ok(())
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&k::ERROR, true, |out| {
            word(out, &k::TYPE, &k::ERROR);
            text(out, &k::ERROR_TEXT, &words.message);
        })?;
        out.mark();
        Ok(())
    }
}

impl<H: Host> Chunks<H> {
    /// Writes a chunk about the open text.
    fn about<F: Frames<H>>(
        &self,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        typed(out, kind, |out| {
            text(out, &k::ID, &self.open);
            said(out);
        })
    }
}

impl<H: Host> Call<H> {
    fn named<K: Sink<H>>(&self, out: &mut K) {
        text(out, &k::TOOL_CALL_ID, &self.id);
        text(out, &k::TOOL_NAME, &self.name);
    }

    /// Ends the call. No client may run it unless its arguments are an object: cut off, it stays open; otherwise it is
    /// an error.
    fn end<F: Frames<H>>(self, out: &mut F) -> Result<(), Error> {
        if self.custom {
            let words = self.args.text()?;
            return typed(out, &k::INPUT_AVAILABLE, |out| {
                self.named(out);
                map(out, &k::INPUT, |out| text(out, &k::INPUT, &words));
            });
        }
        match args_state(&self.args.bytes()) {
            ArgsState::Incomplete => Ok(()),
            ArgsState::Object => typed(out, &k::INPUT_AVAILABLE, |out| {
                self.named(out);
                value(out, &k::INPUT, &object(&self.args));
            }),
            ArgsState::Invalid => {
                let words = self.args.text()?;
                typed(out, &k::INPUT_ERROR, |out| {
                    self.named(out);
                    text(out, &k::INPUT, &words);
                    text(out, &k::ERROR_TEXT, &Text::own(INVALID_ARGUMENTS));
                })
            }
        }
    }
}

/// The chunk's type for a text, or for reasoning.
fn of(sort: PartSort, [text, reasoning]: [&'static Key; 2]) -> &'static Key {
    if sort == PartSort::Reasoning { reasoning } else { text }
}
