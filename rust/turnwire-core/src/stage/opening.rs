//! Step 5: adds the caller's opening, a text of the user, before an assistant turn that comes first, if the target
//! requires the user to begin, or before all turns, if it requires a message of the user's and there is none.

use super::{
    compaction,
    draft::{Draft, DraftTurn},
    policy::Policy,
};
use crate::{
    model::{Part, Role, Turn, surrogate::repair},
    report::{Change, Edit, sentence::HALF},
    value::{Host, Text},
    wire::{
        plan::{
            judge,
            seats::{First, lacks_user, may_begin},
        },
        write::says::is_written,
    },
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy, opening: Option<&Text<H>>) {
    let opening = opening.filter(|opening| !opening.is_blank(None));
    let (Some(opening), Some(limits)) = (opening, rules.limits) else { return };
    let lacks_user = rules.written_for().is_some_and(|target| lacks_user(&target, draft.turns().map(|turn| &**turn)));
    // Turns that are not written, or that the target would refuse as blank, do not count as the beginning.
    let says = |turn: &Turn<H>| {
        rules.written_for().is_none_or(|target| is_written(turn, &target)) && !judge::refuses_blank_turn(limits, turn)
    };
    let spoken = draft.turns().enumerate().filter(|(_, turn)| !turn.role.is_system() && says(turn)).take(2);
    let spoken: Vec<_> = spoken.collect();
    let unasked = |at: usize, turn: &Turn<H>| {
        lacks_user
            || !compaction::begins(turn, rules) && !may_begin(limits, first(draft, rules, (at, turn), spoken.len() < 2))
    };
    let (at, path) = match spoken.first().copied() {
        Some((at, turn)) if unasked(at, turn) => (at, draft.path(at)),
        // There is only system text.
        None if lacks_user && draft.turns().len() > 0 => (draft.turns().len(), draft.path(draft.turns().len() - 1)),
        _ => return,
    };
    let words = repair::text(opening, None);
    let bytes = words.utf8_len(None);
    let turn = Turn::new(Role::User, [Part::text(words)]);
    let slots = draft.slots();
    let index = slots.get(at).map_or(at, |slot| slot.index);
    slots.insert(at, DraftTurn::made(turn, index));
    if opening.has_lone_surrogate() {
        draft.report(Change::new(Edit::LoneSurrogate, index, path.clone(), HALF));
    }
    draft.report(Change::new(Edit::OpeningAdded, index, path, "the user's opening words").sized(0, bytes));
}

/// What the target's rule about the first turn asks of this one.
pub(super) fn first<H: Host>(
    draft: &Draft<'_, H>,
    rules: &Policy,
    (at, turn): (usize, &Turn<H>),
    is_last: bool,
) -> First {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    let beside = frame.system.as_ref().is_some_and(|system| !system.parts.is_empty());
    let is_written = |turn: &Turn<H>| rules.written_for().is_none_or(|target| is_written(turn, &target));
    let instructs = |turn: &Turn<H>| turn.role.is_system() && !turn.parts.is_empty() && is_written(turn);
    let instructed = beside || draft.turns().take(at).any(|turn| instructs(turn));
    First { role: turn.speaker(), calls: turn.calls().next().is_some(), is_last, instructed }
}
