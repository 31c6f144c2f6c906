//! Step 2: what cannot be sent: assistant turns that say nothing, and lone surrogates.

use std::sync::Arc;

use super::{Draft, Slot};
use crate::{
    handle::{Host, Input, Raw, Text, Value},
    part::{Extras, Kind, Part},
    receipt::{Change, Entry},
    tool::{Args, Content},
    turn::{Role, Turn},
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>) {
    if !draft.turns().any(|turn| is_empty(turn) || has_lone(turn)) {
        return;
    }
    let mut entries = Vec::new();
    draft.slots().retain_mut(|slot| {
        if is_empty(&slot.turn) {
            let why = "an assistant turn without text and without calls";
            entries.push(Entry::new(Change::EmptyAssistant, slot.index, slot.path(), why));
            return false;
        }
        if has_lone(&slot.turn) {
            let why = "half a character became U+FFFD";
            entries.push(Entry::new(Change::LoneSurrogate, slot.index, slot.path(), why));
            slot.turn = Arc::new(mended(slot));
        }
        true
    });
    draft.receipt.entries.append(&mut entries);
}

/// Whether an assistant turn says and calls nothing. Reasoning, media and what only its dialect knows are something.
fn is_empty<H: Host>(turn: &Turn<H>) -> bool {
    turn.role == Role::Assistant
        && turn.parts.iter().all(|part| match &part.kind {
            Kind::Text(text) => text.is_blank(turn.input.as_ref()),
            _ => false,
        })
}

/// Whether a text of the turn has a lone surrogate. Ids are the next step's.
fn has_lone<H: Host>(turn: &Turn<H>) -> bool {
    let input = turn.input.as_ref();
    turn.parts.iter().any(|part| part_has(part, input)) || extras_have(turn.extras.as_deref(), input)
}

fn extras_have<H: Host>(extras: Option<&Extras<H>>, input: Option<&Input>) -> bool {
    extras.into_iter().flatten().any(|(key, value)| key.has_lone_surrogate() || raw_has(value, input))
}

fn part_has<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    let has = |text: &Text<H>| text.has_lone_surrogate();
    let args = |args: &Args<H>| match args {
        Args::Text(text) => has(text),
        Args::Value(value) => raw_has(value, input),
    };
    let said = match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => has(text),
        Kind::Json(value) => raw_has(value, input),
        Kind::Reasoning(thought) => thought.text.as_ref().is_some_and(has),
        Kind::Media(media) => media.name.as_ref().is_some_and(has),
        Kind::Call(call) => has(&call.name) || args(&call.args),
        Kind::Answer(answer) => match &answer.content {
            Content::Absent => false,
            Content::Text(text) => has(text),
            Content::Blocks(blocks) => blocks.iter().any(|block| part_has(block, input)),
        },
        // Only its own dialect can say it, and only as it came.
        Kind::Opaque(_) => false,
    };
    said || extras_have(part.extras.as_deref(), input)
}

fn raw_has<H: Host>(raw: &Raw<H>, input: Option<&Input>) -> bool {
    match raw {
        Raw::Tree(value) => value_has(value),
        Raw::Span(span) => input.is_some_and(|input| escapes_lone(input.at(*span))),
        Raw::Own(text) => escapes_lone(text.as_bytes()),
        Raw::Loan(_) => raw.to_value(input).is_ok_and(|value| value_has(&value)),
    }
}

/// Whether JSON text has an escape for a surrogate without its partner: there is no other way to write one.
fn escapes_lone(json: &[u8]) -> bool {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(next) = json.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += next;
        match (unit(at), unit(at + 6)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => at += 12,
            (Some(0xD800..0xE000), _) => return true,
            _ => at += 2,
        }
    }
    false
}

fn value_has<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Text(text) => text.has_lone_surrogate(),
        Value::List(items) => items.iter().any(value_has),
        Value::Map(entries) => entries.iter().any(|(key, value)| key.has_lone_surrogate() || value_has(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Leaf(_) => false,
    }
}

/// The turn with U+FFFD for each lone surrogate; parts without any are shared.
fn mended<H: Host>(slot: &Slot<H>) -> Turn<H> {
    let mut turn = slot.turn.touch();
    let input = slot.turn.input.as_ref();
    for part in &mut turn.parts {
        if part_has(part, input) {
            *part = mended_part(part, input);
        }
    }
    if let Some(extras) = &mut turn.extras {
        mend_extras(extras, input);
    }
    turn
}

fn mended_part<H: Host>(part: &Part<H>, input: Option<&Input>) -> Part<H> {
    let mut kind = part.kind.map(&mut |text| mended_text(text, input), &mut |raw| mended_raw(raw, input));
    // Ids pair: the next step gives both sides the same new one.
    match (&mut kind, &part.kind) {
        (Kind::Call(new), Kind::Call(old)) => new.id = old.id.share(),
        (Kind::Answer(new), Kind::Answer(old)) => new.id = old.id.share(),
        _ => {}
    }
    let mut new = part.share();
    if let Some(extras) = &mut new.extras {
        mend_extras(extras, input);
    }
    if let Kind::Answer(answer) = &mut kind
        && let Content::Blocks(blocks) = &mut answer.content
    {
        for block in blocks.iter_mut() {
            block.touched = true;
        }
    }
    Part { kind, touched: true, ..new }
}

fn mend_extras<H: Host>(extras: &mut Extras<H>, input: Option<&Input>) {
    for (key, value) in extras {
        (*key, *value) = (mended_text(key, input), mended_raw(value, input));
    }
}

fn mended_text<H: Host>(text: &Text<H>, input: Option<&Input>) -> Text<H> {
    if text.has_lone_surrogate() { Text::own(&text.to_str(input)) } else { text.share() }
}

fn mended_raw<H: Host>(raw: &Raw<H>, input: Option<&Input>) -> Raw<H> {
    match raw.to_value(input) {
        // Reading JSON text mends it already.
        Ok(value) if raw_has(raw, input) => Raw::Tree(mended_value(&value)),
        _ => raw.share(),
    }
}

fn mended_value<H: Host>(value: &Value<H>) -> Value<H> {
    match value {
        Value::Text(text) => Value::Text(mended_text(text, None)),
        Value::List(items) => Value::List(items.iter().map(mended_value).collect()),
        Value::Map(entries) => {
            Value::Map(entries.iter().map(|(key, value)| (mended_text(key, None), mended_value(value))).collect())
        }
        _ => value.share(),
    }
}
