//! Finds reasoning that is not followed by the item it led to, in a dialect that binds both.

use std::ops::Range;

use crate::{
    model::{Role, Tie, Turn},
    pairing::bond::{has_id, is_reasoning_alone},
    report::{Change, Edit},
    stage::{DraftTurn, size},
    value::Host,
};

/// Whether the turn holds reasoning that a server knows by its id, so that the item it led to must follow it.
fn is_bound<H: Host>(turn: &Turn<H>) -> bool {
    is_reasoning_alone(turn) && has_id(turn)
}

/// The slots of lone reasoning in a run of assistant turns, the last one first. Outputs that the client gives back do
/// not count as items that reasoning led to, nor do turns of others.
pub(super) fn in_run<H: Host>(slots: &[DraftTurn<H>], run: Range<usize>) -> Vec<usize> {
    let mut lone = Vec::new();
    let mut leads = false;
    for slot in run.rev() {
        let turn = &slots[slot].turn;
        lone.extend((!leads && is_bound(turn)).then_some(slot));
        leads = if is_reasoning_alone(turn) { leads } else { turn.tie != Tie::GivesBack };
    }
    lone
}

/// Why reasoning goes.
pub(crate) const WITHOUT_ITEM: &str = "the target refuses reasoning without the item that must follow it";

/// The receipt entry for the removed reasoning of this slot.
pub(in crate::stage) fn entry<H: Host>(slot: &DraftTurn<H>) -> Change {
    Change::new(Edit::LoneReasoning, slot.index, slot.path(), WITHOUT_ITEM).sized(size::turn(&slot.turn), 0)
}

/// Removes reasoning whose item was removed.
pub(in crate::stage) fn remove<H: Host>(slots: &mut Vec<DraftTurn<H>>, entries: &mut Vec<Change>) {
    let is_assistant = |slot: &DraftTurn<H>| slot.turn.role == Role::Assistant;
    let mut start = 0;
    let mut lone = Vec::new();
    for run in slots.chunk_by(|a, b| is_assistant(a) == is_assistant(b)) {
        let end = start + run.len();
        if is_assistant(&run[0]) {
            lone.extend(in_run(slots, start..end).into_iter().rev());
        }
        start = end;
    }
    entries.extend(lone.iter().map(|slot| entry(&slots[*slot])));
    let mut at = 0..;
    slots.retain(|_| at.next().is_none_or(|at| lone.binary_search(&at).is_err()));
}
