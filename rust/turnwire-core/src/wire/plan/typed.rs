//! Finds messages that do not say that they are one, for targets that want it.

use crate::{
    k,
    model::{Kind, Part, Turn},
    value::{Host, Value},
};

/// Why a message is written anew.
pub(super) const WHY: &str = "the target wants each message to say that it is one";

/// Whether a turn says what it is, or is no message.
pub(super) fn is_typed<H: Host>(turn: &Turn<H>) -> bool {
    let is_item =
        |part: &Part<H>| matches!(part.kind, Kind::Call(_) | Kind::Result(_) | Kind::Reasoning(_) | Kind::Opaque(_));
    if turn.parts.iter().any(is_item) {
        return true;
    }
    match turn.origin.as_ref().map(|origin| origin.to_value(turn.input.as_ref())) {
        Some(Ok(Value::Map(entries))) => entries.iter().any(|(key, _)| key.is(k::TYPE.name, None)),
        _ => true,
    }
}
