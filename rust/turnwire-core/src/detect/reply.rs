//! Detects a whole reply where a message or a list is expected, and advises which part of it to pass.

use super::{is_element, list_of, messages};
use crate::{
    dialects::table::reply_of,
    k,
    report::{Error, Step, error::Code},
    value::{NodeKind, Source},
};

/// The way out where a message stands in place of a list.
pub(super) const ONE_MESSAGE: &str = ", which is one message: put it into a list";

/// The advice for a reply or a piece of one; `None` for anything else.
pub(super) fn way_out<S: Source>(node: &S) -> Option<String> {
    let id = reply_of(node)?;
    if node.get(&k::OBJECT).is_some_and(|object| object.word().is_some_and(|word| word.ends_with(".chunk"))) {
        return Some(format!(", which is a piece of a stream of {}: assemble the whole stream", id.name()));
    }
    match id.facts.reply_message {
        "" => Some(format!(", which is a reply of {}: put it into a list", id.name())),
        // Messages and items have a role or a type; these replies have neither.
        _ if node.get(&k::ROLE).is_some() || node.get(&k::TYPE).is_some() => None,
        place => Some(format!(", which is a reply of {}: pass response{place} as part of a list", id.name())),
    }
}

/// Adds advice to an error if the element that could not be read is a reply.
pub(crate) fn explained<S: Source>(error: Error, payload: &S) -> Error {
    let index = |step| if let Step::Index(index) = step { Some(index) } else { None };
    let Some(at) = error.path().steps().take(2).find_map(index) else {
        // A message in place of the list.
        let alone = payload.kind() == NodeKind::Map && list_of(payload).is_none() && is_element(payload);
        let one = || ONE_MESSAGE.to_owned();
        let alone = alone && error.code() == Code::MissingKey && error.path().steps().next().is_none();
        return if alone { error.saying(&way_out(payload).unwrap_or_else(one)) } else { error };
    };
    match messages(payload).and_then(|list| list.items().nth(at)) {
        Some(element) => explained_alone(error, &element),
        None => error,
    }
}

/// [`explained`] for an element that was read by itself.
pub(super) fn explained_alone<S: Source>(error: Error, element: &S) -> Error {
    if !matches!(error.code(), Code::MissingKey | Code::UnknownRole) {
        return error;
    }
    match way_out(element) {
        Some(way_out) => error.saying(&way_out),
        None => error,
    }
}
