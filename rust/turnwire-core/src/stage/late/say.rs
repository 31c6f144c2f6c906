//! Writes results as text of the user, where they stand.

use std::sync::Arc;

use super::fate::{Becomes, Late};
use crate::{
    model::{Content, Kind, Part, Parts, Role, ToolResult, Turn},
    report::{Change, Edit, Place},
    stage::{Draft, DraftTurn, pair, size},
    value::{Host, Text},
};

/// Writes them, in the order of the list.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, late: &[Late]) {
    let given = draft.given.turns();
    let mut entries = Vec::new();
    let mut said_last = Vec::new();
    let mut gone = Vec::new();
    for in_turn in late.chunk_by(|one, next| one.place.0 == next.place.0) {
        let index = in_turn[0].place.0;
        let slots = draft.slots.get_or_insert_with(|| Draft::all(given));
        let Some(at) = slots.iter().position(|slot| slot.index == index && !slot.sources.is_empty()) else {
            continue;
        };
        let slot = &mut slots[at];
        let mut parts = Parts::new();
        // Nothing may be between a call and its result, so late ones are said behind the results that follow them.
        let mut last = Parts::new();
        for (place, part) in slot.turn.parts.iter().enumerate() {
            let late = in_turn.iter().find(|one| one.place.1 == place);
            let (Kind::Result(result), Some(late)) = (&part.kind, late) else {
                if !matches!(part.kind, Kind::Result(_)) && !pair::is_among_results(&slot.turn, part) {
                    parts.append(&mut last);
                }
                parts.push(part.share());
                continue;
            };
            let id = result.id.to_str(slot.turn.input.as_ref()).into_owned();
            let size = size::result(&slot.turn, result);
            let (code, why, left) = match late.becomes {
                Becomes::Text(why) => (Edit::LateResult, why, size),
                Becomes::Nothing => (Edit::DuplicateResult, "its call has another result", 0),
            };
            entries.push(Change::new(code, index, slot.path_of(place), why).of(id).sized(size, left));
            if code == Edit::LateResult {
                last.extend(said(&slot.turn, result, &late.name));
            }
        }
        if parts.is_empty() && !last.is_empty() {
            said_last.push(at);
        }
        parts.append(&mut last);
        if parts.is_empty() {
            gone.push(index);
        }
        let role = if slot.turn.role == Role::Tool { Role::User } else { slot.turn.role };
        slot.turn = Arc::new(Turn { role, ..slot.turn.touch_with(parts) });
    }
    // From last to first, so that the positions of earlier turns do not change.
    for at in said_last.into_iter().rev() {
        say_behind(draft.slots(), at);
    }
    draft.slots().retain(|slot| !(slot.turn.parts.is_empty() && gone.contains(&slot.index)));
    draft.receipt.changes.append(&mut entries);
}
/// Moves a turn behind the turns of results that follow it: these answer calls before it.
fn say_behind<H: Host>(slots: &mut [DraftTurn<H>], at: usize) {
    let answers = |slot: &DraftTurn<H>| {
        let mut parts = slot.turn.parts.iter();
        !slot.turn.parts.is_empty() && parts.all(|part| matches!(part.kind, Kind::Result(_)))
    };
    let count = slots[at + 1..].iter().take_while(|slot| answers(slot)).count();
    slots[at..=at + count].rotate_left(1);
}

/// A result as text, followed by its other content.
fn said<H: Host>(turn: &Turn<H>, result: &ToolResult<H>, name: &str) -> Parts<H> {
    let input = turn.input.as_ref();
    let id = if result.made_up_id || result.id.is_empty() {
        String::new()
    } else {
        format!(" ({})", result.id.to_str(input))
    };
    let head = format!("Late result of {name}{id}:");
    let text = |words: &str| Part { touched: true, ..Part::text(Text::own(words)) };
    match &result.content {
        Content::Absent => [text(&head)].into_iter().collect(),
        Content::Text(words) => [text(&format!("{head}\n{}", words.to_str(input)))].into_iter().collect(),
        Content::Blocks(blocks) => [text(&head)]
            .into_iter()
            // In a message, a target may have other rules for them than in a result.
            .chain(blocks.iter().map(|block| Part {
                origin: None,
                place: Place::default(),
                touched: true,
                ..block.share()
            }))
            .collect(),
    }
}
