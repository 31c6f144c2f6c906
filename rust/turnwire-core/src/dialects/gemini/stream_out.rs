//! Writes a Gemini stream: each chunk is a reply with more parts; the last one has the finish reason and the usage.

use super::{
    keys as k,
    response::{failure, tail, thought},
};
use crate::{
    model::Event,
    report::Error,
    rules::DialectId,
    value::Host,
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            held_call::HeldCall,
            out::{map, number, object, one, text, value, word},
        },
    },
};

/// A stream of chunks.
pub(crate) struct Chunks<H: Host> {
    around: Around<H>,
    /// The open call, which is written whole.
    call: Option<HeldCall<H>>,
}

impl<H: Host> StreamWriter for Chunks<H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;
    const LIST: bool = true;
    const OBJECTS: bool = true;
    const WHOLE: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, call: None })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Text(said) | Event::Refusal(said) => self.part(out, |out| text(out, &k::TEXT, said)),
            Event::Reasoning(said) => self.part(out, |out| thought(said, out)),
            _ => {
                let Some(HeldCall { id, name, args }) = HeldCall::take(&mut self.call, event) else { return Ok(()) };
                let args = object(&args);
                self.part(out, |out| {
                    map(out, &k::FUNCTION_CALL, |out| {
                        if let Some(id) = &id {
                            text(out, &k::ID, id);
                        }
                        text(out, &k::NAME, &name);
                        value(out, &k::ARGS, &args);
                    });
                })
            }
        }
    }

    fn holds(&self) -> bool {
        self.call.is_some()
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        self.chunk(out, |out| {
            one(out, &k::CANDIDATES, |out| {
                text(out, &k::FINISH_REASON, &closing.word);
                number(out, &k::INDEX, 0);
            });
            closing.write_usage(out);
        })
    }

    /// Clients recognise an error by its first key.
    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&k::CHUNK, true, |out| failure(words, out))
    }
}

impl<H: Host> Chunks<H> {
    /// A chunk with one part.
    fn part<F: Frames<H>>(&self, out: &mut F, part: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        self.chunk(out, |out| {
            one(out, &k::CANDIDATES, |out| {
                map(out, &k::CONTENT, |out| {
                    one(out, &k::PARTS, part);
                    word(out, &k::ROLE, &k::MODEL);
                });
                number(out, &k::INDEX, 0);
            });
        })
    }

    fn chunk<F: Frames<H>>(&self, out: &mut F, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        out.event(&k::CHUNK, false, |out| {
            said(out);
            tail(&self.around, out);
        })
    }
}
