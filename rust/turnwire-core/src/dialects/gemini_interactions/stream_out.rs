//! Writes a stream of Interactions: the interaction, its steps one by one, each with a start, deltas and a stop, then the end.

use super::keys as k;
use super::response::{content, failure, interaction};
use crate::{
    model::{Event, PartSort},
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
    CREATED = "interaction.created";
    STATUS_UPDATE = "interaction.status_update";
    STEP_START = "step.start";
    STEP_DELTA = "step.delta";
    STEP_STOP = "step.stop";
    ALL = "interaction.completed";
    INTERACTION_ID = "interaction_id";
    THOUGHT_SUMMARY = "thought_summary";
    ARGUMENTS_DELTA = "arguments_delta";
}

/// A stream of events.
pub(crate) struct Events<H: Host> {
    around: Around<H>,
    /// How many steps have begun.
    steps: u64,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::NamedMark;
    /// The SDK passes an error on like any other event.
    const SILENT: bool = true;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, steps: 0 })
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => {
                self.interaction(out, &CREATED, |out| word(out, &k::STATUS, &k::IN_PROGRESS))?;
                typed(out, &STATUS_UPDATE, |out| {
                    text(out, &INTERACTION_ID, &self.around.id);
                    word(out, &k::STATUS, &k::IN_PROGRESS);
                })
            }
            Event::PartBegun(sort) => self.open(out, |out| {
                word(out, &k::TYPE, if *sort == PartSort::Reasoning { &k::THOUGHT } else { &k::MODEL_OUTPUT });
            }),
            Event::Text(said) | Event::Refusal(said) => self.delta(out, |out| content(said, out)),
            Event::Reasoning(said) => self.delta(out, |out| {
                word(out, &k::TYPE, &THOUGHT_SUMMARY);
                map(out, &k::CONTENT, |out| content(said, out));
            }),
            Event::CallBegun { id, name, .. } => self.open(out, |out| {
                word(out, &k::TYPE, &k::FUNCTION_CALL);
                text(out, &k::ID, id.as_ref().unwrap_or(&Text::own("")));
                text(out, &k::NAME, name);
                map(out, &k::ARGUMENTS, |_| {});
            }),
            Event::CallPiece { text: piece, .. } => self.delta(out, |out| {
                word(out, &k::TYPE, &ARGUMENTS_DELTA);
                text(out, &k::ARGUMENTS, piece);
            }),
            Event::PartEnded(_) | Event::CallEnded { .. } => {
                let index = self.last();
                typed(out, &STEP_STOP, |out| number(out, &k::INDEX, index))
            }
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        self.interaction(out, &ALL, |out| {
            text(out, &k::STATUS, &closing.word);
            closing.write_usage(out);
        })?;
        out.mark();
        Ok(())
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        out.event(&k::ERROR, true, |out| {
            failure(words, out);
            word(out, &k::EVENT_TYPE, &k::ERROR);
        })
    }
}

impl<H: Host> Events<H> {
    /// The index of the open step.
    fn last(&self) -> u64 {
        self.steps.saturating_sub(1)
    }

    /// Writes an event about the interaction.
    fn interaction<F: Frames<H>>(
        &self,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        typed(out, kind, |out| {
            map(out, &k::INTERACTION, |out| interaction(&self.around, out, said));
        })
    }

    /// Begins a step.
    fn open<F: Frames<H>>(&mut self, out: &mut F, step: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        self.steps += 1;
        let index = self.last();
        typed(out, &STEP_START, |out| {
            number(out, &k::INDEX, index);
            map(out, &k::STEP, step);
        })
    }

    /// Writes a delta of the open step.
    fn delta<F: Frames<H>>(&self, out: &mut F, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
        typed(out, &STEP_DELTA, |out| {
            number(out, &k::INDEX, self.last());
            map(out, &k::DELTA, said);
        })
    }
}

/// Writes an event of a type.
fn typed<H: Host, F: Frames<H>>(out: &mut F, kind: &'static Key, said: impl FnOnce(&mut F::Out)) -> Result<(), Error> {
    out.event(kind, false, |out| {
        said(out);
        word(out, &k::EVENT_TYPE, kind);
    })
}
