//! The ids of calls that the provider ran. They never change, and no call of the client may share one.

use crate::{
    model::{Kind, Part, Turn},
    rules::DialectId,
    value::{Host, Input, Raw, Value},
};

/// The id of a call that the provider ran, if it goes back to its own format.
#[cold]
pub(crate) fn id<H: Host>(turn: &Turn<H>, part: &Part<H>, target: Option<DialectId>) -> Option<String> {
    let (Kind::Opaque(name), input) = (&part.kind, turn.input.as_ref()) else { return None };
    let known = turn.from.keys().assistant_blocks;
    let ran = known.split(' ').any(|word| !word.is_empty() && name.is(word, input));
    let back = target.is_none_or(|target| turn.from.same_wire(target));
    if ran && back { id_of(part, input) } else { None }
}

/// The id of an opaque block.
pub(crate) fn id_of<H: Host>(part: &Part<H>, input: Option<&Input>) -> Option<String> {
    text_of(part.origin.as_ref()?, "id", input)
}

/// The text under a key of a wire value.
pub(crate) fn text_of<H: Host>(origin: &Raw<H>, name: &str, input: Option<&Input>) -> Option<String> {
    let Ok(Value::Map(entries)) = origin.to_value(input) else { return None };
    entries.iter().find(|(key, _)| key.is(name, None)).and_then(|(_, value)| match value {
        Value::Text(text) => Some(text.to_str(None).into_owned()),
        _ => None,
    })
}
