//! Finds messages that do not say that they are one, or have several texts, for targets that want it otherwise.

use crate::{
    k,
    model::{Kind, Part, Role, Turn},
    rules::value_rule::{Entry, member},
    value::{Host, Value},
};

/// Why a message is written anew.
pub(super) const WHY: &str =
    "the target wants each message to say that it is one, and the assistant's to have one text";

/// Whether a turn is such a message, or is no message.
pub(super) fn is_typed<H: Host>(turn: &Turn<H>) -> bool {
    let is_item =
        |part: &Part<H>| matches!(part.kind, Kind::Call(_) | Kind::Result(_) | Kind::Reasoning(_) | Kind::Opaque(_));
    if turn.parts.iter().any(is_item) {
        return true;
    }
    match turn.origin.as_ref().map(|origin| origin.to_value(turn.input.as_ref())) {
        Some(Ok(Value::Map(entries))) => {
            member(&entries, k::TYPE.name).is_some() && (turn.role != Role::Assistant || has_one_text(&entries))
        }
        _ => true,
    }
}

/// Whether the content is one text: by itself, or in a list, which needs an id and a status. Servers read only the first.
fn has_one_text<H: Host>(entries: &[Entry<H>]) -> bool {
    match member(entries, k::CONTENT.name) {
        Some(Value::List(parts)) => {
            let told = |key| matches!(member(entries, key), Some(Value::Text(_)));
            parts.len() == 1 && told(k::ID.name) && told(k::STATUS.name)
        }
        _ => true,
    }
}
