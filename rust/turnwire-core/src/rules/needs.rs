//! Declares the headers with which a provider offers a feature, as data, and finds those that a request needs.

use super::dialect_id::DialectId;
use crate::value::{
    door::{Key, Source, keys},
    handle::{Host, Value},
    node::NodeKind,
    tree::Tree,
};

/// The header of a provider's features, and the value that each feature needs there.
pub(crate) struct Needs {
    /// The name of the header.
    pub(crate) header: &'static str,
    /// Each feature, and its value.
    pub(crate) features: &'static [(Feature, &'static str)],
}

/// How a request shows that it uses a feature.
#[derive(Clone, Copy)]
pub(crate) enum Feature {
    /// These keys of the body, one inside the other.
    Body(&'static [&'static Key]),
    /// This key of a message.
    Message(&'static Key),
    /// A block of this type.
    Block(&'static str),
}

keys! {
    CONTENT = "content";
    TYPE = "type";
    TOOL = "tool";
}

/// The headers that a body needs, each as its name and one value; a value that several features share comes once.
#[must_use]
pub fn needs<H: Host>(body: &Value<H>, dialect: DialectId) -> Vec<(&'static str, &'static str)> {
    let mut found: Vec<(&'static str, &'static str)> = Vec::new();
    let (Some(needs), Some(slots)) = (dialect.facts.needs, dialect.facts.slots) else { return found };
    let body = Tree(body);
    let list =
        if body.kind() == NodeKind::List { Some(body.clone()) } else { slots.list.some(&body).map(|(_, list)| list) };
    let messages: Vec<_> = list.iter().flat_map(Source::items).collect();
    for (feature, value) in needs.features {
        let used = match feature {
            Feature::Body(keys) => is_there(&body, keys),
            Feature::Message(key) => messages.iter().any(|message| is_there(message, &[key])),
            Feature::Block(kind) => messages.iter().any(|message| has_block(message, kind)),
        };
        if used && !found.contains(&(needs.header, value)) {
            found.push((needs.header, value));
        }
    }
    found
}

/// Whether an object has a value under these keys, one inside the other.
fn is_there<S: Source>(node: &S, keys: &[&'static Key]) -> bool {
    match keys {
        [] => node.kind() != NodeKind::Null,
        [key, rest @ ..] => node.get(key).is_some_and(|inner| is_there(&inner, rest)),
    }
}

/// Whether a block of this type is among the content of an object. The input of a call is the caller's own and not read.
fn has_block<S: Source>(node: &S, kind: &str) -> bool {
    let is = |block: &S| block.get(&TYPE).and_then(|named| named.word().map(|word| word == kind)).unwrap_or(false);
    let inside = |block: &S| is(block) || has_block(block, kind);
    node.get(&CONTENT).is_some_and(|content| content.items().any(|block| inside(&block)))
        || node.get(&TOOL).is_some_and(|tool| inside(&tool))
}
