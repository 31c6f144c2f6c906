//! Splits turns that hold calls or results of the wrong role: each run of them becomes a turn of the assistant or of
//! the user.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Role, Turn},
    report::{Change, Edit, sentence},
    stage::DraftTurn,
    value::Host,
};

pub(super) fn apply<H: Host>(slots: &mut Vec<DraftTurn<H>>) -> Vec<Change> {
    let mut entries = Vec::new();
    if !slots.iter().any(|slot| is_mixed(&slot.turn)) {
        return entries;
    }
    let mut out = Vec::with_capacity(slots.len() + 2);
    for slot in slots.drain(..) {
        if !is_mixed(&slot.turn) {
            out.push(slot);
            continue;
        }
        let moved = slot.turn.parts.iter().enumerate().filter(|(_, part)| gives_to(&slot.turn, part).is_some());
        for (part, moved) in moved {
            let (change, id, why) = match &moved.kind {
                Kind::Call(call) => (Edit::MovedCall, &call.id, sentence::ONLY_ASSISTANT_CALLS),
                Kind::Result(result) => (Edit::MovedResult, &result.id, "no result is system text"),
                _ => continue,
            };
            let id = id.to_str(slot.turn.input.as_ref()).into_owned();
            entries.push(Change::new(change, slot.index, slot.path_of(part), why).of(id));
        }
        let DraftTurn { index, sources, .. } = &slot;
        let made =
            pieces(&slot.turn).map(|turn| DraftTurn { turn: Arc::new(turn), index: *index, sources: sources.clone() });
        out.extend(made);
    }
    *slots = out;
    entries
}

fn is_mixed<H: Host>(turn: &Turn<H>) -> bool {
    turn.role != Role::Assistant && turn.parts.iter().any(|part| gives_to(turn, part).is_some())
}

/// The role that a part needs, if its turn has another one.
fn gives_to<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<Role> {
    match part.kind {
        Kind::Call(_) => Some(Role::Assistant),
        Kind::Result(_) if turn.role.is_system() => Some(Role::User),
        _ => None,
    }
}

/// Splits a turn into pieces. Its other keys stay with the first piece.
fn pieces<H: Host>(turn: &Turn<H>) -> impl Iterator<Item = Turn<H>> {
    let runs = turn.parts.chunk_by(|a, b| gives_to(turn, a) == gives_to(turn, b));
    runs.enumerate().map(|(at, run)| {
        let mut piece = turn.touch_with(run.iter().map(Part::share).collect());
        piece.role = gives_to(turn, &run[0]).unwrap_or(turn.role);
        if at > 0 {
            (piece.id, piece.extras) = (None, None);
        }
        piece
    })
}
