//! Keeps the ids of reasoning and of the message that it led to together: both have one, or none has.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Role, Turn},
    report::{Change, Edit},
    rules::{Target, block_rule::without_key},
    stage::{
        Draft,
        pair::{has_id, is_reasoning_alone},
    },
    value::Host,
    wire::write::says::is_written,
};

const NO_ID: &str = "the message after it has no id, so the target would not find it by this one";
const NO_THOUGHT_ID: &str = "its id would ask for reasoning with an id";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let Some(key) = target.limits.binds_reasoning else { return };
    let (nameless, messages) = parted(&draft.turns().map(|turn| &**turn).collect::<Vec<_>>(), target);
    if nameless.is_empty() && messages.is_empty() {
        return;
    }
    let mut entries = Vec::new();
    let mut gone = Vec::new();
    let slots = draft.slots();
    for at in nameless {
        let slot = &mut slots[at];
        let mut new = slot.turn.touch();
        // What only the server holds is known by its id alone.
        let code = if new.parts.iter().all(|part| part.signed) { Edit::Reshaped } else { Edit::LoneReasoning };
        entries.push(Change::new(code, slot.index, slot.path(), NO_ID));
        if code == Edit::LoneReasoning {
            gone.push(at);
            continue;
        }
        let input = slot.turn.input.as_ref();
        for part in &mut new.parts {
            part.origin = part.origin.as_ref().and_then(|origin| without_key(origin, key, input));
        }
        slot.turn = Arc::new(new);
    }
    for at in messages {
        let slot = &mut slots[at];
        let mut new = slot.turn.touch();
        new.id = None;
        new.parts.iter_mut().for_each(|part| part.touched = matches!(part.kind, Kind::Text(_)) || part.touched);
        entries.push(Change::new(Edit::Reshaped, slot.index, slot.path(), NO_THOUGHT_ID));
        slot.turn = Arc::new(new);
    }
    let mut at = 0..;
    slots.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    draft.receipt.changes.append(&mut entries);
}

/// The turns of reasoning whose id has to go, and the messages whose id has to.
fn parted<H: Host>(turns: &[&Turn<H>], target: &Target<'_>) -> (Vec<usize>, Vec<usize>) {
    let (mut nameless, mut messages) = (Vec::new(), Vec::new());
    let mut thoughts: Vec<usize> = Vec::new();
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| is_written(turn, target)) {
        if turn.from.same_wire(target.id) && is_reasoning_alone(turn) {
            thoughts.push(at);
            continue;
        }
        let thoughts = std::mem::take(&mut thoughts);
        if thoughts.is_empty() || !is_message(turn) {
            continue;
        }
        let own = turn.from.same_wire(target.id);
        let named: Vec<_> = thoughts.iter().copied().filter(|at| has_id(turns[*at])).collect();
        let has_id = own && turn.id.is_some();
        if has_id && named.len() < thoughts.len() {
            messages.push(at);
        }
        if !has_id || named.len() < thoughts.len() {
            nameless.extend(named);
        }
    }
    (nameless, messages)
}

/// Whether what is written first of a turn is a message of the assistant.
fn is_message<H: Host>(turn: &Turn<H>) -> bool {
    let thinks = |part: &&Part<H>| matches!(part.kind, Kind::Reasoning(_));
    turn.role == Role::Assistant
        && turn
            .parts
            .iter()
            .find(|part| !thinks(part))
            .is_none_or(|part| matches!(part.kind, Kind::Text(_) | Kind::Refusal(_) | Kind::Json(_)))
}
