//! Writes an Anthropic stream: a message, its blocks one by one, each with a start, pieces and a stop, then the end.

use super::keys as k;
use super::response::{failure, head, spoken, stop, thought};
use crate::{
    model::{Event, PartSort},
    report::Error,
    rules::DialectId,
    value::{Host, Key, Text, door::keys},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            out::{empty, map, number, text, typed, word},
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
}

/// A stream of events.
pub(crate) struct Events<H: Host> {
    around: Around<H>,
    /// How many blocks have begun.
    blocks: u64,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Named;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, blocks: 0 })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => self.start(out),
            Event::PartBegun(sort) => self.open(out, |out| match sort {
                PartSort::Reasoning => thought(&Text::own(""), out),
                PartSort::Text | PartSort::Refusal => spoken(&Text::own(""), out),
            }),
            Event::Text(said) | Event::Refusal(said) => self.piece(out, &TEXT_DELTA, &k::TEXT, said),
            Event::Reasoning(said) => self.piece(out, &THINKING_DELTA, &k::THINKING, said),
            Event::Signature(said) => self.piece(out, &SIGNATURE_DELTA, &k::SIGNATURE, said),
            Event::CallBegun { id, name, .. } => self.open(out, |out| {
                word(out, &k::TYPE, &k::TOOL_USE);
                text(out, &k::ID, id.as_ref().unwrap_or(&Text::own("")));
                text(out, &k::NAME, name);
                map(out, &k::INPUT, |_| {});
            }),
            Event::CallPiece { text, .. } => self.piece(out, &INPUT_JSON_DELTA, &k::PARTIAL_JSON, text),
            Event::PartEnded(_) | Event::CallEnded { .. } => {
                let index = self.blocks.saturating_sub(1);
                typed(out, &CONTENT_BLOCK_STOP, |out| number(out, &k::INDEX, index))
            }
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        typed(out, &MESSAGE_DELTA, |out| {
            map(out, &k::DELTA, |out| {
                stop(Some(closing), out);
            });
            closing.write_usage(out);
        })?;
        typed(out, &MESSAGE_STOP, |_| {})
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&k::ERROR, true, |out| failure(words, out))
    }
}

impl<H: Host> Events<H> {
    fn start<F: Frames<H>>(&self, out: &mut F) -> Result<(), Error> {
        typed(out, &MESSAGE_START, |out| {
            map(out, &k::MESSAGE, |out| {
                head(&self.around, out);
                empty(out, &k::CONTENT);
                stop(None, out);
                // Clients show the context size from these counts, and fail without them. The true counts come at the
                // end.
                map(out, &k::USAGE, |out| {
                    number(out, &k::INPUT_TOKENS, 0);
                    number(out, &k::OUTPUT_TOKENS, 0);
                });
            });
        })
    }

    /// Begins a block.
    fn open<F: Frames<H>>(&mut self, out: &mut F, block: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        let index = self.blocks;
        self.blocks += 1;
        typed(out, &CONTENT_BLOCK_START, |out| {
            number(out, &k::INDEX, index);
            map(out, &k::CONTENT_BLOCK, block);
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
            number(out, &k::INDEX, self.blocks.saturating_sub(1));
            map(out, &k::DELTA, |out| {
                word(out, &k::TYPE, kind);
                text(out, key, said);
            });
        })
    }
}
