//! Writes a run as events: its start, its messages and calls side by side, and its end.

use super::keys as k;
use crate::{
    model::{Event, PartSort, head::MODEL},
    report::Error,
    rules::DialectId,
    value::{HashMap, Host, Key, Sink, Source, Text},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            out::{map, one, text, typed, word},
        },
    },
};

/// A stream of events.
pub(crate) struct Events<H: Host> {
    around: Around<H>,
    /// How many messages have begun.
    messages: usize,
    /// The id of the open part's message.
    open: Text<H>,
    /// The message that the next call belongs to.
    parent: Option<Text<H>>,
    /// The id of the next message, if it has one of its own.
    given: Option<Text<H>>,
    calls: HashMap<usize, Text<H>>,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;
    const PARALLEL: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self::of(around))
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => typed(out, &k::RUN_STARTED, |out| self.ids(out)),
            Event::PartBegun(PartSort::Reasoning) => {
                self.parent = None;
                self.open = self.next();
                self.about(out, &k::REASONING_START, |_| {})?;
                self.about(out, &k::REASONING_MESSAGE_START, |out| word(out, &k::ROLE, &k::REASONING))
            }
            Event::PartBegun(_) => {
                self.open = self.next();
                self.parent = Some(self.open.share());
                self.about(out, &k::TEXT_START, |out| word(out, &k::ROLE, &k::ASSISTANT))
            }
            Event::Text(said) | Event::Refusal(said) => {
                self.about(out, &k::TEXT_CONTENT, |out| text(out, &k::DELTA, said))
            }
            Event::Reasoning(said) => self.about(out, &k::REASONING_CONTENT, |out| text(out, &k::DELTA, said)),
            Event::PartEnded(PartSort::Reasoning) => {
                self.about(out, &k::REASONING_MESSAGE_END, |_| {})?;
                self.about(out, &k::REASONING_END, |_| {})
            }
            Event::PartEnded(_) => self.about(out, &k::TEXT_END, |_| {}),
            Event::CallBegun { call, id, name, .. } => {
                let id = id.as_ref().map_or_else(|| self.around.item("call_", *call), Text::share);
                let parent = self.parent.take().unwrap_or_else(|| self.next());
                typed(out, &k::TOOL_START, |out| {
                    text(out, &k::TOOL_CALL_ID, &id);
                    text(out, &k::TOOL_NAME, name);
                    text(out, &k::PARENT_ID, &parent);
                })?;
                self.parent = Some(parent);
                self.calls.insert(*call, id);
                Ok(())
            }
            Event::CallPiece { call, text: piece } => {
                self.call(*call, out, &k::TOOL_ARGS, |out| text(out, &k::DELTA, piece))
            }
            Event::CallEnded { call } => self.call(*call, out, &k::TOOL_END, |_| {}),
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        typed(out, &k::RUN_FINISHED, |out| {
            self.ids(out);
            map(out, &k::OUTCOME, |out| text(out, &k::TYPE, &closing.word));
            // What it cost, and its model, if they are known.
            if self.around.model.is_some() || closing.counts().is_some() {
                one(out, &k::USAGE, |out| {
                    self.around.model(&MODEL, out);
                    closing.write_counts(out);
                });
            }
        })
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        failed(words, out)
    }
}

impl<H: Host> Events<H> {
    /// The state before the first event.
    pub(super) fn of(around: Around<H>) -> Self {
        Self { around, messages: 0, open: Text::own(""), parent: None, given: None, calls: HashMap::default() }
    }

    /// Begins a message with an id of its own.
    pub(super) fn begin(&mut self, id: Text<H>) {
        (self.parent, self.given) = (None, Some(id));
    }

    /// The id of the next message.
    fn next(&mut self) -> Text<H> {
        self.messages += 1;
        self.given.take().unwrap_or_else(|| self.around.item("msg_", self.messages - 1))
    }

    /// Writes the ids of the run: those of the request, or those of the reply.
    fn ids<K: Sink<H>>(&self, out: &mut K) {
        let asked = |key| self.around.wanted.says(key)?.text();
        text(out, &k::THREAD_ID, &asked(&k::THREAD_ID).unwrap_or_else(|| self.around.named("thread_")));
        text(out, &k::RUN_ID, asked(&k::RUN_ID).as_ref().unwrap_or(&self.around.id));
    }

    /// Writes an event about the open message.
    fn about<F: Frames<H>>(
        &self,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        typed(out, kind, |out| {
            text(out, &k::MESSAGE_ID, &self.open);
            said(out);
        })
    }

    /// Writes an event about a call.
    fn call<F: Frames<H>>(
        &self,
        call: usize,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        let Some(id) = self.calls.get(&call) else { return Ok(()) };
        typed(out, kind, |out| {
            text(out, &k::TOOL_CALL_ID, id);
            said(out);
        })
    }
}

/// Writes the event of an error.
pub(super) fn failed<H: Host, F: Frames<H>>(words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
    out.event(&k::RUN_ERROR, true, |out| {
        word(out, &k::TYPE, &k::RUN_ERROR);
        text(out, &k::MESSAGE, &words.message);
        text(out, &k::CODE, &words.kind);
    })
}
