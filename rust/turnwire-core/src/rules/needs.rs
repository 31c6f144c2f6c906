//! Declares the headers that a provider requires for some features, and finds those that a request needs.

use super::dialect_id::DialectId;
use crate::k;
use crate::value::{Key, NodeKind, Source};

/// The header for a provider's features, and the value that each feature needs.
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

/// Whether a provider requires a header for any feature.
#[must_use]
pub fn are_known(dialect: DialectId) -> bool {
    dialect.facts.needs.is_some()
}

/// The header that a body needs: its name, and its values in one line. A value that several features share comes once.
#[must_use]
pub fn header<S: Source>(body: &S, dialect: DialectId) -> Option<(&'static str, String)> {
    let (Some(needs), Some(slots)) = (dialect.facts.needs, dialect.facts.slots) else { return None };
    let mut used = vec![false; needs.features.len()];
    let list =
        if body.kind() == NodeKind::List { Some(body.clone()) } else { slots.list.some(body).map(|(_, list)| list) };
    let (mut of_messages, mut of_blocks) = (Vec::new(), Vec::new());
    for (at, (feature, _)) in needs.features.iter().enumerate() {
        match *feature {
            Feature::Body(keys) => used[at] = is_there(body, keys),
            Feature::Message(key) => of_messages.push((at, key)),
            Feature::Block(kind) => of_blocks.push((at, kind)),
        }
    }
    for message in list.iter().flat_map(Source::items) {
        for (at, key) in &of_messages {
            used[*at] |= is_there(&message, &[key]);
        }
        each_type(&message, LEVELS, &mut |word| {
            for (at, _) in of_blocks.iter().filter(|(_, kind)| *kind == word) {
                used[*at] = true;
            }
        });
    }
    let mut values = Vec::new();
    for (_, (_, value)) in used.iter().zip(needs.features).filter(|(used, _)| **used) {
        if !values.contains(value) {
            values.push(*value);
        }
    }
    (!values.is_empty()).then(|| (needs.header, values.join(",")))
}

/// Whether an object has a value under these keys, one inside the other.
fn is_there<S: Source>(node: &S, keys: &[&'static Key]) -> bool {
    match keys {
        [] => node.kind() != NodeKind::Null,
        [key, rest @ ..] => node.get(key).is_some_and(|inner| is_there(&inner, rest)),
    }
}

/// How deep blocks are searched: those of a message, those inside them, and one level more. The limit is needed because
/// a host's containers may contain themselves.
const LEVELS: usize = 3;

/// Shows the type of each block in the content of an object. Does not read the input of a call, which is the caller's
/// own.
fn each_type<S: Source>(node: &S, levels: usize, show: &mut dyn FnMut(&str)) {
    let Some(levels) = levels.checked_sub(1) else { return };
    let content = node.get(&k::CONTENT);
    for block in content.iter().flat_map(Source::items).chain(node.get(&k::TOOL)) {
        if let Some(word) = block.get(&k::TYPE).as_ref().and_then(Source::word) {
            show(&word);
        }
        each_type(&block, levels, show);
    }
}
