//! Has bytes in the target's own format written in the form that its client takes: bytes, or base64 text. It is the same
//! content in both, so no change is told.

use std::sync::Arc;

use crate::{rules::Target, stage::Draft, value::Host, wire::plan::has_other_blobs};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    if !target.options.own_blobs || !target.id.facts.blobs {
        return;
    }
    for slot in draft.slots() {
        let input = slot.turn.input.as_ref();
        let mut parts = slot.turn.parts.iter();
        if slot.turn.from.same_wire(target.id) && parts.any(|part| has_other_blobs(target, part, input)) {
            slot.turn = Arc::new(slot.turn.touch());
        }
    }
}
