//! Step 2: removes assistant turns without content, and replaces lone surrogates.

use std::sync::Arc;

use super::draft::Draft;
use crate::{
    model::{
        Kind, Role, Turn,
        surrogate::{self, repair},
    },
    report::{Change, Edit, Path, sentence::HALF},
    value::Host,
};

/// `others`: whether the other keys of a body are written, too.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, others: bool) {
    if let Some((frame, places)) = repair::frame(&draft.given.frame, others) {
        draft.frame = Some(frame);
        for path in places {
            draft.report(Change::new(Edit::LoneSurrogate, 0, path, HALF));
        }
    }
    turns(draft);
}

/// Filters only the turns.
pub(super) fn turns<H: Host>(draft: &mut Draft<'_, H>) {
    if !draft.turns().any(|turn| is_empty(turn) || surrogate::in_turn(turn)) {
        return;
    }
    let mut entries = Vec::new();
    draft.slots().retain_mut(|slot| {
        if is_empty(&slot.turn) {
            let why = "an assistant turn without text and without calls";
            entries.push(Change::new(Edit::EmptyAssistant, slot.index, slot.path(), why));
            return false;
        }
        if surrogate::in_turn(&slot.turn) {
            let around = surrogate::in_entity(&slot.turn);
            let path = if around { Path::element(slot.turn.list, slot.index) } else { slot.path() };
            entries.push(Change::new(Edit::LoneSurrogate, slot.index, path, HALF));
            slot.turn = Arc::new(repair::turn(&slot.turn));
        }
        true
    });
    draft.receipt.changes.append(&mut entries);
}

/// Whether an assistant turn has neither text nor calls. Reasoning, media and parts that only its dialect knows count
/// as content.
#[inline]
pub(super) fn is_empty<H: Host>(turn: &Turn<H>) -> bool {
    turn.role == Role::Assistant
        && turn.parts.iter().all(|part| match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) => text.is_blank(turn.input.as_ref()),
            _ => false,
        })
}
