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

    /// How many of a list's turns a summary of the request covers, and how many of these it has said as they are. The
    /// caller may have removed some of its turns since, or changed some of them in their places. Where more than that
    /// has changed, only those before the change are covered: a turn may be sent once more, but none is lost.
    pub(super) fn covers(&self, list: &[u64]) -> (usize, usize) {
        let front = self.turns.iter().zip(list).take_while(|(one, other)| one == other).count();
        let (was, is) = (&self.turns[front..], &list[front..]);
        let mut found = (front, front);
        for end in 1..=is.len().min(was.len()) {
            let pairs = was.iter().rev().zip(is[..end].iter().rev());
            let behind = pairs.take_while(|(one, other)| one == other).count();
            let (old, new) = (&was[..was.len() - behind], &is[..end - behind]);
            let are_edited = old.len() == new.len() && old.iter().zip(new).all(|(one, other)| one & 1 == other & 1);
            if (are_edited || new.is_empty()) && front + behind > found.1 {
                found = (front + end, front + behind);
            }
        }
        found
    }
}
