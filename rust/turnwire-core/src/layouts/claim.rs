//! Whether a record has what a layout wants.

use super::{talk::is_talk, ways::Ways};
use crate::{
    rules::record_layout::{Claim, Is},
    value::{NodeKind, Source},
};

/// Claims that are ready to be compared. One of them is enough.
#[derive(Debug)]
pub(super) struct Claims(Vec<Claiming>);

/// A claim that is ready to be compared.
#[derive(Debug)]
struct Claiming {
    claim: Claim,
    has: Vec<(Ways, Is)>,
}

impl Claims {
    pub(super) fn of(claims: &'static [Claim]) -> Self {
        Self(claims.iter().map(|claim| Claiming::of(claim)).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a value has everything that one of the claims wants. Without claims, every value has.
    pub(super) fn fit<S: Source>(&self, node: &S) -> bool {
        self.is_empty() || self.0.iter().any(|claim| claim.fits(node))
    }

    /// What a value must have, in words.
    pub(super) fn told(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(Claiming::told)
    }
}

impl Claiming {
    fn of(claim: Claim) -> Self {
        Self { claim, has: claim.iter().map(|(ways, is)| (Ways::of(ways), *is)).collect() }
    }

    fn fits<S: Source>(&self, node: &S) -> bool {
        self.has.iter().all(|(ways, is)| ways.any(node, |value| is_of(value, *is)))
    }

    fn told(&self) -> String {
        let quoted = |words: &str| words.split_ascii_whitespace().map(|word| format!("{word:?}")).collect::<Vec<_>>();
        let one = |(ways, is): &(&str, Is)| {
            let kind = match is {
                Is::Said => String::new(),
                Is::Text | Is::Plain(_) => " with text".to_owned(),
                Is::Talk(_) => " with a talk of several speakers".to_owned(),
                Is::Word(words) => format!(" with {}", quoted(words).join(" or ")),
                Is::Map => " with an object".to_owned(),
                Is::List => " with a list".to_owned(),
                Is::Maps => " with a list of objects".to_owned(),
            };
            format!("{}{kind}", quoted(ways).join(" or "))
        };
        self.claim.iter().map(one).collect::<Vec<_>>().join(" and ")
    }
}

/// Whether a record has a key that it must not have.
pub(super) fn has_any<S: Source>(record: &S, keys: &str) -> bool {
    let mut found = false;
    record.each_entry(|key, value| {
        let is = |word: &str| word.strip_suffix('*').map_or(word == key, |begins| key.starts_with(begins));
        found |= value.kind() != NodeKind::Null && keys.split_ascii_whitespace().any(is);
    });
    found
}

fn is_of<S: Source>(value: &S, is: Is) -> bool {
    match is {
        Is::Said => true,
        Is::Text => value.kind() == NodeKind::Text,
        Is::Talk(marks) => value.text().is_some_and(|text| is_talk(&text.wtf8(value.input()), marks)),
        Is::Plain(marks) => value.text().is_some_and(|text| !is_talk(&text.wtf8(value.input()), marks)),
        Is::Word(words) => value.word().is_some_and(|word| words.split_ascii_whitespace().any(|one| one == word)),
        Is::Map => value.kind() == NodeKind::Map,
        Is::List => value.kind() == NodeKind::List,
        Is::Maps => are_maps(value),
    }
}

/// Whether a value is a list of objects, at least one.
pub(super) fn are_maps<S: Source>(value: &S) -> bool {
    value.kind() == NodeKind::List && !value.is_empty() && value.items().all(|item| item.kind() == NodeKind::Map)
}
