//! A key that may stand so many times in a whole payload: the first ones go, because the last ones are what the caller set last.

use std::sync::Arc;

use crate::{
    dialect::DialectId,
    handle::{Host, Input, Raw, Text},
    part::{Extras, Kind, Part},
    receipt::{Change, Entry},
    stage::Draft,
    tool::Content,
    turn::Turn,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some((name, most)) = target.keys().most else { return };
    let own = |turn: &Turn<H>| turn.from.same_wire(target);
    let count_in = |part: &Part<H>, input: Option<&Input>| count(part, name, input);
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let around = if frame.from.same_wire(target) {
        let input = frame.input.as_ref();
        let system =
            frame.system.iter().flat_map(|system| &system.parts).map(|part| count_in(part, input)).sum::<usize>();
        let tools = frame.tools.iter().flatten().filter(|tool| has(tool.extras.as_deref(), name, input)).count();
        system + tools
    } else {
        0
    };
    let in_turn = |turn: &Turn<H>| turn.parts.iter().map(|part| count_in(part, turn.input.as_ref())).sum::<usize>();
    let all = around + draft.turns().filter(|turn| own(turn)).map(|turn| in_turn(turn)).sum::<usize>();
    let mut over = all.saturating_sub(most);
    if over == 0 {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut().filter(|slot| own(&slot.turn)) {
        let input = slot.turn.input.clone();
        let parts = slot.turn.parts.iter().enumerate();
        let marked: Vec<_> = parts.filter(|(_, part)| count_in(part, input.as_ref()) > 0).map(|(at, _)| at).collect();
        if over == 0 || marked.is_empty() {
            continue;
        }
        let mut new = slot.turn.touch();
        for at in marked {
            if over == 0 {
                break;
            }
            over = over.saturating_sub(take(&mut new.parts[at], name, input.as_ref()));
            let why = "the target takes no more marks than these";
            entries.push(Entry::new(Change::ExtraMarks, slot.index, slot.path_of(at), why));
        }
        slot.turn = Arc::new(new);
    }
    draft.receipt.entries.append(&mut entries);
}

fn has<H: Host>(extras: Option<&Extras<H>>, name: &str, input: Option<&Input>) -> bool {
    let marks = |(key, value): &(Text<H>, Raw<H>)| key.is(name, input) && !value.says_nothing(input);
    extras.into_iter().flatten().any(marks)
}

/// How many marks a part holds, those of a result's blocks included.
fn count<H: Host>(part: &Part<H>, name: &str, input: Option<&Input>) -> usize {
    let inner = match &part.kind {
        Kind::Result(result) => match &result.content {
            Content::Blocks(blocks) => blocks.iter().map(|block| count(block, name, input)).sum(),
            Content::Absent | Content::Text(_) => 0,
        },
        _ => 0,
    };
    inner + usize::from(has(part.extras.as_deref(), name, input))
}

/// Takes all marks of a part, and says how many they were.
fn take<H: Host>(part: &mut Part<H>, name: &str, input: Option<&Input>) -> usize {
    let mut taken = usize::from(has(part.extras.as_deref(), name, input));
    if let Some(extras) = &mut part.extras {
        extras.retain(|(key, _)| !key.is(name, input));
    }
    if let Kind::Result(result) = &mut part.kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        taken += blocks.iter_mut().map(|block| take(block, name, input)).sum::<usize>();
    }
    part.touched |= taken > 0;
    taken
}
