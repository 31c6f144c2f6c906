//! Leaves out details of reasoning that an earlier message has, by their id: the server behind a gateway takes each item once.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Turn},
    pairing::links::ran,
    report::{Change, Edit},
    rules::{
        Limits, Target,
        carrier::{Holds, Maker},
        details,
    },
    stage::Draft,
    value::{HashSet, Host, Input, Raw, Value},
    wire::plan::carried::has_details,
};

const SAID_BEFORE: &str = "an earlier message has the item with this id";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    if !has_details(target) {
        return;
    }
    let mut seen = HashSet::default();
    let mut repeated = Vec::new();
    for (at, turn) in draft.turns().enumerate() {
        let ids = turn.parts.iter().flat_map(|part| ids(turn, part)).collect::<HashSet<_>>();
        repeated.extend((!ids.is_disjoint(&seen)).then(|| (at, ids.intersection(&seen).cloned().collect())));
        seen.extend(ids);
    }
    if repeated.is_empty() {
        return;
    }
    let (mut entries, slots) = (Vec::new(), draft.slots());
    for (at, gone) in &repeated {
        let slot = &mut slots[*at];
        let mut new = slot.turn.touch();
        for (place, part) in new.parts.iter_mut().enumerate().filter(|(_, part)| !ids(&slot.turn, part).is_empty()) {
            part.origin = left(&slot.turn, part, gone);
            entries.push(Change::new(Edit::RepeatedItem, slot.index, slot.path_of(place), SAID_BEFORE));
        }
        new.parts.retain(|part| !matches!(part.kind, Kind::Reasoning(_)) || part.origin.is_some());
        slot.turn = Arc::new(new);
    }
    let empty = |at: usize| repeated.iter().any(|(turn, _)| *turn == at);
    let mut at = 0..;
    slots.retain(|slot| !(at.next().is_some_and(empty) && slot.turn.parts.is_empty()));
    draft.receipt.changes.append(&mut entries);
}

/// The ids of the items in a part that its maker's server knows by them.
fn ids<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Vec<String> {
    let input = turn.input.as_ref();
    match (&part.kind, turn.from.facts.carriers.holds(part.place.key)) {
        (Kind::Reasoning(_), Some(holds)) => {
            list(part, input).iter().flat_map(|list| list.iter().filter_map(|piece| id_in(holds, piece))).collect()
        }
        (Kind::Reasoning(_), None) if turn.from.limits().is_ok_and(Limits::has_items) => {
            ran::id_of(part, input).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn list<H: Host>(part: &Part<H>, input: Option<&Input>) -> Option<Arc<[Value<H>]>> {
    match part.origin.as_ref()?.to_value(input) {
        Ok(Value::List(items)) => Some(items.iter().map(Value::share).collect()),
        _ => None,
    }
}

/// The id of the item that a piece is, or is a part of.
fn id_in<H: Host>(holds: Holds, piece: &Value<H>) -> Option<String> {
    match holds {
        Holds::Details => details::item_id(piece),
        Holds::Blocks(Maker::OpenAi) => details::text(piece, "id").map(|id| id.to_str(None).into_owned()),
        Holds::Blocks(_) => None,
    }
}

/// What is left of a part without these items. `None` if nothing is.
fn left<H: Host>(turn: &Turn<H>, part: &Part<H>, gone: &HashSet<String>) -> Option<Raw<H>> {
    let list = list(part, turn.input.as_ref())?;
    let holds = turn.from.facts.carriers.holds(part.place.key)?;
    let stays = |piece: &&Value<H>| id_in(holds, piece).is_none_or(|id| !gone.contains(&id));
    let kept: Vec<_> = list.iter().filter(stays).map(Value::share).collect();
    (!kept.is_empty()).then(|| Raw::Tree(Value::List(kept.into())))
}
