//! Leaves out calls without a result where nothing true can stand for one, with the reasoning that led to them.

use super::{lone, matching};
use crate::{
    model::{Kind, Part, Role},
    pairing::bond::is_reasoning_alone,
    report::{Change, Edit, sentence},
    stage::{DraftTurn, Policy, bond::Bond, size},
    value::{HashSet, Host},
};

pub(super) fn remove<H: Host>(slots: &mut Vec<DraftTurn<H>>, on_server: bool, rules: &Policy) -> Vec<Change> {
    let meant =
        |part: &Part<H>| matches!(&part.kind, Kind::Call(call) if call.form.is_some_and(|form| !form.stands_in()));
    let is_home = |slot: &DraftTurn<H>| rules.target.is_none_or(|target| target.same_wire(slot.turn.from));
    if !slots.iter().any(|slot| is_home(slot) && slot.turn.parts.iter().any(meant)) {
        return Vec::new();
    }
    let last_said = last_said(slots);
    let (mut gone, mut entries) = (HashSet::default(), Vec::new());
    for call in matching(slots, on_server, rules).calls.iter().filter(|call| call.result.is_none()) {
        let slot = &slots[call.turn];
        let alone = slot.turn.parts.len() == 1 && is_home(slot) && meant(&slot.turn.parts[call.part]);
        if !alone || rules.keep_open && last_said.is_none_or(|last| last < call.turn) {
            continue;
        }
        let entry = Change::new(Edit::OrphanCall, slot.index, slot.path(), sentence::NO_STAND_IN);
        entries.push(entry.sized(size::turn(&slot.turn), 0));
        gone.insert(call.turn);
        for at in (0..call.turn).rev().take_while(|at| is_reasoning_alone(&slots[*at].turn)) {
            entries.push(lone::entry(&slots[at]));
            gone.insert(at);
        }
    }
    let (mut at, mut bond) = (0.., Bond::default());
    slots.retain_mut(|slot| {
        if at.next().is_some_and(|at| gone.contains(&at)) {
            bond.removed(&slot.turn, Edit::OrphanCall);
            return false;
        }
        bond.kept(slot, &mut entries)
    });
    entries
}

/// The last slot in which neither the assistant nor a tool says something: no call before it can still be answered.
pub(in crate::stage) fn last_said<H: Host>(slots: &[DraftTurn<H>]) -> Option<usize> {
    slots.iter().rposition(|slot| !matches!(slot.turn.role, Role::Assistant | Role::Tool))
}
