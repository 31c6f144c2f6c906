//! Detects a list of elements: one dialect for all of them, or one for each.

use super::{
    index::{Index, Set},
    look::Look,
};
use crate::rules::DialectId;

/// The dialect of each element of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// All elements have this one.
    One(DialectId),
    /// The elements differ.
    Each(Vec<DialectId>),
}

/// The dialects that know all of these elements.
pub(super) fn common(looks: &[Look], of: impl Fn(&Look) -> Set) -> Set {
    looks.iter().fold(Set::ALL, |set, look| set.and(of(look)))
}

/// Decides the dialect of every element. `whole`: the dialects that know the list and the rest of its body. `otherwise`:
/// the dialect of elements that show none.
pub(super) fn decide(looks: &[Look], whole: Set, target: Option<DialectId>, otherwise: DialectId) -> Elements {
    let index = Index::get();
    let common = common(looks, |look| look.set).and_if_any(common(looks, |look| look.without_ids));
    let whole = if common.is_empty() { common } else { whole };
    if let Some(one) = index.choose(whole, target).or_else(|| index.choose(common, target)) {
        // The first element may be in the wrong place. It then counts as what it would be elsewhere.
        let first = looks.first().filter(|first| !first.own.has(index.of(one)));
        return match first.and_then(|first| index.choose(first.own, target)) {
            Some(first) => Elements::Each([first].into_iter().chain((1..looks.len()).map(|_| one)).collect()),
            None => Elements::One(one),
        };
    }
    // For each element, the dialect of the nearest later element that shows one.
    let mut behind = Vec::with_capacity(looks.len());
    let mut later = Recent::default();
    for look in looks.iter().rev() {
        behind.push(later.among(look.own));
        if look.telling {
            index.choose(look.own, target).iter().for_each(|one| later.saw(*one));
        }
    }
    let mut before = Recent::default();
    let mut each = Vec::with_capacity(looks.len());
    for (look, behind) in looks.iter().zip(behind.into_iter().rev()) {
        let neighbour = before.among(look.own).or(behind.filter(|_| !look.telling));
        let one = neighbour.or_else(|| index.choose(look.own, target)).unwrap_or(otherwise);
        before.saw(one);
        each.push(one);
    }
    Elements::Each(each)
}

/// The dialects so far, each once, the nearest last.
#[derive(Default)]
struct Recent(Vec<DialectId>);

impl Recent {
    fn saw(&mut self, one: DialectId) {
        if self.0.last() != Some(&one) {
            self.0.retain(|other| *other != one);
            self.0.push(one);
        }
    }

    /// The nearest of these.
    fn among(&self, set: Set) -> Option<DialectId> {
        self.0.iter().rev().copied().find(|one| set.has(Index::get().of(*one)))
    }
}
