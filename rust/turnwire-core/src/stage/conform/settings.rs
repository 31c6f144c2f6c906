//! Changes of settings that stand in the list: those of another format are written in the target's words, those side by side
//! become one where the target refuses that, and none is before the user's first words where it needs them.

use std::sync::Arc;

use crate::{
    model::{Role, Turn},
    report::{Change, Edit, Error, Losses},
    rules::Target,
    stage::{Draft, DraftTurn, size},
    value::Host,
    wire::{respelled, updates},
};

const SIDE_BY_SIDE: &str = "the target refuses two changes of settings side by side";
const ONE_LEFT: &str = "two changes of settings would stand side by side";
const BEFORE_USER: &str = "the target takes changes of settings only after the user's first words";

/// Writes those of other formats in the target's words, and the cache marks of other profiles.
pub(in crate::stage) fn translate<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) -> Result<(), Error> {
    let mut losses = Losses::new(target.options);
    marks(draft, target, &mut losses)?;
    draft.receipt.changes.append(&mut losses.list);
    let foreign = |turn: &Turn<H>| turn.from.facts.update.is_some() && updates::is_foreign(turn, target.id);
    if !draft.turns().any(|turn| foreign(turn) && updates::of(turn).is_some()) {
        return Ok(());
    }
    let mut left: Vec<DraftTurn<H>> = Vec::with_capacity(draft.slots().len());
    for slot in std::mem::take(draft.slots()) {
        match updates::translated(&slot.turn, slot.index, target.id, &mut losses)? {
            None => left.push(slot),
            Some(turns) => left.extend(turns.into_iter().map(|turn| DraftTurn {
                turn: Arc::new(turn),
                index: slot.index,
                sources: slot.sources.clone(),
            })),
        }
    }
    *draft.slots() = left;
    draft.receipt.changes.append(&mut losses.list);
    Ok(())
}

fn marks<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>, losses: &mut Losses) -> Result<(), Error> {
    let mut made = Vec::new();
    for (at, turn) in draft.turns().enumerate() {
        let (_, index) = draft.at(at);
        if let Some(new) = respelled::of(turn, index, target, losses)? {
            made.push((at, new));
        }
    }
    for (at, new) in made {
        draft.slots()[at].turn = Arc::new(new);
    }
    Ok(())
}

/// Joins those side by side, of which the last one of each setting counts.
pub(super) fn join<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let Some(rule) = updates::rule_of(target.id) else { return };
    let is_one = |turn: &Turn<H>| turn.from.same_wire(target.id) && updates::is_alone(turn);
    let (mut last, mut meets) = (false, false);
    for turn in draft.turns() {
        let now = is_one(turn);
        meets |= last && now;
        last = now;
    }
    if !meets {
        return;
    }
    let as_it_came = |slot: &DraftTurn<H>| !slot.turn.touched && slot.turn.origin.is_some();
    let mut entries = Vec::new();
    let mut left: Vec<DraftTurn<H>> = Vec::with_capacity(draft.slots().len());
    for mut slot in std::mem::take(draft.slots()) {
        let stays = |before: &DraftTurn<H>| {
            !rule.alone && as_it_came(before) && as_it_came(&slot) && before.index + 1 == slot.index
        };
        let joins = |before: &mut DraftTurn<H>| is_one(&before.turn) && is_one(&slot.turn) && !stays(before);
        if let Some(before) = left.pop_if(joins) {
            let why = if rule.alone { SIDE_BY_SIDE } else { ONE_LEFT };
            let entry = Change::new(Edit::MergedTurn, before.index, before.path(), why);
            entries.push(entry.sized(size::turn(&before.turn), 0));
            if let Some((old, new)) = updates::of(&before.turn).zip(updates::of(&slot.turn)) {
                let both = updates::joined(&old, &new);
                if !both.same(&new) {
                    slot.turn = Arc::new(updates::with(&slot.turn, both));
                }
            }
        }
        left.push(slot);
    }
    *draft.slots() = left;
    draft.receipt.changes.append(&mut entries);
}

/// Moves those before the user's first words behind them.
pub(super) fn place<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    if !updates::rule_of(target.id).is_some_and(|rule| rule.behind_user) {
        return;
    }
    let is_one = |turn: &Turn<H>| turn.from.same_wire(target.id) && updates::is_alone(turn);
    let Some(first) = draft.turns().position(|turn| !turn.role.is_system()) else { return };
    let asks = draft.turns().nth(first).is_some_and(|turn| turn.speaker() != Role::Assistant);
    if !asks || !draft.turns().take(first).any(|turn| is_one(turn)) {
        return;
    }
    let mut entries = Vec::new();
    let slots = draft.slots();
    let rest = slots.split_off(first + 1);
    let user = slots.pop();
    let (moved, before): (Vec<_>, Vec<_>) = std::mem::take(slots).into_iter().partition(|slot| is_one(&slot.turn));
    for slot in &moved {
        entries.push(Change::new(Edit::MovedSystem, slot.index, slot.path(), BEFORE_USER));
    }
    slots.extend(before.into_iter().chain(user).chain(moved).chain(rest));
    draft.receipt.changes.append(&mut entries);
}
