//! Mends marks for the prompt cache: where they may be, how many there are, and how long they last.
//!
//! Of too many, the first ones are removed, because the caller set the last ones last. Marks in the frame stay longest,
//! because most requests share them.

mod lifetimes;
mod reasoning;

use std::sync::Arc;

use crate::{
    model::{Content, Frame, Kind, Part, Tool, Turn},
    report::{Change, Edit, Path, Step},
    rules::{DialectId, block_rule::without_key},
    stage::Draft,
    value::{Extras, Host, Input, Raw, Text, Value},
};

const WHY: &str = "the target accepts no more marks than these";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    reasoning::apply(draft, target);
    count_down(draft, target);
    lifetimes::apply(draft, target);
}

/// The key of marks in a format whose marks the target gets: its own, or another of the family, which is written as the
/// target's.
#[inline]
fn name_in(from: DialectId, target: DialectId) -> Option<&'static str> {
    let known = from.same_wire(target) || from.is_relative(target);
    from.keys().most.filter(|_| known).map(|(name, _)| name)
}

/// Removes as many marks as there are too many.
fn count_down<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some((_, most)) = target.keys().most else { return };
    let name = |from: DialectId| name_in(from, target);
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let around = name(frame.from).map_or(0, |name| count_around(&frame, name));
    let in_turn = |turn: &Turn<H>| {
        let name = name(turn.from)?;
        Some(turn.parts.iter().map(|part| count(part, name, turn.input.as_ref())).sum::<usize>())
    };
    let all = around + draft.turns().filter_map(|turn| in_turn(turn)).sum::<usize>();
    let mut over = all.saturating_sub(most);
    if over == 0 {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut() {
        let Some(name) = name(slot.turn.from) else { continue };
        let input = slot.turn.input.clone();
        let parts = slot.turn.parts.iter().enumerate();
        let marked: Vec<_> =
            parts.filter(|(_, part)| count(part, name, input.as_ref()) > 0).map(|(at, _)| at).collect();
        if over == 0 || marked.is_empty() {
            continue;
        }
        let mut new = slot.turn.touch();
        for at in marked {
            if over == 0 {
                break;
            }
            over = over.saturating_sub(take(&mut new.parts[at], name, input.as_ref()));
            entries.push(Change::new(Edit::ExtraMarks, slot.index, slot.path_of(at), WHY));
        }
        new.parts.retain(|part| !is_nothing(part, input.as_ref()));
        slot.turn = Arc::new(new);
    }
    if let Some(name) = name(frame.from).filter(|_| over > 0) {
        let mut new = frame.map(&mut Text::share, &mut Raw::share);
        take_around(&mut new, name, over, &mut entries);
        draft.frame = Some(Arc::new(new));
    }
    draft.receipt.changes.append(&mut entries);
}

/// Whether a part was nothing but a mark, which was removed.
fn is_nothing<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    matches!(part.kind, Kind::Opaque(_)) && is_empty(part.origin.as_ref(), input)
}

fn is_empty<H: Host>(origin: Option<&Raw<H>>, input: Option<&Input>) -> bool {
    let value = origin.and_then(|origin| origin.to_value(input).ok());
    matches!(value, Some(Value::Map(entries)) if entries.is_empty())
}

/// How many marks the frame has.
fn count_around<H: Host>(frame: &Frame<H>, name: &str) -> usize {
    let input = frame.input.as_ref();
    let system =
        frame.system.iter().flat_map(|system| &system.parts).map(|part| count(part, name, input)).sum::<usize>();
    system + frame.tools.iter().flatten().filter(|tool| is_marked(tool, name, input)).count()
}

/// Removes the first marks of the frame, as many as needed.
fn take_around<H: Host>(frame: &mut Frame<H>, name: &str, mut over: usize, entries: &mut Vec<Change>) {
    let input = frame.input.clone();
    let tools = frame.tools_path();
    for part in frame.system.iter_mut().flat_map(|system| &mut system.parts) {
        if over > 0 && count(part, name, input.as_ref()) > 0 {
            over -= take(part, name, input.as_ref()).min(over);
            entries.push(Change::new(Edit::ExtraMarks, 0, Path::default().at(part.place), WHY));
        }
    }
    if let Some(system) = frame.system.as_mut().filter(|_| !entries.is_empty()) {
        system.origin = None;
        system.parts.retain(|part| !is_nothing(part, input.as_ref()));
    }
    for (index, tool) in frame.tools.iter_mut().flatten().enumerate() {
        if over > 0 && is_marked(tool, name, input.as_ref()) {
            over -= 1;
            tool.origin = tool.origin.as_ref().and_then(|origin| without_key(origin, name, input.as_ref()));
            if let Some(extras) = &mut tool.extras {
                extras.retain(|(key, _)| !key.is(name, input.as_ref()));
            }
            frame.tools_origin = None;
            entries.push(Change::new(Edit::ExtraMarks, 0, tools.clone().then(Step::Index(index)), WHY));
        }
    }
    let marks = |tool: &Tool<H>| tool.by_provider && is_empty(tool.origin.as_ref(), input.as_ref());
    frame.tools.iter_mut().for_each(|tools| tools.retain(|tool| !marks(tool)));
}

fn is_marked<H: Host>(tool: &Tool<H>, name: &str, input: Option<&Input>) -> bool {
    has(tool.extras.as_deref(), name, input) || tool.by_provider && holds(tool.origin.as_ref(), name, input)
}

fn has<H: Host>(extras: Option<&Extras<H>>, name: &str, input: Option<&Input>) -> bool {
    let marks = |(key, value): &(Text<H>, Raw<H>)| key.is(name, input) && !value.says_nothing(input);
    extras.into_iter().flatten().any(marks)
}

/// Whether an opaque value has a mark.
fn holds<H: Host>(origin: Option<&Raw<H>>, name: &str, input: Option<&Input>) -> bool {
    let mark = |(key, value): &(Text<H>, Value<H>)| key.is(name, None) && !matches!(value, Value::Null);
    let value = origin.and_then(|origin| origin.to_value(input).ok());
    matches!(value, Some(Value::Map(entries)) if entries.iter().any(mark))
}

/// How many marks a part has, including those of a result's blocks.
fn count<H: Host>(part: &Part<H>, name: &str, input: Option<&Input>) -> usize {
    let inner = match &part.kind {
        Kind::Result(result) => match &result.content {
            Content::Blocks(blocks) => blocks.iter().map(|block| count(block, name, input)).sum(),
            Content::Absent | Content::Text(_) => 0,
        },
        Kind::Opaque(_) => usize::from(holds(part.origin.as_ref(), name, input)),
        _ => 0,
    };
    inner + usize::from(has(part.extras.as_deref(), name, input))
}

/// Removes all marks of a part, and returns how many there were.
fn take<H: Host>(part: &mut Part<H>, name: &str, input: Option<&Input>) -> usize {
    let mut taken = usize::from(has(part.extras.as_deref(), name, input));
    if let Some(extras) = &mut part.extras {
        extras.retain(|(key, _)| !key.is(name, input));
    }
    if matches!(part.kind, Kind::Opaque(_)) && holds(part.origin.as_ref(), name, input) {
        part.origin = part.origin.as_ref().and_then(|origin| without_key(origin, name, input));
        return taken + 1;
    }
    if let Kind::Result(result) = &mut part.kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        taken += blocks.iter_mut().map(|block| take(block, name, input)).sum::<usize>();
    }
    part.touched |= taken > 0;
    taken
}
