//! Finds lone surrogates: halves of characters that strings of some hosts can hold and UTF-8 cannot.

pub(crate) mod repair;

use std::ops::RangeInclusive;

use super::{
    conversation::{Frame, View},
    entity::Entity,
    part::{Kind, Part},
    tool::{Args, Call, Content, Tool},
    turn::Turn,
};
use crate::{
    report::Path,
    value::{Extras, Host, Input, Raw, Text, Value, json::escape::lone},
};

/// Whether a text of the turn has one. Ids are not checked, as they pair calls and results.
pub(crate) fn in_turn<H: Host>(turn: &Turn<H>) -> bool {
    let input = turn.input.as_ref();
    if turn.id.as_ref().is_some_and(Text::has_lone_surrogate) || in_entity(turn) {
        return true;
    }
    turn.parts.iter().any(|part| in_part(part, input)) || in_extras(turn.extras.as_deref(), input)
}

/// Whether the entity has one outside of its message.
#[inline]
pub(crate) fn in_entity<H: Host>(turn: &Turn<H>) -> bool {
    let input = turn.input.as_ref();
    let beside = |entity: &Entity<H>| {
        entity.raw_id.as_ref().is_some_and(|id| in_raw(id, input)) || in_extras(entity.extras.as_deref(), input)
    };
    turn.entity.as_deref().is_some_and(beside)
}

pub(crate) fn in_extras<H: Host>(extras: Option<&Extras<H>>, input: Option<&Input>) -> bool {
    extras.into_iter().flatten().any(|(key, value)| key.has_lone_surrogate() || in_raw(value, input))
}

pub(crate) fn in_part<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    let has = |text: &Text<H>| text.has_lone_surrogate();
    let args = |call: &Call<H>| match &call.args {
        Args::Text(text) => has(text) || !call.custom && is_escaped(&text.wtf8(input)),
        Args::Value(value) => in_raw(value, input),
    };
    let said = match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => has(text),
        Kind::Json(value) => in_raw(value, input),
        // Its wire value goes back as a whole, unless the part is rewritten.
        Kind::Reasoning(thought) => {
            let whole = part.origin.as_ref().filter(|_| !part.touched);
            thought.text.as_ref().is_some_and(has) || whole.is_some_and(|origin| in_raw(origin, input))
        }
        Kind::Media(media) => {
            media.data.text().is_some_and(has) || [&media.mime, &media.name].into_iter().flatten().any(has)
        }
        Kind::Call(call) => has(&call.name) || args(call),
        Kind::Result(result) => {
            result.name.as_deref().is_some_and(has)
                || match &result.content {
                    Content::Absent => false,
                    Content::Text(text) => has(text),
                    Content::Blocks(blocks) => blocks.iter().any(|block| in_part(block, input)),
                }
        }
        // An opaque part has nothing but its wire value.
        Kind::Opaque(_) => part.origin.as_ref().is_some_and(|origin| in_raw(origin, input)),
    };
    said || in_extras(part.extras.as_deref(), input)
        || part.inner.as_ref().is_some_and(|inner| in_extras(Some(&inner.extras), input))
}

fn in_tool<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> bool {
    // The wire value contains everything else.
    if let Some(origin) = &tool.origin {
        return in_raw(origin, input);
    }
    tool.name.has_lone_surrogate()
        || tool.description.as_ref().is_some_and(Text::has_lone_surrogate)
        || tool.schema.as_ref().is_some_and(|schema| in_raw(schema, input))
        || in_extras(tool.extras.as_deref(), input)
}

pub(crate) fn in_raw<H: Host>(raw: &Raw<H>, input: Option<&Input>) -> bool {
    match raw {
        Raw::Tree(value) => in_value(value),
        Raw::Span(span) => input.is_some_and(|input| is_escaped(input.at(*span))),
        Raw::Own(text) => is_escaped(text.as_bytes()),
        Raw::Loan(_) => raw.to_value(input).is_ok_and(|value| in_value(&value)),
    }
}

/// Whether JSON text has one, escaped or not.
pub(crate) fn in_json(wtf8: &[u8]) -> bool {
    is_escaped(wtf8) || halves(wtf8) > 0
}

/// The number of lone surrogates in WTF-8 text.
pub(crate) fn halves(wtf8: &[u8]) -> usize {
    wtf8.windows(2).filter(|pair| pair[0] == 0xED && pair[1] >= 0xA0).count()
}

/// Whether JSON text has an escape of a surrogate without its partner, which is the only way to write one.
fn is_escaped(json: &[u8]) -> bool {
    lone::next(json, 0).is_some()
}

