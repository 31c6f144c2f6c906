//! Finds keys in either spelling of proto JSON.

use crate::{
    model::Flaw,
    report::Error,
    rules::extra_keys::other_spelling,
    value::{Extras, Key, NodeKind, Source, Text},
    wire::read::Keys,
};

type Left<H> = (Option<Box<Extras<H>>>, Option<&'static Flaw>);

pub(super) static TWICE: Flaw = Flaw::refused("a key is there in two spellings");

/// The value of a key in either spelling.
pub(super) fn either<S: Source>(keys: &mut Keys<'_, S>, camel: &'static Key, snake: &'static Key) -> Option<S> {
    keys.some(camel).or_else(|| keys.some(snake))
}

/// A string under a key in either spelling.
pub(super) fn either_text<S: Source>(
    keys: &mut Keys<'_, S>,
    camel: &'static Key,
    snake: &'static Key,
) -> Result<Option<Text<S::H>>, Error> {
    match keys.text(camel)? {
        None => keys.text(snake),
        text => Ok(text),
    }
}

/// The same in a node whose keys are not taken.
pub(super) fn other<S: Source>(node: &S, camel: &'static Key, snake: &'static Key) -> Option<S> {
    node.get(camel).or_else(|| node.get(snake)).filter(|value| value.kind() != NodeKind::Null)
}

/// The keys that no parser took, with a flaw where one of them repeats another in the other spelling.
pub(super) fn left<S: Source>(keys: Keys<'_, S>) -> Left<S::H> {
    let node = keys.node;
    let Some(extras) = keys.extras() else { return (None, None) };
    let mut others = extras.iter().filter_map(|(key, _)| other_spelling(&key.to_str(node.input())));
    let twice = others.any(|other| is_said(node, &other));
    (Some(extras), twice.then_some(&TWICE))
}

/// Whether an opaque part has a key in both spellings.
pub(super) fn is_twice<S: Source>(element: &S) -> bool {
    let keys = || {
        let said = element.entries().filter(|(_, value)| value.kind() != NodeKind::Null);
        said.map(|(key, _)| key.to_str(element.input()).into_owned())
    };
    keys().filter_map(|key| other_spelling(&key)).any(|other| keys().any(|key| key == other))
}

/// Whether a key is present and not `null`.
pub(super) fn is_said<S: Source>(element: &S, name: &str) -> bool {
    let mut entries = element.entries().filter(|(_, value)| value.kind() != NodeKind::Null);
    entries.any(|(key, _)| key.is(name, element.input()))
}
