//! How many bytes of a budget something takes: UTF-8 bytes of texts, arguments and base64 data.
//!
//! Keys, quotes and escapes of the wire do not count; those inside arguments and JSON results are part of them.

use crate::{
    conversation::Frame,
    handle::{Host, Input, Raw, Value},
    part::{Kind, Part},
    tool::{Args, Content, ToolResult},
    turn::Turn,
};

/// A turn.
pub(super) fn turn<H: Host>(turn: &Turn<H>) -> usize {
    turn.parts.iter().map(|one| part(one, turn.input.as_ref())).sum()
}

/// Top-level system text.
pub(super) fn frame<H: Host>(frame: &Frame<H>) -> usize {
    let parts = frame.system.iter().flat_map(|system| &system.parts);
    parts.map(|one| part(one, frame.input.as_ref())).sum()
}

/// A part.
pub(super) fn part<H: Host>(part: &Part<H>, input: Option<&Input>) -> usize {
    match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => text.utf8_len(input),
        Kind::Json(value) => raw(value, input),
        // A signature or encrypted content is in the origin only.
        Kind::Reasoning(thought) => match &part.origin {
            Some(origin) if part.signed => raw(origin, input),
            _ => thought.text.as_ref().map_or(0, |text| text.utf8_len(input)),
        },
        Kind::Opaque(_) => part.origin.as_ref().map_or(0, |origin| raw(origin, input)),
        Kind::Media(media) => media.data.utf8_len(input),
        Kind::Call(call) => match &call.args {
            Args::Text(text) => text.utf8_len(input),
            Args::Value(value) => raw(value, input),
        },
        Kind::Result(one) => result(one, input),
    }
}

/// A result.
pub(super) fn result<H: Host>(result: &ToolResult<H>, input: Option<&Input>) -> usize {
    match &result.content {
        Content::Absent => 0,
        Content::Text(text) => text.utf8_len(input),
        Content::Blocks(blocks) => blocks.iter().map(|block| part(block, input)).sum(),
    }
}

/// A JSON value, as compact as it can be written.
fn raw<H: Host>(raw: &Raw<H>, input: Option<&Input>) -> usize {
    match raw {
        Raw::Tree(tree) => value(tree),
        Raw::Span(span) => span.len as usize,
        Raw::Own(text) => text.len(),
        Raw::Loan(_) => raw.to_value(input).map_or(0, |tree| value(&tree)),
    }
}

fn value<H: Host>(tree: &Value<H>) -> usize {
    match tree {
        Value::Null => 4,
        Value::Bool(truth) => 5 - usize::from(*truth),
        Value::Number(text) => text.len(),
        Value::Leaf(leaf) => {
            let mut out = Vec::new();
            H::write_leaf(leaf, &mut out).map_or(0, |()| out.len())
        }
        Value::Text(text) => text.utf8_len(None) + 2,
        Value::List(items) => items.iter().map(|item| value(item) + 1).sum::<usize>().max(1) + 1,
        Value::Map(entries) => {
            entries.iter().map(|(key, item)| key.utf8_len(None) + value(item) + 4).sum::<usize>().max(1) + 1
        }
    }
}
