//! Writes the turns of a reply as the messages of another format's reply.

use super::{
    gathering::{Gathering, joined},
    limits::limits,
    place::within,
};
use crate::{
    dialects::registry,
    model::{Finish, Reply},
    report::{Change, Edit, Error, Losses, Step},
    rules::{DialectId, Thoughts},
    value::{Host, Key, Text, Value},
    wire::response::ResponseRule,
};

/// The messages of a reply, and content that is written elsewhere.
pub(super) struct Turns<H: Host> {
    pub(super) messages: Vec<Value<H>>,
    /// The reasoning beside the content, and its key.
    pub(super) thoughts: Option<(&'static Key, Text<H>)>,
    /// Whether a message says that it is a refusal.
    refuses: bool,
    /// How many calls cannot be run because of their arguments, and how many can.
    calls: (usize, usize),
}

/// What stands between thoughts where the target has one key for them.
pub(super) use crate::wire::plan::BETWEEN_THOUGHTS;

/// Whether a loss is about a message's id. In a reply, the id is that of the reply.
fn names_message(loss: &Change) -> bool {
    loss.code == Edit::RenamedId && loss.path.steps().count() < 2
}

impl<H: Host> Turns<H> {
    /// Writes the turns of a whole reply.
    pub(super) fn of(reply: &Reply<H>, target: DialectId, losses: &mut Losses) -> Result<Self, Error> {
        Self::gathered(reply, target, false, losses)
    }

    /// Reports what a stream of the target cannot express: what a whole reply leaves out, and media.
    pub(super) fn streamed(reply: &Reply<H>, target: DialectId, losses: &mut Losses) -> Result<Self, Error> {
        Self::gathered(reply, target, true, losses)
    }

    fn gathered(reply: &Reply<H>, target: DialectId, streams: bool, losses: &mut Losses) -> Result<Self, Error> {
        let all = Gathering::of(reply, target, streams, losses)?;
        let limits = limits(target)?;
        let before = losses.list.len();
        let turns: Vec<_> = all.turns.iter().map(|(_, turn)| turn).collect();
        let messages =
            if turns.is_empty() { Vec::new() } else { registry::messages(turns, (target, &limits), losses)? };
        let mut told = losses.list.split_off(before);
        told.retain(|loss| !names_message(loss));
        losses.list.append(&mut told);
        for loss in &mut losses.list[before..] {
            let Some(Step::Index(at)) = loss.path.steps().next() else { continue };
            let index = all.turns.get(at).map_or(0, |(index, _)| *index);
            loss.path = within(reply, index, &loss.path);
        }
        let thoughts = match target.limits()?.thoughts {
            Thoughts::Key(key) if !all.thoughts.is_empty() => Some((key, joined(&all.thoughts, BETWEEN_THOUGHTS)?)),
            _ => None,
        };
        Ok(Self { messages, thoughts, refuses: all.refuses, calls: all.calls })
    }

    /// How a reply ends for the target. A refusal ends as filtered if its text cannot be marked as one, or if it calls
    /// tools.
    pub(super) fn end(&self, reply: &Reply<H>, rule: &ResponseRule) -> Finish {
        // If both ends have one word, only the refusal's text distinguishes them. With calls, nothing does.
        let is_told = self.refuses && reply.calls().next().is_none();
        let alike = rule.words.refusal == rule.words.stop;
        match reply.said_end() {
            Finish::Refusal if alike && !is_told => Finish::Filtered,
            // Without its calls, the reply asks for nothing.
            Finish::ToolCalls if matches!(self.calls, (1.., 0)) => Finish::Stop,
            finish => finish,
        }
    }

    /// The target's own word for the end of a reply whose call cannot be read, unless something else ended it.
    pub(super) fn word(&self, reply: &Reply<H>, rule: &ResponseRule) -> Option<Text<H>> {
        rule.bad_call.filter(|_| self.calls.0 > 0 && reply.said_end() == Finish::ToolCalls).map(Text::own)
    }
}
