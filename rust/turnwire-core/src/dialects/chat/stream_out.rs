//! Writes a stream of the family: chunks of one choice, `{"choices": [{"delta", "finish_reason"}]}`, then the counts.

use super::keys as k;
use std::marker::PhantomData;

use super::{
    hooks::Chat,
    response::{failure, head},
};
use crate::{
    model::Event,
    report::Error,
    rules::{DialectId, Thoughts},
    value::{Host, Key, Sink, Source, Text, Tree, door::keys},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter, Words,
            out::{empty, map, null, number, one, text, word},
        },
    },
};

keys! {
    CHUNK = "chat.completion.chunk";
    STREAM_OPTIONS = "stream_options";
    INCLUDE_USAGE = "include_usage";
}

/// A stream of chunks.
pub(crate) struct Chunks<D, H: Host> {
    around: Around<H>,
    /// Whether to send the counts: the client asks for them, or its request is unknown.
    counts: bool,
    /// Where this profile shows reasoning.
    thoughts: Thoughts,
    /// The calls, for a format that sends them whole at the end.
    calls: Vec<Call<H>>,
    of: PhantomData<D>,
}

struct Call<H: Host> {
    id: Option<Text<H>>,
    name: Text<H>,
    args: Words<H>,
    custom: bool,
}

impl<D: Chat, H: Host> StreamWriter for Chunks<D, H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;
    const PARALLEL: bool = !D::MEMBER.calls_at_end;
    const WHOLE: bool = D::MEMBER.calls_at_end;

    fn new(to: DialectId, around: Around<H>) -> Result<Self, Error> {
        let thoughts = to.limits()?.thoughts;
        let asks = |options: Tree<'_, H>| options.get(&INCLUDE_USAGE)?.bool();
        let counts = !around.wanted.is_own() || around.wanted.says(&STREAM_OPTIONS).and_then(asks) == Some(true);
        Ok(Self { around, counts, thoughts, calls: Vec::new(), of: PhantomData })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => self.delta(out, |out| {
                word(out, &k::ROLE, &k::ASSISTANT);
                word(out, &k::CONTENT, &k::EMPTY);
            }),
            Event::Text(said) => self.delta(out, |out| text(out, &k::CONTENT, said)),
            Event::Refusal(said) if !D::MEMBER.calls_at_end => self.delta(out, |out| text(out, &k::REFUSAL, said)),
            Event::Refusal(said) => self.delta(out, |out| text(out, &k::CONTENT, said)),
            Event::Reasoning(said) => self.delta(out, |out| match self.thoughts {
                Thoughts::Key(key) => text(out, key, said),
                _ => one(out, &k::CONTENT, |out| D::thought(said, out)),
            }),
            Event::CallBegun { call, id, name, custom, .. } => {
                let (id, name) = (id.as_ref().map(Text::share), name.share());
                self.calls.push(Call { id, name, args: Words::default(), custom: *custom });
                if D::MEMBER.calls_at_end {
                    return Ok(());
                }
                let begun = self.calls.last();
                self.delta(out, |out| {
                    one(out, &k::TOOL_CALLS, |out| {
                        number(out, &k::INDEX, *call as u64);
                        if let Some(call) = begun {
                            call.write(&Text::own(""), out);
                        }
                    });
                })
            }
            Event::CallPiece { call: index, text: piece } => {
                let Some(call) = self.calls.get_mut(*index) else { return Ok(()) };
                if D::MEMBER.calls_at_end {
                    call.args.push(piece, None);
                    return Ok(());
                }
                let [kind, args] = call.keys();
                self.delta(out, |out| {
                    one(out, &k::TOOL_CALLS, |out| {
                        number(out, &k::INDEX, *index as u64);
                        map(out, kind, |out| text(out, args, piece));
                    });
                })
            }
            Event::CallWhole { call, text } => {
                if let Some(call) = self.calls.get_mut(*call).filter(|_| D::MEMBER.calls_at_end) {
                    call.args = Words::of(text.share());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn holds(&self) -> bool {
        D::MEMBER.calls_at_end && !self.calls.is_empty()
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        let calls = std::mem::take(&mut self.calls);
        let whole = calls.iter().filter(|_| D::MEMBER.calls_at_end).map(|call| Ok((call, call.args.text()?)));
        let whole = whole.collect::<Result<Vec<_>, Error>>()?;
        let said = |out: &mut F::Out| {
            if whole.is_empty() {
                return;
            }
            out.key(&k::TOOL_CALLS);
            out.open_list();
            for (index, (call, args)) in whole.iter().enumerate() {
                out.open_map();
                number(out, &k::INDEX, index as u64);
                call.write(args, out);
                out.close();
            }
            out.close();
        };
        self.chunk(out, said, Some(closing))?;
        if !D::MEMBER.calls_at_end && self.counts && closing.counts().is_some() {
            out.event(&CHUNK, false, |out| {
                head(&self.around, &CHUNK, out);
                empty(out, &k::CHOICES);
                closing.write_usage(out);
            })?;
        }
        out.mark();
        Ok(())
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&CHUNK, true, |out| failure(words, out))
    }
}

impl<D: Chat, H: Host> Chunks<D, H> {
    fn delta<F: Frames<H>>(&self, out: &mut F, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        self.chunk(out, said, None)
    }

    /// Writes one chunk: a piece of the message, or the finish reason.
    fn chunk<F: Frames<H>>(
        &self,
        out: &mut F,
        said: impl FnOnce(&mut F::Out),
        closing: Option<&Closing<H>>,
    ) -> Result<(), Error> {
        out.event(&CHUNK, false, |out| {
            head(&self.around, &CHUNK, out);
            one(out, &k::CHOICES, |out| {
                number(out, &k::INDEX, 0);
                map(out, &k::DELTA, said);
                match closing {
                    Some(closing) => text(out, &k::FINISH_REASON, &closing.word),
                    None => null(out, &k::FINISH_REASON),
                }
            });
            if let Some(closing) = closing {
                if D::MEMBER.calls_at_end {
                    closing.write_usage(out);
                }
                closing.write_tier(out);
            }
        })
    }
}

impl<H: Host> Call<H> {
    /// The keys of the called tool and of its arguments.
    fn keys(&self) -> [&'static Key; 2] {
        if self.custom { [&k::CUSTOM, &k::INPUT] } else { [&k::FUNCTION, &k::ARGUMENTS] }
    }

    fn write<K: Sink<H>>(&self, args: &Text<H>, out: &mut K) {
        let [kind, key] = self.keys();
        if let Some(id) = &self.id {
            text(out, &k::ID, id);
        }
        word(out, &k::TYPE, kind);
        map(out, kind, |out| {
            text(out, &k::NAME, &self.name);
            text(out, key, args);
        });
    }
}
