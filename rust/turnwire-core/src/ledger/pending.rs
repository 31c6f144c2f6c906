//! A request that was sent and has no known reply yet.

use super::{head::Given, identity::SignedBlock};

/// A request whose reply is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    /// The length of the caller's list.
    pub(super) length: usize,
    /// A hash of that list.
    pub(super) list: u64,
    /// A hash without the turns that a summary covers, if there is one.
    pub(super) behind: Option<u64>,
    /// What it says beside system text, if no request was answered before it.
    pub(super) talk: Talk,
    /// The hash that its reply is bound to.
    pub(super) all: u64,
    /// The hash of the bound keys beside the messages.
    pub(super) base: u64,
    /// The last block of reasoning in it.
    pub(super) last: Option<u64>,
    /// Whether its model binds reasoning.
    pub(super) binds: bool,
    /// Whether a reply to it has come.
    pub(super) answered: bool,
    /// A hash of its first words. 0 if it is not known.
    pub(super) root: u64,
    /// A hash of the first reply in it. 0 without one, or if it is not known.
    pub(super) reply: u64,
    /// The caller's head before this request, if this request appended a change of it.
    pub(super) given: Option<Given>,
    /// The caller's indices of turns that were pinned in it.
    pub(super) pinned: Vec<usize>,
    /// The reasoning that it was the first to leave out.
    pub(super) left_out: Vec<SignedBlock>,
}

impl Pending {
    /// Whether it repeats another request.
    pub(super) fn is_again(&self, other: &Self) -> bool {
        (self.length, self.list) == (other.length, other.list) && self.binds_like(other)
    }

    /// Whether the replies to both requests are bound to the same content.
    pub(super) fn binds_like(&self, other: &Self) -> bool {
        (self.binds, self.all, self.last) == (other.binds, other.all, other.last)
    }
}

/// What the turns of a request say beside system text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Talk {
    /// The number of turns.
    pub(super) turns: usize,
    /// A hash of ids, signatures and the beginnings of texts.
    pub(super) sum: u64,
}
