//! Writes a Gemini stream: each chunk is a reply with more parts; the last one has the finish reason and the usage.

use super::{
    keys::{
        ARGS, CANDIDATES, CODE, CONTENT, ERROR, FINISH_REASON, FUNCTION_CALL, ID, INDEX, MESSAGE, MODEL, MODEL_VERSION,
        NAME, PARTS, RESPONSE_ID, ROLE, STATUS, TEXT, THOUGHT,
    },
    response::RULE,
};
use crate::{
    model::Event,
    report::Error,
    rules::DialectId,
    value::{Host, Sink, Text, door::keys},
    wire::{
        response::{Closing, FailureWords},
        stream::{
            Frames, Framing, Shell, StreamWriter, Wanted, Words,
            out::{map, number, object, one, text, value, word},
        },
    },
};

keys! {
    CHUNK = "chunk";
}

/// A stream of chunks.
pub(crate) struct Chunks<H: Host> {
    shell: Shell<H>,
    /// The open call, which is written whole.
    call: Option<Call<H>>,
}

struct Call<H: Host> {
    id: Option<Text<H>>,
    name: Text<H>,
    args: Words<H>,
}

impl<H: Host> StreamWriter for Chunks<H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;
    const WHOLE: bool = true;

    fn new(_: DialectId, wanted: Wanted<H>) -> Result<Self, Error> {
        Ok(Self { shell: Shell::new(wanted), call: None })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { id, model } => {
                self.shell.begin(RULE.id, id.as_ref(), model.as_ref());
                Ok(())
            }
            Event::Text(said) | Event::Refusal(said) => self.part(out, |out| text(out, &TEXT, said)),
            Event::Reasoning(said) => self.part(out, |out| {
                text(out, &TEXT, said);
                out.key(&THOUGHT);
                out.bool(true);
            }),
            Event::CallBegun { id, name, .. } => {
                let id = id.as_ref().map(Text::share);
                self.call = Some(Call { id, name: name.share(), args: Words::default() });
                Ok(())
            }
            Event::CallPiece { text, .. } => {
                if let Some(call) = &mut self.call {
                    call.args.push(text, None);
                }
                Ok(())
            }
            Event::CallWhole { text, .. } => {
                if let Some(call) = &mut self.call {
                    call.args = Words::of(text.share());
                }
                Ok(())
            }
            Event::CallEnded { .. } => {
                let Some(Call { id, name, args }) = self.call.take() else { return Ok(()) };
                let args = object(&args);
                self.part(out, |out| {
                    map(out, &FUNCTION_CALL, |out| {
                        if let Some(id) = &id {
                            text(out, &ID, id);
                        }
                        text(out, &NAME, &name);
                        value(out, &ARGS, &args);
                    });
                })
            }
            _ => Ok(()),
        }
    }

    fn holds(&self) -> bool {
        self.call.is_some()
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        self.chunk(out, |out| {
            one(out, &CANDIDATES, |out| {
                text(out, &FINISH_REASON, &closing.word);
                number(out, &INDEX, 0);
            });
            closing.write_usage(out);
        })
    }

    /// Clients recognise an error by its first key.
    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&CHUNK, true, |out| {
            out.open_map();
            map(out, &ERROR, |out| {
                number(out, &CODE, words.status.into());
                text(out, &MESSAGE, &words.message);
                text(out, &STATUS, &words.kind);
            });
            out.close();
        })
    }
}

impl<H: Host> Chunks<H> {
    /// A chunk with one part.
    fn part<F: Frames<H>>(&self, out: &mut F, part: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        self.chunk(out, |out| {
            one(out, &CANDIDATES, |out| {
                map(out, &CONTENT, |out| {
                    one(out, &PARTS, part);
                    word(out, &ROLE, &MODEL);
                });
                number(out, &INDEX, 0);
            });
        })
    }

    fn chunk<F: Frames<H>>(&self, out: &mut F, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        out.event(&CHUNK, false, |out| {
            out.open_map();
            said(out);
            text(out, &MODEL_VERSION, &self.shell.model);
            text(out, &RESPONSE_ID, &self.shell.id);
            out.close();
        })
    }
}
