//! Keeps the ids of reasoning and of the items that it led to together: both have one, or none has.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Role, Tie, Turn},
    pairing::bond::{Follower, follower, without_id},
    report::{Change, Edit},
    rules::{Target, block_rule::without_key},
    stage::{
        Draft,
        pair::{has_id, is_reasoning_alone},
        size,
    },
    value::Host,
    wire::write::says::is_written,
};

const NO_ID: &str = "the message after it has no id, so the target would not find it by this one";
const NO_THOUGHT_ID: &str = "its id would ask for reasoning with an id: the id is left out";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let Some(key) = target.limits.binds_reasoning else { return };
    let (nameless, followers) = parted(&draft.turns().map(|turn| &**turn).collect::<Vec<_>>(), target);
    if nameless.is_empty() && followers.is_empty() {
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
    for (at, becomes) in followers {
        let slot = &mut slots[at];
        match becomes {
            Follower::LosesId => {
                entries.push(Change::new(Edit::Reshaped, slot.index, slot.path(), NO_THOUGHT_ID));
                slot.turn = Arc::new(without_id(&slot.turn));
            }
            Follower::Goes => {
                let size = size::turn(&slot.turn);
                entries.push(Change::new(Edit::Reasoning, slot.index, slot.path(), becomes.why()).sized(size, 0));
                gone.push(at);
            }
        }
    }
    gone.sort_unstable();
    let mut at = 0..;
    slots.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
    draft.receipt.changes.append(&mut entries);
}

/// The turns of reasoning whose id has to go, and the items that they led to of which the same is true.
fn parted<H: Host>(turns: &[&Turn<H>], target: &Target<'_>) -> (Vec<usize>, Vec<(usize, Follower)>) {
    let (mut nameless, mut followers) = (Vec::new(), Vec::new());
    let mut response = Response::default();
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| is_written(turn, target)) {
        let own = turn.from.same_wire(target.id);
        if own && is_reasoning_alone(turn) {
            if response.led {
                response = Response::default();
            }
            response.thoughts.push(at);
            continue;
        }
        if turn.role != Role::Assistant || turn.tie == Tie::GivesBack {
            response = Response::default();
            continue;
        }
        if response.thoughts.is_empty() {
            continue;
        }
        if !std::mem::replace(&mut response.led, true) {
            let named: Vec<_> = response.thoughts.iter().copied().filter(|at| has_id(turns[*at])).collect();
            let is_nameless = is_message(turn) && !(own && turn.id.is_some());
            response.is_nameless = is_nameless || named.len() < response.thoughts.len();
            if response.is_nameless {
                nameless.extend(named);
            }
        }
        if response.is_nameless && own {
            followers.extend(follower(turn).map(|becomes| (at, becomes)));
        }
    }
    (nameless, followers)
}

/// Reasoning, and what it led to.
#[derive(Default)]
struct Response {
    thoughts: Vec<usize>,
    /// Whether an item that it led to has followed.
    led: bool,
    /// Whether no id of it may stay.
    is_nameless: bool,
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
