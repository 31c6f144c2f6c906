//! The key that asks the model to continue the assistant's last turn. No other turn may have it.

use crate::{
    model::{Role, Turn},
    report::{Change, Edit},
    rules::{DialectId, LastWord, Target},
    stage::Draft,
    value::{Host, Value},
    wire::write::says::is_written,
};
use std::sync::Arc;

/// Whether a turn of the target's own format has the key with the value true.
pub(in crate::stage) fn is_marked<H: Host>(turn: &Turn<H>, name: &str, target: DialectId) -> bool {
    let input = turn.input.as_ref();
    let mut extras = turn.extras.iter().flat_map(|extras| extras.iter());
    turn.from.same_wire(target)
        && extras.any(|(key, value)| key.is(name, input) && matches!(value.to_value(input), Ok(Value::Bool(true))))
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let LastWord::Marked(name) = target.limits.ends_with_assistant else { return };
    let turns: Vec<_> = draft.turns().collect();
    let last = turns.iter().rposition(|turn| !turn.role.is_system() && is_written(turn, target));
    let may = |at: usize, turn: &Turn<H>| Some(at) == last && turn.role == Role::Assistant;
    let marked = turns.iter().enumerate().filter(|(at, turn)| is_marked(turn, name, target.id) && !may(*at, turn));
    let marked: Vec<_> = marked.map(|(at, _)| at).collect();
    if marked.is_empty() {
        return;
    }
    let mut entries = Vec::new();
    let slots = draft.slots();
    for at in marked {
        let slot = &mut slots[at];
        let mut new = slot.turn.touch();
        let input = slot.turn.input.as_ref();
        if let Some(extras) = &mut new.extras {
            extras.retain(|(key, _)| !key.is(name, input));
        }
        let why = "the target continues only the assistant's last turn";
        entries.push(Change::new(Edit::Reshaped, slot.index, slot.path(), why));
        slot.turn = Arc::new(new);
    }
    draft.receipt.changes.append(&mut entries);
}
