//! Counts changes of settings as one once nothing is left between them, because they become one then.

use crate::{
    model::Frame,
    stage::{DraftTurn, conform, size::Meter},
    value::{Host, Value},
    wire::updates,
};

/// The changes of settings in the list.
pub(super) struct Joins<H: Host> {
    /// Those that stand for themselves, by their slots, each with what it sets.
    changes: Vec<(usize, Value<H>)>,
    /// Whether each slot keeps two of them apart.
    parts: Vec<bool>,
}

/// One that becomes another: its slot, the slot of the other, and what that sets then.
pub(super) struct Join<H: Host> {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) both: Value<H>,
}

impl<H: Host> Joins<H> {
    pub(super) fn of(slots: &[DraftTurn<H>], frame: &Frame<H>, meter: &Meter<'_>) -> Self {
        let turns = slots.iter().map(|slot| &*slot.turn);
        let found = meter.written_for().and_then(|target| conform::changes(turns, frame, &target));
        let (ones, parts) = found.unwrap_or_default();
        let change = |at: usize| updates::of(&slots[at].turn).map(|value| (at, value));
        Self { changes: ones.into_iter().filter_map(change).collect(), parts }
    }

    /// The next one that becomes another. `is_gone`: whether a slot is dropped.
    pub(super) fn next(&mut self, is_gone: impl Fn(usize) -> bool) -> Option<Join<H>> {
        let meet = |pair: &[(usize, Value<H>)]| {
            let mut between = pair[0].0 + 1..pair[1].0;
            between.clone().any(&is_gone) && between.all(|at| is_gone(at) || !self.parts[at])
        };
        let at = self.changes.windows(2).position(meet)?;
        let (first, old) = self.changes.remove(at);
        let (second, new) = &mut self.changes[at];
        *new = updates::joined(&old, new);
        Some(Join { first, second: *second, both: new.share() })
    }
}
