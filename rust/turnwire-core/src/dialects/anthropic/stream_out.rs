//! Writes an Anthropic stream: a message, its blocks one by one, each with a start, pieces and a stop, then the end.

use super::{
    keys::{
        ASSISTANT, CONTENT, CONTENT_BLOCK, DELTA, ERROR, ID, INDEX, INPUT, INPUT_TOKENS, MESSAGE, MODEL, NAME,
        OUTPUT_TOKENS, PARTIAL_JSON, ROLE, SIGNATURE, STOP_REASON, STOP_SEQUENCE, TEXT, THINKING, TOOL_USE, TYPE,
        USAGE,
    },
    response::RULE,
};
use crate::{
    model::{Event, PartSort},
    report::Error,
    rules::DialectId,
    value::{Host, Key, Sink, Text, door::keys},
    wire::{
        response::{Closing, FailureWords},
        stream::{
            Frames, Framing, Shell, StreamWriter, Wanted,
            out::{empty, map, null, number, text, word},
        },
    },
};

keys! {
    MESSAGE_START = "message_start";
    CONTENT_BLOCK_START = "content_block_start";
    CONTENT_BLOCK_DELTA = "content_block_delta";
    CONTENT_BLOCK_STOP = "content_block_stop";
    MESSAGE_DELTA = "message_delta";
    MESSAGE_STOP = "message_stop";
    TEXT_DELTA = "text_delta";
    THINKING_DELTA = "thinking_delta";
    SIGNATURE_DELTA = "signature_delta";
    INPUT_JSON_DELTA = "input_json_delta";
    EMPTY = "";
}

/// A stream of events.
pub(crate) struct Events<H: Host> {
    shell: Shell<H>,
    /// How many blocks have begun.
    blocks: u64,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Named;

    fn new(_: DialectId, wanted: Wanted<H>) -> Result<Self, Error> {
        Ok(Self { shell: Shell::new(wanted), blocks: 0 })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { id, model } => {
                self.shell.begin(RULE.id, id.as_ref(), model.as_ref());
                self.start(out)
            }
            Event::PartBegun(sort) => self.open(out, |out| match sort {
                PartSort::Reasoning => {
                    word(out, &TYPE, &THINKING);
                    word(out, &THINKING, &EMPTY);
                    word(out, &SIGNATURE, &EMPTY);
                }
                PartSort::Text | PartSort::Refusal => {
                    word(out, &TYPE, &TEXT);
                    word(out, &TEXT, &EMPTY);
                }
            }),
            Event::Text(said) | Event::Refusal(said) => self.piece(out, &TEXT_DELTA, &TEXT, said),
            Event::Reasoning(said) => self.piece(out, &THINKING_DELTA, &THINKING, said),
            Event::Signature(said) => self.piece(out, &SIGNATURE_DELTA, &SIGNATURE, said),
            Event::CallBegun { id, name, .. } => self.open(out, |out| {
                word(out, &TYPE, &TOOL_USE);
                text(out, &ID, id.as_ref().unwrap_or(&Text::own("")));
                text(out, &NAME, name);
                map(out, &INPUT, |_| {});
            }),
            Event::CallPiece { text, .. } => self.piece(out, &INPUT_JSON_DELTA, &PARTIAL_JSON, text),
            Event::PartEnded(_) | Event::CallEnded { .. } => {
                let index = self.blocks.saturating_sub(1);
                typed(out, &CONTENT_BLOCK_STOP, |out| number(out, &INDEX, index))
            }
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        typed(out, &MESSAGE_DELTA, |out| {
            map(out, &DELTA, |out| {
                text(out, &STOP_REASON, &closing.word);
                null(out, &STOP_SEQUENCE);
            });
            closing.write_usage(out);
        })?;
        typed(out, &MESSAGE_STOP, |_| {})
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&ERROR, true, |out| {
            out.open_map();
            word(out, &TYPE, &ERROR);
            map(out, &ERROR, |out| {
                text(out, &TYPE, &words.kind);
                text(out, &MESSAGE, &words.message);
            });
            out.close();
        })
    }
}

impl<H: Host> Events<H> {
    fn start<F: Frames<H>>(&self, out: &mut F) -> Result<(), Error> {
        typed(out, &MESSAGE_START, |out| {
            map(out, &MESSAGE, |out| {
                text(out, &ID, &self.shell.id);
                word(out, &TYPE, &MESSAGE);
                word(out, &ROLE, &ASSISTANT);
                text(out, &MODEL, &self.shell.model);
                empty(out, &CONTENT);
                null(out, &STOP_REASON);
                null(out, &STOP_SEQUENCE);
                // Clients show the context size from these counts, and fail without them. The true counts come at the
                // end.
                map(out, &USAGE, |out| {
                    number(out, &INPUT_TOKENS, 0);
                    number(out, &OUTPUT_TOKENS, 0);
                });
            });
        })
    }

    /// Begins a block.
    fn open<F: Frames<H>>(&mut self, out: &mut F, block: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        let index = self.blocks;
        self.blocks += 1;
        typed(out, &CONTENT_BLOCK_START, |out| {
            number(out, &INDEX, index);
            map(out, &CONTENT_BLOCK, block);
        })
    }

    /// Writes a piece of the open block.
    fn piece<F: Frames<H>>(
        &self,
        out: &mut F,
        kind: &'static Key,
        key: &'static Key,
        said: &Text<H>,
    ) -> Result<(), Error> {
        typed(out, &CONTENT_BLOCK_DELTA, |out| {
            number(out, &INDEX, self.blocks.saturating_sub(1));
            map(out, &DELTA, |out| {
                word(out, &TYPE, kind);
                text(out, key, said);
            });
        })
    }
}

/// Writes an event of a type.
fn typed<H: Host, F: Frames<H>>(out: &mut F, kind: &'static Key, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
    out.event(kind, false, |out| {
        out.open_map();
        word(out, &TYPE, kind);
        said(out);
        out.close();
    })
}
