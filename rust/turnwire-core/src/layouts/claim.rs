//! Whether a record has what a layout wants.

use super::ways::Ways;
use crate::{
    rules::record_layout::{Claim, Is},
    value::{NodeKind, Source},
};

/// A claim that is ready to be compared.
#[derive(Debug)]
pub(super) struct Claiming {
    claim: Claim,
    has: Vec<(Ways, Is)>,
}

impl Claiming {
    pub(super) fn of(claim: Claim) -> Self {
        Self { claim, has: claim.iter().map(|(ways, is)| (Ways::of(ways), *is)).collect() }
    }

    /// Whether a record has everything that it must have.
    pub(super) fn fits<S: Source>(&self, record: &S) -> bool {
        self.has.iter().all(|(ways, is)| ways.any(record, |value| is_of(value, *is)))
    }

    /// What a record must have, for an error.
    pub(super) fn told(&self) -> String {
        let one = |(ways, is): &(&str, Is)| {
            let names: Vec<_> = ways.split_ascii_whitespace().map(|way| format!("{way:?}")).collect();
            let kind = match is {
                Is::Said => "",
                Is::Text => " with text",
                Is::Maps => " with a list of objects",
            };
            format!("{}{kind}", names.join(" or "))
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
        Is::Maps => {
            value.kind() == NodeKind::List
                && !value.is_empty()
                && value.items().all(|item| item.kind() == NodeKind::Map)
        }
    }
}
