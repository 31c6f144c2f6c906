//! Finds thoughts that a message holds twice, because some servers show one thought under two keys.

use crate::{
    model::{Kind, Part, Reasoning, Turn},
    rules::{
        carrier::Holds,
        details::{readable, value},
    },
    value::{Host, Raw, Value},
};

/// Whether an earlier part of the turn, under another key, says all that this one says.
pub(crate) fn is_said_before<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    if part.place.index.is_some() {
        return false;
    }
    let Some(said) = said(turn, part) else { return false };
    let before = turn.parts.iter().take_while(|other| !std::ptr::eq(*other, part));
    before.filter(|other| other.place.key != part.place.key).any(|other| match &other.kind {
        Kind::Reasoning(Reasoning { text: Some(text) }) => !other.signed && *text.wtf8(turn.input.as_ref()) == *said,
        _ => false,
    })
}

/// Whether a thought has only a text: no signature, and nothing that only its maker can read.
pub(crate) fn has_only_text<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    said(turn, part).is_some()
}

/// The text of a thought that has nothing else: no signature, and nothing that only its maker can read.
fn said<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<Vec<u8>> {
    let Kind::Reasoning(Reasoning { text }) = &part.kind else { return None };
    let input = turn.input.as_ref();
    if !part.signed {
        return text.as_ref().map(|text| text.wtf8(input).into_owned());
    }
    let Some(Holds::Details) = turn.from.facts.carriers.holds(part.place.key) else { return None };
    let Value::List(details) = part.origin.as_ref().map(|origin: &Raw<H>| origin.to_value(input))?.ok()? else {
        return None;
    };
    let bare = |detail: &Value<H>| {
        let proves = |key| value(detail, key).is_some_and(|proof| !matches!(proof, Value::Null));
        !["signature", "data"].into_iter().any(proves)
    };
    if details.is_empty() || !details.iter().all(bare) {
        return None;
    }
    Some(details.iter().flat_map(readable).flat_map(|text| text.wtf8(None).into_owned()).collect())
}
