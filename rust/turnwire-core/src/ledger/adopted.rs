//! The summary that a provider made of an earlier request, and that replaces the messages of that request.

use std::sync::Arc;

use super::{
    identity::{said, summary},
    pending::Pending,
};
use crate::{model::Turn, prefix::Restart, stage::Compacted, value::Host};

/// A compaction block in the caller's list that replaces the messages of an earlier request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Adopted {
    /// Its index in the caller's list, and how many turns of that list it covers.
    pub(super) place: Compacted,
    /// What later reasoning is bound to.
    pub(super) restart: Restart,
    /// The last reasoning that it covers, which counts as the reasoning before what follows.
    pub(super) last: Option<u64>,
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

    /// Finds the block in a list. The caller may have removed turns that it covers.
    pub(super) fn find<H: Host>(&mut self, turns: &[Arc<Turn<H>>]) {
        let is_it = |turn: &Arc<Turn<H>>| summary(turn) == Some(self.restart.token);
        let at = if turns.get(self.place.at).is_some_and(is_it) {
            Some(self.place.at)
        } else {
            turns.iter().position(is_it)
        };
        self.is_here = at.is_some();
        let Some(at) = at.filter(|at| *at != self.place.at) else { return };
        let next = self.next.and_then(|next| turns.iter().position(|turn| said(0, turn, usize::MAX) == next));
        let between = self.place.at.saturating_sub(self.place.covers);
        // A turn that it covers may be sent once more, but none that it does not cover is left out.
        let covers = next.unwrap_or_else(|| self.place.covers.min(at.saturating_sub(between)));
        self.place = Compacted { covers, at };
    }
}
