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
            seats::{lacks_user, may_begin},
        },
        write::says::is_written,
    },
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy, opening: Option<&Text<H>>) {
    let begins = rules.limits.is_none_or(|limits| may_begin(limits, Role::Assistant));
    let lacks_user = rules.written_for().is_some_and(|target| lacks_user(&target, draft.turns().map(|turn| &**turn)));
    let Some(opening) = opening.filter(|opening| (!begins || lacks_user) && !opening.is_blank(None)) else { return };
    // Turns that are not written, or that the target would refuse as blank, do not count as the beginning.
    let says = |turn: &Turn<H>| {
        rules.written_for().is_none_or(|target| is_written(turn, &target))
            && !rules.limits.is_some_and(|limits| judge::refuses_blank_turn(limits, turn))
    };
    let first = draft.turns().enumerate().find(|(_, turn)| !turn.role.is_system() && says(turn));
    let unasked = |turn: &Turn<H>| lacks_user || turn.speaker() == Role::Assistant && !compaction::begins(turn, rules);
    let (at, path) = match first {
        Some((at, turn)) if unasked(turn) => (at, draft.path(at)),
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
