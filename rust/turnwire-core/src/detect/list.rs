//! A list of elements: one dialect for all of them, or each its own.

use super::{
    index::{Index, Set},
    look::Look,
};
use crate::dialect::DialectId;

/// What each element of a list is read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// All are the same.
    One(DialectId),
    /// Each its own.
    Each(Vec<DialectId>),
}

/// Who knows all of these elements.
pub(super) fn common(looks: &[Look]) -> Set {
    looks.iter().fold(Set::ALL, |set, look| set.and(look.set))
}

/// Decides for every element. `frame` are those who know what surrounds the list, `otherwise` is read where nothing tells.
pub(super) fn decide(looks: &[Look], frame: Set, target: Option<DialectId>, otherwise: DialectId) -> Elements {
    let index = Index::get();
    let common = common(looks);
    if let Some(one) = index.choose(common.and(frame), target).or_else(|| index.choose(common, target)) {
        return Elements::One(one);
    }
    // Behind each element: the nearest whose own signs leave one dialect only, for each such dialect.
    let certain: Vec<_> = looks.iter().map(|look| index.only(look.set)).collect();
    let mut later = Recent::default();
    let mut behind: Vec<Option<DialectId>> = Vec::with_capacity(looks.len());
    for (look, certain) in looks.iter().zip(&certain).rev() {
        behind.push(later.first(look.set));
        if let Some(certain) = certain {
            later.saw(*certain);
        }
    }
    let mut before = Recent::default();
    let mut each = Vec::with_capacity(looks.len());
    for ((look, certain), behind) in looks.iter().zip(certain).zip(behind.into_iter().rev()) {
        let neighbour = || before.first(look.set).or(behind);
        let one = certain.or_else(neighbour).or_else(|| index.choose(look.set, target)).unwrap_or(otherwise);
        before.saw(one);
        each.push(one);
    }
    Elements::Each(each)
}

/// The dialects that were seen, the nearest last.
#[derive(Default)]
struct Recent(Vec<DialectId>);

impl Recent {
    fn saw(&mut self, dialect: DialectId) {
        if self.0.last() != Some(&dialect) {
            self.0.retain(|one| *one != dialect);
            self.0.push(dialect);
        }
    }

    /// The nearest out of these.
    fn first(&self, set: Set) -> Option<DialectId> {
        let index = Index::get();
        self.0.iter().rev().copied().find(|one| set.has(index.of(*one)))
    }
}
