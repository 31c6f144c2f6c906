//! Calls in turns that are not the assistant's: each run of them becomes a turn of the assistant.

use std::sync::Arc;

use crate::{
    handle::Host,
    part::{Kind, Part},
    receipt::{Change, Entry},
    stage::Slot,
    turn::{Role, Turn},
};

pub(super) fn apply<H: Host>(slots: &mut Vec<Slot<H>>) -> Vec<Entry> {
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
        for (part, one) in slot.turn.parts.iter().enumerate() {
            if let Kind::Call(call) = &one.kind {
                let why = "nobody but the assistant calls tools";
                let id = call.id.to_str(slot.turn.input.as_ref()).into_owned();
                entries.push(Entry::new(Change::MovedCall, slot.index, slot.path_of(part), why).of(id));
            }
        }
        let Slot { index, sources, .. } = &slot;
        let made =
            pieces(&slot.turn).map(|turn| Slot { turn: Arc::new(turn), index: *index, sources: sources.clone() });
        out.extend(made);
    }
    *slots = out;
    entries
}

fn is_mixed<H: Host>(turn: &Turn<H>) -> bool {
    turn.role != Role::Assistant && turn.calls().next().is_some()
}

fn is_call<H: Host>(part: &Part<H>) -> bool {
    matches!(part.kind, Kind::Call(_))
}

/// The turn in pieces; what it holds beside its parts stays with the first.
fn pieces<H: Host>(turn: &Turn<H>) -> impl Iterator<Item = Turn<H>> {
    let runs = turn.parts.chunk_by(|a, b| is_call(a) == is_call(b));
    runs.enumerate().map(|(at, run)| {
        let mut piece = turn.touch_with(run.iter().map(Part::share).collect());
        if run.iter().any(is_call) {
            piece.role = Role::Assistant;
        }
        if at > 0 {
            (piece.id, piece.extras) = (None, None);
        }
        piece
    })
}
