//! Changes of settings that stand in the list: those of another format are written in the target's words, those side by side
//! become one where the target refuses that, none is before the user's first words where it needs them, and none moves with
//! the text beside it.

use std::sync::Arc;

use crate::{
    model::{Frame, Role, Turn},
    report::{Change, Edit, Error, Losses},
    rules::Target,
    stage::{Draft, DraftTurn, size},
    value::Host,
    wire::{
        plan::{
            judge,
            system_seats::{SystemSeats, hoisted},
        },
        respelled, updates,
        write::says::is_written,
    },
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

/// Keeps the change of a turn in its place where the text beside it moves or goes.
pub(super) fn part<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let is_both = |turn: &Turn<H>| turn.from.same_wire(target.id) && updates::is_beside_text(turn);
    if !draft.turns().any(|turn| is_both(turn)) {
        return;
    }
    let turns = draft.turns().map(|turn| &**turn);
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    let seats = SystemSeats::of(target, frame, turns, |turn| is_written(turn, target));
    let (mut left, mut entries) = (Vec::with_capacity(draft.slots().len() + 1), Vec::new());
    for (at, mut slot) in std::mem::take(draft.slots()).into_iter().enumerate() {
        let Some((said, change)) = updates::apart(&slot.turn).filter(|_| is_both(&slot.turn)) else {
            left.push(slot);
            continue;
        };
        let input = slot.turn.input.as_ref();
        let blank = slot.turn.parts.iter().all(|part| judge::is_blank_system(target.limits, part, input));
        if let Some(wrong) = judge::no_system_text(target.limits).filter(|_| blank) {
            entries.push(Change::new(wrong.code, slot.index, slot.path_of(0), wrong.why));
            slot.turn = Arc::new(change);
        } else if let Some(rule) = seats.why_not(at) {
            if !slot.turn.touched {
                entries.push(Change::new(rule.code, slot.index, slot.path(), rule.says));
            }
            let change = DraftTurn { turn: Arc::new(change), index: slot.index, sources: slot.sources.clone() };
            slot.turn = Arc::new(said);
            left.push(slot);
            slot = change;
        }
        left.push(slot);
    }
    *draft.slots() = left;
    draft.receipt.changes.append(&mut entries);
}

/// Whether a turn only changes settings, in the target's own form.
fn is_one<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    turn.from.same_wire(target.id) && updates::is_alone(turn)
}

/// The positions of the turns that only change settings, if the target's become one where they are side by side, and for each
/// turn whether it keeps two of them apart: what is not written there does not.
pub(in crate::stage) fn found<'t, H: Host>(
    turns: impl ExactSizeIterator<Item = &'t Turn<H>> + Clone,
    frame: &Frame<H>,
    target: &Target<'_>,
) -> Option<(Vec<usize>, Vec<bool>)> {
    updates::joins_of(target.id)?;
    let ones: Vec<_> = turns.clone().enumerate().filter(|(_, turn)| is_one(*turn, target)).map(|(at, _)| at).collect();
    if ones.len() < 2 {
        return None;
    }
    let says = |turn: &Turn<H>| is_written(turn, target);
    let mut parts: Vec<_> = turns.clone().map(says).collect();
    for (at, _) in hoisted(target, frame, turns, says) {
        parts[at] = false;
    }
    Some((ones, parts))
}

/// Joins those side by side, of which the last one of each setting counts.
pub(super) fn join<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    let Some(rule) = updates::joins_of(target.id) else { return };
    let Some((ones, parts)) = found(draft.turns().map(|turn| &**turn), frame, target) else { return };
    let meet = |pair: &&[usize]| !parts[pair[0] + 1..pair[1]].contains(&true);
    let pairs: Vec<_> = ones.windows(2).filter(meet).map(|pair| (pair[0], pair[1])).collect();
    if pairs.is_empty() {
        return;
    }
    let as_it_came = |slot: &DraftTurn<H>| !slot.turn.touched && slot.turn.origin.is_some();
    let (mut gone, mut entries) = (Vec::new(), Vec::new());
    let slots = draft.slots();
    for (first, second) in pairs {
        let (before, slot) = (&slots[first], &slots[second]);
        if !rule.alone && as_it_came(before) && as_it_came(slot) && before.index + 1 == slot.index {
            continue;
        }
        let why = if rule.alone { SIDE_BY_SIDE } else { ONE_LEFT };
        let entry = Change::new(Edit::MergedTurn, before.index, before.path(), why);
        entries.push(entry.sized(size::turn(&before.turn), 0));
        gone.push(first);
        if let Some((old, new)) = updates::of(&before.turn).zip(updates::of(&slot.turn)) {
            let both = updates::joined(&old, &new);
            if !both.same(&new) {
                slots[second].turn = Arc::new(updates::with(&slot.turn, both));
            }
        }
    }
    let mut at = 0..;
    slots.retain(|_| at.next().is_none_or(|at| gone.binary_search(&at).is_err()));
    draft.receipt.changes.append(&mut entries);
}

/// Moves those before the user's first words behind them.
pub(super) fn place<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    if !updates::rule_of(target.id).is_some_and(|rule| rule.behind_user) {
        return;
    }
    let is_one = |turn: &Turn<H>| is_one(turn, target);
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
