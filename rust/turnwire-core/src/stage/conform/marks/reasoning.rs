//! Removes marks from reasoning of the target's own format, if the target refuses them there. The reasoning itself stays.

use std::sync::Arc;

use super::{has, is_mark, unmarked};
use crate::{
    model::{Kind, Part, Turn},
    report::{Change, Edit},
    rules::DialectId,
    stage::Draft,
    value::Host,
};

const WHY: &str = "the target refuses a cache mark on reasoning";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let forms = target.facts.marks.reads;
    if target.facts.cache.is_none_or(|rule| rule.on_reasoning) {
        return;
    }
    let marked = |turn: &Turn<H>, part: &Part<H>| {
        matches!(part.kind, Kind::Reasoning(_)) && has(part.extras.as_deref(), forms, turn.input.as_ref())
    };
    let in_turn = |turn: &Turn<H>| turn.from.same_wire(target) && turn.parts.iter().any(|part| marked(turn, part));
    if !draft.turns().any(|turn| in_turn(turn)) {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut().filter(|slot| in_turn(&slot.turn)) {
        let input = slot.turn.input.as_ref();
        let mut new = slot.turn.touch();
        for (at, part) in new.parts.iter_mut().enumerate().filter(|(_, part)| marked(&slot.turn, part)) {
            // The block is not rewritten, because its signature holds only for the block as it came.
            part.origin = part.origin.as_ref().and_then(|origin| unmarked(origin, forms, input));
            if let Some(extras) = &mut part.extras {
                extras.retain(|(key, _)| !is_mark(key, forms, input));
            }
            part.extras = part.extras.take().filter(|extras| !extras.is_empty());
            entries.push(Change::new(Edit::Reshaped, slot.index, slot.path_of(at), WHY));
        }
        slot.turn = Arc::new(new);
    }
    draft.receipt.changes.append(&mut entries);
}
