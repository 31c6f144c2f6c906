//! Answers the plan's questions about turns: which are sent back, which move, and which are the last of their kind.

use crate::{
    model::{At, Turn},
    report::Path,
    rules::SystemPlace,
    value::Host,
    wire::{
        plan::{Planner, seats::may_stay},
        write::says::{replays, says},
    },
};

impl<'a, H: Host> Planner<'a, H> {
    /// Whether the turn is sent back unchanged.
    #[inline]
    pub(crate) fn replays(&self, turn: &Turn<H>) -> bool {
        replays(&self.target, turn)
    }

    /// The system turns that cannot stay where they are, each with its index.
    pub(crate) fn hoisted(&self) -> impl Iterator<Item = At<'a, H>> + use<'_, 'a, H> {
        let turns: &'a [&'a Turn<H>] = match self.target.limits.system {
            SystemPlace::Anywhere => &[],
            SystemPlace::First | SystemPlace::Head | SystemPlace::Top | SystemPlace::Nowhere => {
                &self.conversation.turns
            }
        };
        turns.iter().enumerate().map(|(index, turn)| (index, *turn)).filter(|at| self.is_hoisted(*at))
    }

    /// The path of the first system text: beside the messages, or else of the first system turn that moves there.
    pub(crate) fn first_system_path(&self) -> Path {
        let frame = self.conversation.frame;
        match self.hoisted().next() {
            Some((index, turn)) if frame.system.is_none() => turn.path(index),
            _ => frame.system_path(),
        }
    }

    /// Whether a turn is system text that cannot stay where it is.
    pub(crate) fn is_hoisted(&self, (index, turn): At<'_, H>) -> bool {
        if !turn.role.is_system() {
            return false;
        }
        let own = turn.from.same_wire(self.target.id);
        match self.target.limits.system {
            SystemPlace::Anywhere => false,
            SystemPlace::First => self.gathers,
            SystemPlace::Head => !own || turn.touched && index > 0,
            SystemPlace::Top => {
                let relative = turn.from.is_relative(self.target.id);
                // If an untouched turn is of this format, its own servers accepted its position.
                !(own && !turn.touched || (own || relative) && may_stay(&self.stays, index))
            }
            SystemPlace::Nowhere => !own,
        }
    }

    /// The last turn that will be written, at least in part.
    pub(crate) fn last_said(&self) -> Option<usize> {
        let mut turns = self.conversation.turns.iter().enumerate().rev();
        turns.find(|(index, turn)| !self.is_hoisted((*index, turn)) && self.says(turn)).map(|(index, _)| index)
    }

    /// Whether any part of a turn will be written.
    pub(crate) fn says(&self, turn: &Turn<H>) -> bool {
        self.replays(turn) || says(turn, &self.target)
    }
}
