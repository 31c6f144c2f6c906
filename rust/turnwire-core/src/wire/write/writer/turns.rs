//! Answers the plan's questions about turns: which are sent back, which move, and which are the last of their kind.

use crate::{
    model::Turn,
    report::Path,
    value::Host,
    wire::{
        plan::Planner,
        write::says::{replays, says},
    },
};

impl<H: Host> Planner<'_, H> {
    /// Whether the turn is sent back unchanged.
    #[inline]
    pub(crate) fn replays(&self, turn: &Turn<H>) -> bool {
        replays(&self.target, turn)
    }

    /// The path of the first system text: beside the messages, or else of the first system turn that moves there.
    pub(crate) fn first_system_path(&self) -> Path {
        let frame = self.conversation.frame;
        match self.hoisted().next() {
            Some((index, turn)) if frame.system.is_none() => turn.path(index),
            _ => frame.system_path(),
        }
    }

    /// The last turn that will be written, at least in part.
    pub(crate) fn last_said(&self) -> Option<usize> {
        let mut turns = self.conversation.turns.iter().enumerate().rev();
        turns.find(|(index, turn)| !self.is_hoisted(*index) && self.says(turn)).map(|(index, _)| index)
    }

    /// Whether any part of a turn will be written.
    pub(crate) fn says(&self, turn: &Turn<H>) -> bool {
        self.replays(turn) || says(turn, &self.target)
    }
}
