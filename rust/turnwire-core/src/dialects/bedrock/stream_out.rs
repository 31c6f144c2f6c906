//! Writes a Converse stream: a message, its blocks one by one (only calls have a start event), then the counts.

use super::{keys as k, response::cost};
use crate::{
    model::Event,
    report::Error,
    rules::DialectId,
    value::{Host, Key, Text, door::keys},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            out::{map, number, text, word},
        },
    },
};

keys! {
    // The exceptions of a stream in the service model; all other errors count as the service's own.
    THROTTLING = "throttlingException";
    UNAVAILABLE = "serviceUnavailableException";
    VALIDATION = "validationException";
    INTERNAL = "internalServerException";
}

/// A stream of events.
pub(crate) struct Events<H: Host> {
    /// How many blocks have ended: the number of the open one.
    blocks: u64,
    around: Around<H>,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Binary;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { blocks: 0, around })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => object(out, &k::MESSAGE_START, |out| word(out, &k::ROLE, &k::ASSISTANT)),
            Event::Text(said) | Event::Refusal(said) => self.delta(out, |out| text(out, &k::TEXT, said)),
            Event::Reasoning(said) => {
                self.delta(out, |out| map(out, &k::REASONING_CONTENT, |out| text(out, &k::TEXT, said)))
            }
            Event::Signature(said) => {
                self.delta(out, |out| map(out, &k::REASONING_CONTENT, |out| text(out, &k::SIGNATURE, said)))
            }
            Event::CallBegun { id, name, .. } => object(out, &k::CONTENT_BLOCK_START, |out| {
                number(out, &k::CONTENT_BLOCK_INDEX, self.blocks);
                map(out, &k::START, |out| {
                    map(out, &k::TOOL_USE, |out| {
                        text(out, &k::TOOL_USE_ID, id.as_ref().unwrap_or(&Text::own("")));
                        text(out, &k::NAME, name);
                    });
                });
            }),
            Event::CallPiece { text: piece, .. } => {
                self.delta(out, |out| map(out, &k::TOOL_USE, |out| text(out, &k::INPUT, piece)))
            }
            Event::PartEnded(_) | Event::CallEnded { .. } => {
                let index = self.blocks;
                self.blocks += 1;
                object(out, &k::CONTENT_BLOCK_STOP, |out| number(out, &k::CONTENT_BLOCK_INDEX, index))
            }
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        object(out, &k::MESSAGE_STOP, |out| text(out, &k::STOP_REASON, &closing.word))?;
        object(out, &k::METADATA, |out| cost(&self.around, closing, out))
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        let kind = words.kind.to_str(None);
        let known = [&THROTTLING, &UNAVAILABLE, &VALIDATION];
        let name = known.into_iter().find(|known| known.name.eq_ignore_ascii_case(&kind)).unwrap_or(&INTERNAL);
        out.event(name, true, |out| {
            text(out, &k::MESSAGE, &words.message);
        })
    }
}

impl<H: Host> Events<H> {
    /// Writes a piece of the open block.
    fn delta<F: Frames<H>>(&self, out: &mut F, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        object(out, &k::CONTENT_BLOCK_DELTA, |out| {
            number(out, &k::CONTENT_BLOCK_INDEX, self.blocks);
            map(out, &k::DELTA, said);
        })
    }
}

fn object<H: Host, F: Frames<H>>(out: &mut F, name: &'static Key, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
    out.event(name, false, |out| {
        said(out);
    })
}
