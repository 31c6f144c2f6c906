//! Decides what stands for the content of a message that has only calls.

use crate::{
    model::{Kind, Turn},
    rules::{Limits, SilentCalls},
    value::{Host, Value},
};

/// Why a message is written anew.
pub(super) const WHY: &str = "the target takes another value for the content of a message that has only calls";

/// The key of the content.
const CONTENT: &str = "content";

/// Whether the content of a turn with calls may stay as it came.
pub(super) fn stays<H: Host>(limits: &Limits, turn: &Turn<H>) -> bool {
    let speaks = || turn.parts.iter().any(|part| !matches!(part.kind, Kind::Call(_) | Kind::Reasoning(_)));
    if limits.silent_calls == SilentCalls::Null || speaks() {
        return true;
    }
    let Some(Ok(Value::Map(entries))) = turn.origin.as_ref().map(|origin| origin.to_value(turn.input.as_ref())) else {
        return true;
    };
    let content = entries.iter().find(|(key, _)| key.is(CONTENT, None)).map(|(_, value)| value);
    match limits.silent_calls {
        SilentCalls::Null => true,
        SilentCalls::Empty => matches!(content, Some(Value::Text(text)) if text.is_empty()),
        SilentCalls::Absent => content.is_none(),
    }
}