fn in_value<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Text(text) => text.has_lone_surrogate(),
        Value::List(items) => items.iter().any(in_value),
        Value::Map(entries) => entries.iter().any(|(key, value)| key.has_lone_surrogate() || in_value(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Leaf(_) => false,
    }
}

/// The paths of lone surrogates in top-level system text.
fn system_places<H: Host>(frame: &Frame<H>) -> Vec<Path> {
    let Some(system) = &frame.system else { return Vec::new() };
    let input = frame.input.as_ref();
    let parts = system.parts.iter().filter(|part| holds(part, input));
    let places: Vec<Path> = parts
        .map(|part| part.place.key.map_or_else(|| frame.system_path(), |_| Path::default().at(part.place)))
        .collect();
    let around = || system.origin.as_ref().is_some_and(|origin| in_raw(origin, input));
    let beside = places.is_empty() && (around() || in_extras(system.extras.as_deref(), input));
    if beside { vec![frame.system_path()] } else { places }
}

/// The paths of tool definitions with lone surrogates.
fn tool_places<H: Host>(frame: &Frame<H>) -> Vec<Path> {
    let tools = frame.tools.iter().flatten().enumerate().filter(|(_, tool)| in_tool(tool, frame.input.as_ref()));
    tools.map(|(index, _)| frame.tool_path(index)).collect()
}

/// The paths in these turns, ids and opaque parts included. A turn with several gets one path.
pub(crate) fn turn_places<H: Host>(
    conversation: &View<'_, H>,
    range: RangeInclusive<usize>,
) -> impl Iterator<Item = Path> {
    let turns = conversation.turns.get(range.clone()).unwrap_or_default().iter();
    range.zip(turns).filter_map(|(index, turn)| place_in(turn, index))
}

fn all_places<H: Host>(conversation: &View<'_, H>) -> impl Iterator<Item = Path> {
    conversation.turns.iter().enumerate().filter_map(|(index, turn)| place_in(turn, index))
}

fn place_in<H: Host>(turn: &Turn<H>, index: usize) -> Option<Path> {
    let input = turn.input.as_ref();
    let beside = turn.id.as_ref().is_some_and(Text::has_lone_surrogate) || in_extras(turn.extras.as_deref(), input);
    let parts = turn.parts.iter().enumerate().filter(|(_, part)| holds(part, input));
    let parts = parts.map(|(at, _)| turn.part_path(index, at)).chain(beside.then(|| turn.path(index)));
    let places = parts.chain(in_entity(turn).then(|| Path::element(turn.list, index)));
    let mut places = places.take(2);
    let first = places.next()?;
    Some(if places.next().is_none() { first } else { turn.path(index) })
}

/// Whether a part has one anywhere.
fn holds<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    let id = match &part.kind {
        Kind::Call(call) => call.id.has_lone_surrogate(),
        Kind::Result(result) => result.id.has_lone_surrogate(),
        _ => false,
    };
    id || in_part(part, input) || part.origin.as_ref().is_some_and(|origin| in_raw(origin, input))
}

/// The path in top-level system text. `None` without lone surrogates, like the functions below.
pub(crate) fn place_in_top_system<H: Host>(conversation: &View<'_, H>) -> Path {
    one_of(system_places(conversation.frame), conversation.frame.system_path())
}

/// The path in system text, in any of its forms.
pub(crate) fn place_in_system<H: Host>(conversation: &View<'_, H>) -> Path {
    let turns = conversation.turns.iter().enumerate().filter(|(_, turn)| turn.role.is_system());
    let turns = turns.filter_map(|(index, turn)| place_in(turn, index));
    one_of(system_places(conversation.frame).into_iter().chain(turns), Path::default())
}

/// The path in tool definitions.
pub(crate) fn place_in_tools<H: Host>(conversation: &View<'_, H>) -> Path {
    one_of(tool_places(conversation.frame), conversation.frame.tools_path())
}

/// The path in turns.
pub(crate) fn place_in_turns<H: Host>(conversation: &View<'_, H>) -> Path {
    one_of(all_places(conversation), Path::default())
}

/// The path in the payload.
pub(crate) fn place<H: Host>(conversation: &View<'_, H>) -> Path {
    let frame = conversation.frame;
    let around = system_places(frame).into_iter().chain(tool_places(frame));
    one_of(around.chain(all_places(conversation)), Path::default())
}

/// The only path, or the common parent of several.
fn one_of(places: impl IntoIterator<Item = Path>, around: Path) -> Path {
    let mut places = places.into_iter();
    match (places.next(), places.next()) {
        (Some(one), None) => one,
        _ => around,
    }
}
