//! A request whose summary is still to come, and what it said.

use super::{list::List, pending::Pending};
use crate::value::Host;

/// A request that a provider was asked to summarise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Awaited {
    pub(super) request: Pending,
    pub(super) said: Said,
    /// How many summaries of it are still to come.
    pub(super) asked: usize,
}

/// What a request said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// A hash of its first words, without system text. 0 if it is not known.
    pub(super) words: u64,
    /// A hash of all of its turns, to which the hash of a longer list adds later ones.
    pub(super) all: u64,
    /// A hash of each of its turns. Empty in a state of an earlier version.
    pub(super) turns: Vec<u64>,
}

impl Said {
    /// What all of a list says.
    pub(super) fn of<H: Host>(list: &List<'_, H>) -> Self {
        Self { words: list.words(), all: list.rough.last().copied().unwrap_or(0), turns: list.each() }
    }

    /// Whether a list begins with its turns.
    pub(super) fn is_whole(&self, list: &[u64]) -> bool {
        !self.turns.is_empty() && list.starts_with(&self.turns)
    }

    /// How many of a list's turns a summary of the request covers, and how many of these it has said as they are.
    pub(super) fn covers(&self, list: &[u64]) -> (usize, usize) {
        covered_of(&self.turns, list)
    }
}

/// How many of a list's turns a summary of these turns covers, and how many of them are as they were. The caller may
/// have removed some of them since, or changed some in their places. Where more than that has changed, only those before
/// the change are covered: a turn may be sent once more, but none is lost.
pub(super) fn covered_of(turns: &[u64], list: &[u64]) -> (usize, usize) {
    let mut left = turns.iter();
    let kept = list.iter().take_while(|one| left.any(|other| other == *one)).count();
    let same = turns.iter().zip(list).filter(|(one, other)| one == other).count();
    // Where the last one is another, the conversation may have gone another way.
    let is_end = turns.last().is_some_and(|last| list.get(turns.len() - 1) == Some(last));
    if is_end && same > kept && are_edited(turns, list) { (turns.len(), same) } else { (kept, kept) }
}

/// Whether a list may begin with these turns, each as it is or changed in its place.
pub(super) fn are_edited(turns: &[u64], list: &[u64]) -> bool {
    list.len() >= turns.len() && turns.iter().zip(list).all(|(one, other)| one & 1 == other & 1)
}
