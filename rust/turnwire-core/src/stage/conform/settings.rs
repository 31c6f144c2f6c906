//! Joins changes of settings that stand side by side in the list, where the target refuses that. The last one of each counts.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Turn},
    report::{Change, Edit},
    rules::{DialectId, value_rule::member},
    stage::{Draft, DraftTurn, size},
    value::{Host, Raw, Text, Value},
};

const SIDE_BY_SIDE: &str = "the target refuses two changes of settings side by side";

pub(super) fn join<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let kind = target.facts.update;
    let is_one = |turn: &Turn<H>| turn.from.same_wire(target) && is_update(turn, kind);
    let (mut last, mut meets) = (false, false);
    for turn in draft.turns() {
        let now = is_one(turn);
        meets |= last && now;
        last = now;
    }
    if kind.is_empty() || !meets {
        return;
    }
    let mut entries = Vec::new();
    let mut left: Vec<DraftTurn<H>> = Vec::with_capacity(draft.slots().len());
    for mut slot in std::mem::take(draft.slots()) {
        if let Some(before) = left.pop_if(|before| is_one(&before.turn) && is_one(&slot.turn)) {
            let sizes = (size::turn(&before.turn), 0);
            let entry = Change::new(Edit::MergedTurn, before.index, before.path(), SIDE_BY_SIDE);
            entries.push(entry.sized(sizes.0, sizes.1));
            if let Some(joined) = joined(&before.turn, &slot.turn) {
                slot.turn = Arc::new(joined);
            }
        }
        left.push(slot);
    }
    *draft.slots() = left;
    draft.receipt.changes.append(&mut entries);
}

fn is_update<H: Host>(turn: &Turn<H>, kind: &str) -> bool {
    matches!(turn.parts.as_slice(), [Part { kind: Kind::Opaque(name), .. }] if name.is(kind, turn.input.as_ref()))
}

/// The second change, with the settings that only the first one has. `None` if it has all of them.
fn joined<H: Host>(first: &Turn<H>, second: &Turn<H>) -> Option<Turn<H>> {
    let value = |turn: &Turn<H>| turn.parts.first()?.origin.as_ref()?.to_value(turn.input.as_ref()).ok();
    let (Value::Map(old), Value::Map(new)) = (value(first)?, value(second)?) else { return None };
    let mut entries: Vec<_> = new.iter().map(|(key, value)| (key.share(), value.share())).collect();
    let mut changed = false;
    for (key, was) in old.iter().filter(|(key, _)| !key.is("id", None)) {
        let Some((_, now)) = entries.iter_mut().find(|(known, _)| known.same(key)) else {
            entries.push((key.share(), was.share()));
            changed = true;
            continue;
        };
        if let (Value::Map(was), Value::Map(given)) = (was, &*now) {
            let kept: Vec<_> = was.iter().filter(|(key, _)| member(given, &key.to_str(None)).is_none()).collect();
            if !kept.is_empty() {
                let all =
                    given.iter().chain(kept).map(|(key, value): &(Text<H>, Value<H>)| (key.share(), value.share()));
                *now = Value::Map(all.collect());
                changed = true;
            }
        }
    }
    changed.then(|| {
        let mut turn = second.touch();
        if let Some(part) = turn.parts.first_mut() {
            part.origin = Some(Raw::Tree(Value::Map(entries.into())));
        }
        turn
    })
}
