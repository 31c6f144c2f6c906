//! Writes a UI message stream: one step with its texts and calls in parallel.

use super::{
    keys::{
        DELTA, ERROR_TEXT, FAILED, FINISH, FINISH_REASON, FINISH_STEP, ID, INPUT, INPUT_AVAILABLE, INPUT_DELTA,
        INPUT_ERROR, INPUT_START, INPUT_TEXT, MESSAGE_ID, MESSAGE_METADATA, REASONING_DELTA, REASONING_END,
        REASONING_START, START, START_STEP, TEXT_DELTA, TEXT_END, TEXT_START, TOOL_CALL_ID, TOOL_NAME, TYPE,
    },
    response::{RULE, beside},
};
use crate::{
    model::{Event, INVALID_ARGUMENTS, PartSort},
    report::Error,
    rules::DialectId,
    value::{ArgsState, HashMap, Host, Key, Sink, Text, json::read::args_state},
    wire::{
        response::{Closing, FailureWords},
        stream::{
            Frames, Framing, Shell, StreamWriter, Wanted, Words,
            out::{map, object, text, value, word},
        },
    },
};

/// A stream of chunks.
pub(crate) struct Chunks<H: Host> {
    shell: Shell<H>,
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

    fn new(_: DialectId, wanted: Wanted<H>) -> Result<Self, Error> {
        Ok(Self { shell: Shell::new(wanted), texts: 0, open: Text::own(""), calls: HashMap::default() })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { id, model } => {
                self.shell.begin(RULE.id, id.as_ref(), model.as_ref());
                typed(out, &START, |out| {
                    // Without an id the client makes its own.
                    if id.is_some() {
                        text(out, &MESSAGE_ID, &self.shell.id);
                    }
                    if let Some(metadata) = beside(Some(&self.shell.model), None) {
                        value(out, &MESSAGE_METADATA, &metadata);
                    }
                })?;
                typed(out, &START_STEP, |_| {})
            }
            Event::PartBegun(sort) => {
                self.open = Text::own(&self.texts.to_string());
                self.texts += 1;
                self.about(out, of(*sort, [&TEXT_START, &REASONING_START]), |_| {})
            }
            Event::Text(said) | Event::Refusal(said) => self.about(out, &TEXT_DELTA, |out| text(out, &DELTA, said)),
            Event::Reasoning(said) => self.about(out, &REASONING_DELTA, |out| text(out, &DELTA, said)),
            Event::PartEnded(sort) => self.about(out, of(*sort, [&TEXT_END, &REASONING_END]), |_| {}),
            Event::CallBegun { call, id, name, custom } => {
                let id = id.as_ref().map_or_else(|| self.shell.item("call_", *call as u64), Text::share);
                let new = Call { id, name: name.share(), args: Words::default(), custom: *custom };
                typed(out, &INPUT_START, |out| new.named(out))?;
                self.calls.insert(*call, new);
                Ok(())
            }
            Event::CallPiece { call, text: piece } => {
                let Some(call) = self.calls.get_mut(call) else { return Ok(()) };
                call.args.push(piece, None);
                typed(out, &INPUT_DELTA, |out| {
                    text(out, &TOOL_CALL_ID, &call.id);
                    text(out, &INPUT_TEXT, piece);
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
        typed(out, &FINISH_STEP, |_| {})?;
        typed(out, &FINISH, |out| {
            text(out, &FINISH_REASON, &closing.word);
            if let Some(metadata) = beside(None, closing.counts()) {
                value(out, &MESSAGE_METADATA, &metadata);
            }
        })?;
        out.mark();
        Ok(())
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&FAILED, true, |out| {
            out.open_map();
            word(out, &TYPE, &FAILED);
            text(out, &ERROR_TEXT, &words.message);
            out.close();
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
            text(out, &ID, &self.open);
            said(out);
        })
    }
}

impl<H: Host> Call<H> {
    fn named<K: Sink<H>>(&self, out: &mut K) {
        text(out, &TOOL_CALL_ID, &self.id);
        text(out, &TOOL_NAME, &self.name);
    }

    /// Ends the call. No client may run it unless its arguments are an object: cut off, it stays open; otherwise it is
    /// an error.
    fn end<F: Frames<H>>(self, out: &mut F) -> Result<(), Error> {
        if self.custom {
            let words = self.args.text()?;
            return typed(out, &INPUT_AVAILABLE, |out| {
                self.named(out);
                map(out, &INPUT, |out| text(out, &INPUT, &words));
            });
        }
        match args_state(&self.args.bytes()) {
            ArgsState::Incomplete => Ok(()),
            ArgsState::Object => typed(out, &INPUT_AVAILABLE, |out| {
                self.named(out);
                value(out, &INPUT, &object(&self.args));
            }),
            ArgsState::Invalid => {
                let words = self.args.text()?;
                typed(out, &INPUT_ERROR, |out| {
                    self.named(out);
                    text(out, &INPUT, &words);
                    text(out, &ERROR_TEXT, &Text::own(INVALID_ARGUMENTS));
                })
            }
        }
    }
}

/// The chunk's type for a text, or for reasoning.
fn of(sort: PartSort, [text, reasoning]: [&'static Key; 2]) -> &'static Key {
    if sort == PartSort::Reasoning { reasoning } else { text }
}

/// Writes a chunk of a type.
fn typed<H: Host, F: Frames<H>>(out: &mut F, kind: &'static Key, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
    out.event(kind, false, |out| {
        out.open_map();
        word(out, &TYPE, kind);
        said(out);
        out.close();
    })
}
