//! Pairs items that ask for something other than the result of the client's calls with the items that answer them.
//!
//! An answer that comes before its item moves directly behind it. One without its item is left out. An item without its
//! answer stays open, or is left out with the reasoning that led to it.

use super::{
    bond::Bond,
    draft::{Draft, DraftTurn},
    pair::{last_said, lone},
    policy::Policy,
    size,
};
use crate::{
    pairing::{answers::item_of, bond::is_reasoning_alone, links::on_server},
    report::{Change, Edit, sentence},
    value::{HashMap, Host},
};

/// What happens to a slot.
enum Fate {
    /// It moves behind the slot with this number.
    Moves(usize),
    /// It is left out.
    Goes,
    /// It is left out, because it led to what is left out.
    Leads,
}

/// Pairs them.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    if draft.turns().any(|turn| !turn.from.facts.answers.is_empty() && item_of(turn, rules.target).is_some()) {
        pair(draft, rules);
    }
}

#[cold]
fn pair<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    let on_server = on_server::may_hold_calls(&draft.given.frame, draft.turns().map(|turn| &**turn), rules.target);
    let slots = draft.slots();
    let mut entries = Vec::new();
    let fates = fates(slots, rules, on_server, &mut entries);
    if fates.is_empty() {
        return;
    }
    let (mut out, mut bond) = (Vec::with_capacity(slots.len()), Bond::default());
    for (at, slot) in slots.iter().enumerate() {
        match fates.get(&at) {
            Some(Fate::Moves(_)) => continue,
            Some(fate) => {
                entries.extend(matches!(fate, Fate::Leads).then(|| lone::entry(slot)));
                bond.removed(&slot.turn, Edit::OrphanCall);
                continue;
            }
            None => {
                let mut kept = copy(slot);
                if bond.kept(&mut kept, &mut entries) {
                    out.push(kept);
                }
            }
        }
        let here = |from: &usize| matches!(fates.get(from), Some(Fate::Moves(behind)) if *behind == at);
        out.extend((0..slots.len()).filter(here).map(|from| copy(&slots[from])));
    }
    lone::remove(&mut out, &mut entries);
    entries.sort_by_key(|entry| entry.index);
    *slots = out;
    draft.receipt.changes.append(&mut entries);
}

fn copy<H: Host>(slot: &DraftTurn<H>) -> DraftTurn<H> {
    DraftTurn { turn: slot.turn.clone(), index: slot.index, sources: slot.sources.clone() }
}

/// What happens to each answer that does not stay as it is, with the entries that say so.
fn fates<H: Host>(
    slots: &[DraftTurn<H>],
    rules: &Policy,
    on_server: bool,
    entries: &mut Vec<Change>,
) -> HashMap<usize, Fate> {
    // By its name, the slot of each item that asks, whether it needs its answer, and whether it has it.
    let (mut asked, mut answers) = (HashMap::<String, (usize, bool, bool)>::default(), Vec::new());
    for (at, slot) in slots.iter().enumerate() {
        let Some(item) = item_of(&slot.turn, rules.target) else { continue };
        match item.name {
            Some(name) if item.asks => drop(asked.entry(name).or_insert((at, !item.may_wait, false))),
            Some(name) => answers.push((at, name)),
            None => {}
        }
    }
    let mut fates = HashMap::default();
    let mut tell = |at: usize, code: Edit, id: &str, why: &'static str| {
        let slot = &slots[at];
        let size = size::turn(&slot.turn);
        let left = if code == Edit::MovedResult { size } else { 0 };
        entries.push(Change::new(code, slot.index, slot.path(), why).of(id.to_owned()).sized(size, left));
    };
    for (at, name) in answers {
        let fate = match asked.get_mut(&name) {
            None if on_server => continue,
            None => {
                tell(at, Edit::OrphanResult, &name, "no call has this id");
                Fate::Goes
            }
            Some((_, _, true)) => {
                tell(at, Edit::DuplicateResult, &name, "its call has another result");
                Fate::Goes
            }
            Some((call, _, answered)) => {
                *answered = true;
                if *call < at {
                    continue;
                }
                tell(at, Edit::MovedResult, &name, sentence::NOT_BEHIND_CALL);
                Fate::Moves(*call)
            }
        };
        fates.insert(at, fate);
    }
    let last_said = last_said(slots);
    for (name, (at, needed, answered)) in asked {
        if !needed || answered || rules.keep_open && last_said.is_none_or(|last| last < at) {
            continue;
        }
        tell(at, Edit::OrphanCall, &name, sentence::NO_STAND_IN);
        fates.insert(at, Fate::Goes);
        for at in (0..at).rev().take_while(|at| is_reasoning_alone(&slots[*at].turn)) {
            fates.insert(at, Fate::Leads);
        }
    }
    fates
}
