//! The summary that a provider made of an earlier request, and that replaces the messages of that request.

use std::sync::Arc;

use super::{
    awaited::{are_edited, covered_of},
    identity::{said, summary},
    list::{ENOUGH, List},
    pending::Pending,
};
use crate::{prefix::Restart, stage::Compacted, value::Host};

/// A compaction block in the caller's list that replaces the messages of an earlier request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Adopted {
    /// Its index in the caller's list, and how many turns of that list it covers.
    pub(super) place: Compacted,
    /// What later reasoning is bound to.
    pub(super) restart: Restart,
    /// The last reasoning that it covers, which counts as the reasoning before what follows.
    pub(super) last: Option<u64>,
    /// A hash of each turn that it covers, without system text at the head. `None` in a state of an earlier version.
    pub(super) covered: Option<Arc<[u64]>>,
    /// A hash of the first turn that it does not cover, if one comes before it.
    pub(super) next: Option<u64>,
    /// Whether it is in the list of this request. Another conversation does not have it.
    pub(super) is_here: bool,
}

impl Adopted {
    /// How many of the caller's turns were sent and answered with it. If it stands in their place, it alone is left of
    /// them.
    pub(super) fn answered(&self) -> usize {
        if self.place.covers < self.place.at { self.place.covers } else { self.place.at + 1 }
    }

    /// Whether it is a summary of a request.
    pub(super) fn is_of(&self, request: &Pending) -> bool {
        (self.restart.base, self.restart.all, self.last) == (request.base, request.all, request.last)
    }

    /// Hashes of the turns that a block at a place covers, and of the first one that it does not cover.
    pub(super) fn hashes<H: Host>(list: &List<'_, H>, place: Compacted) -> (Arc<[u64]>, Option<u64>) {
        let (covered, rest): (Vec<_>, Vec<_>) = Self::kept(list, place.at).partition(|at| *at < place.covers);
        let covered = covered.into_iter().map(|at| list.one(at, ENOUGH)).collect();
        (covered, rest.first().map(|at| said(0, &list.turns[*at], usize::MAX)))
    }

    /// The turns that a block at this index may cover. System text at the head always stays.
    fn kept<H: Host>(list: &List<'_, H>, block: usize) -> impl Iterator<Item = usize> {
        let head = list.turns.iter().take_while(|turn| turn.role.is_system()).count();
        (head..list.turns.len()).filter(move |at| *at != block)
    }

    /// Finds the block in a list, and the turns that it covers there: the caller may have removed or changed some. A turn
    /// that it covers may be sent once more, but none that it does not cover is left out. Returns whether all of them
    /// are found, up to the first one that it does not cover.
    pub(super) fn find<H: Host>(&mut self, list: &List<'_, H>) -> bool {
        let is_it = |at: &usize| list.turns.get(*at).is_some_and(|turn| summary(turn) == Some(self.restart.token));
        let at = Some(self.place.at).filter(is_it).or_else(|| (0..list.turns.len()).find(is_it));
        self.is_here = at.is_some();
        let Some(at) = at else { return false };
        let Some(covered) = &self.covered else {
            let between = self.place.at.saturating_sub(self.place.covers);
            self.place = Compacted { covers: self.place.covers.min(at.saturating_sub(between)), at };
            return true;
        };
        let places: Vec<_> = Self::kept(list, at).collect();
        let each: Vec<_> = places.iter().map(|place| list.one(*place, ENOUGH)).collect();
        let of = |count: usize| places.get(count).map(|place| said(0, &list.turns[*place], usize::MAX));
        let ends = |count: &usize| self.next.is_some() && self.next == of(*count);
        let mut count = covered_of(covered, &each).0;
        if count < covered.len() {
            // What it does not cover may say the same as what it covers.
            let is_edited = ends(&covered.len()) && are_edited(covered, &each);
            count = if is_edited { covered.len() } else { (0..=count).rev().find(ends).unwrap_or(count) };
        }
        let head = places.first().copied().unwrap_or_default();
        let covers = count.checked_sub(1).map_or(self.place.covers.min(head), |last| places[last] + 1);
        self.place = Compacted { covers, at };
        let is_whole = count == covered.len() || self.next.is_none() || ends(&count);
        if count == covered.len() {
            self.next = of(count);
        }
        is_whole
    }
}
