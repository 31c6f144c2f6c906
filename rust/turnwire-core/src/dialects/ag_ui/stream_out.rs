//! Writes a run as events: its start, its messages and calls side by side, and its end.

use super::keys as k;
use super::response::{failed, finished, ids};
use crate::{
    model::{Event, PartSort},
    report::Error,
    rules::DialectId,
    value::{HashMap, Host, Key, Text},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter,
            out::{text, typed, word},
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
    calls: HashMap<usize, Text<H>>,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Data;
    const PARALLEL: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, messages: 0, open: Text::own(""), parent: None, calls: HashMap::default() })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => typed(out, &k::RUN_STARTED, |out| ids(&self.around, out)),
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
                let parent = self.parent.as_ref().map_or_else(|| self.next(), Text::share);
                typed(out, &k::TOOL_START, |out| {
                    text(out, &k::TOOL_CALL_ID, &id);
                    text(out, &k::TOOL_NAME, name);
                    text(out, &k::PARENT_ID, &parent);
                })?;
                self.messages += usize::from(self.parent.is_none());
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
        typed(out, &k::RUN_FINISHED, |out| finished(&self.around, closing, out))
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&k::RUN_ERROR, true, |out| {
            word(out, &k::TYPE, &k::RUN_ERROR);
            failed(words, out);
        })
    }
}

impl<H: Host> Events<H> {
    /// The id of the next message.
    fn next(&self) -> Text<H> {
        self.around.item("msg_", self.messages)
    }

    /// Writes an event about the open message. The last event of a message increments the counter.
    fn about<F: Frames<H>>(
        &mut self,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        let begins = [k::TEXT_START.name, k::REASONING_START.name].contains(&kind.name);
        self.messages += usize::from(begins);
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
