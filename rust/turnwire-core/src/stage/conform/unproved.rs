//! Gives thoughts that lie in the blocks of a gateway without a signature to a target that reads thoughts under a key of its own.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Reasoning, Role, Turn},
    report::{Change, Edit, Place, Severity},
    rules::Target,
    stage::Draft,
    value::Host,
    wire::plan::{carried, decide::Scope},
};

const UNDER_KEY: &str = "the target reads thoughts without a signature under a key of its own";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let lies = |turn: &Turn<H>| {
        let is_one = |part: &Part<H>| carried::unproved(target, Scope::of(turn), part).is_some();
        let says = |part: &Part<H>| matches!(&part.kind, Kind::Reasoning(Reasoning { text: Some(_) }));
        let own = turn.role == Role::Assistant && turn.from.same_wire(target.id);
        let at = turn.parts.iter().position(is_one).filter(|_| own)?;
        (!turn.parts.iter().any(says)).then_some(at)
    };
    if !draft.turns().any(|turn| lies(turn).is_some()) {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots() {
        let Some(at) = lies(&slot.turn) else { continue };
        let Some((key, text)) = carried::unproved(target, Scope::of(&slot.turn), &slot.turn.parts[at]) else {
            continue;
        };
        let entry = Change::new(Edit::Reasoning, slot.index, slot.path_of(at), UNDER_KEY).graded(Severity::Warning);
        entries.push(Change { kind: Edit::Reasoning.kind_changed(), ..entry });
        let mut new = slot.turn.touch();
        let place = Place::key(key);
        new.parts[at] = Part { touched: true, place, ..Part::new(Kind::Reasoning(Reasoning { text: Some(text) })) };
        slot.turn = Arc::new(new);
    }
    draft.receipt.changes.append(&mut entries);
}
