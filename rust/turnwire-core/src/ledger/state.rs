//! The state between two requests: decisions and hashes, without the messages.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    adopted::Adopted,
    awaited::{Awaited, Said},
    growing::Growing,
    head::{Given, Head},
    identity::SignedBlock,
    memo::Memo,
    pending::Pending,
    records::{Record, Records},
};
use crate::{
    detect::ReadAs,
    rules::{DialectId, bound},
    stage::{Cut, Marker, Note},
    value::{HashSet, NoHost, Value},
};

/// The state between two requests.
#[derive(Debug)]
pub struct State {
    /// The name of the target.
    pub target: String,
    /// The dialects that the caller's last list was read as.
    pub(super) read_as: ReadAs,
    /// The head that was sent.
    pub(super) head: Option<Head>,
    /// The caller's last head, if it differs from the one that was sent.
    pub(super) given: Option<Given>,
    /// The caller's system turns that the head or a note contains.
    pub(super) hoisted: BTreeSet<usize>,
    /// The last cut.
    pub(super) cut: Option<Cut>,
    /// The lengths of the caller's list at the answered requests since the cut.
    pub(super) answered: Vec<usize>,
    /// Without an answered request: the index of the newest reply in the list that this run began with.
    pub(super) begun: usize,
    /// The caller's indices of turns that were pinned when they were sent and answered.
    pub(super) pinned: Vec<usize>,
    /// The notes between the caller's turns.
    pub(super) notes: Vec<Note>,
    /// The reasoning that was left out: the caller's index, and the block.
    pub(super) left_out: BTreeSet<SignedBlock>,
    /// What each block of reasoning is bound to, by its identity.
    pub(super) records: Records,
    /// The last requests without a known reply, each with the length of the caller's list.
    pub(super) pending: Vec<Pending>,
    /// Earlier requests whose replies may come with another list.
    pub(super) waiting: Vec<Pending>,
    /// Whether records or requests were dropped because there were too many.
    pub(super) forgot: bool,
    /// The hash of each message of the last request after its head.
    pub(super) messages: Vec<u64>,
    /// How many of them came before the newest reply.
    pub(super) settled: usize,
    /// The last message, if a reply continues it.
    pub(super) growing: Option<Growing>,
    /// The last message of the last answered request, if a reply continues it.
    pub(super) settled_in: Option<Growing>,
    /// The markers of results that were cut.
    pub(super) markers: Vec<Marker>,
    /// Every break so far.
    pub breaks: Vec<Break>,
    /// The request that the provider was asked to summarise, until the summary comes.
    pub(super) summarised: Option<Pending>,
    /// What it said.
    pub(super) said: Said,
    /// Those that the provider was asked to summarise in other conversations, oldest first.
    pub(super) elsewhere_awaited: Vec<Awaited>,
    /// How many summaries of this request, or of the last one that was summarised, are still to come.
    pub(super) asked: usize,
    /// Summaries that are not sent: they repeat the adopted one, or a summary that was not asked for replaces them, too.
    pub(super) spare: Vec<u64>,
    /// The last compaction block that has come.
    pub(super) adopted: Option<Adopted>,
    /// Those of other conversations, and those that the last one covers, oldest first.
    pub(super) elsewhere: Vec<Adopted>,
    /// The caller's own settings.
    pub settings: Value<NoHost>,
    /// The caller's previous head, if the request in the making appends a change of it.
    pub(super) given_before: Option<Given>,
    /// The memo of the last request. Empty in a state that was loaded.
    pub(super) memo: Arc<Memo>,
}

/// A request that does not repeat the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The length of the caller's list.
    pub length: usize,
    /// The place in the list.
    pub path: String,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            target: self.target.clone(),
            read_as: self.read_as.clone(),
            head: self.head.clone(),
            given: self.given.clone(),
            hoisted: self.hoisted.clone(),
            cut: self.cut.clone(),
            answered: self.answered.clone(),
            begun: self.begun,
            pinned: self.pinned.clone(),
            notes: self.notes.clone(),
            left_out: self.left_out.clone(),
            records: self.records.clone(),
            pending: self.pending.clone(),
            waiting: self.waiting.clone(),
            forgot: self.forgot,
            messages: self.messages.clone(),
            settled: self.settled,
            growing: self.growing,
            settled_in: self.settled_in,
            markers: self.markers.clone(),
            breaks: self.breaks.clone(),
            summarised: self.summarised.clone(),
            said: self.said.clone(),
            elsewhere_awaited: self.elsewhere_awaited.clone(),
            asked: self.asked,
            spare: self.spare.clone(),
            adopted: self.adopted.clone(),
            elsewhere: self.elsewhere.clone(),
            settings: self.settings.share(),
            given_before: self.given_before.clone(),
            memo: self.memo.clone(),
        }
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            target: String::new(),
            read_as: ReadAs::default(),
            head: None,
            given: None,
            hoisted: BTreeSet::new(),
            cut: None,
            answered: Vec::new(),
            begun: 0,
            pinned: Vec::new(),
            notes: Vec::new(),
            left_out: BTreeSet::new(),
            records: Records::default(),
            pending: Vec::new(),
            waiting: Vec::new(),
            forgot: false,
            messages: Vec::new(),
            settled: 0,
            growing: None,
            settled_in: None,
            markers: Vec::new(),
            breaks: Vec::new(),
            summarised: None,
            said: Said::default(),
            elsewhere_awaited: Vec::new(),
            asked: 0,
            spare: Vec::new(),
            adopted: None,
            elsewhere: Vec::new(),
            settings: Value::Null,
            given_before: None,
            memo: Arc::default(),
        }
    }
}

/// Whether a model binds its reasoning to what comes before it, even if it does not check that.
pub(super) fn binds(target: DialectId, model: Option<&str>) -> bool {
    target.limits().is_ok_and(|limits| {
        (limits.checks_prefix)(model) || model.is_some_and(|model| bound::records(model) && !bound::is_of_others(model))
    })
}

impl State {
    /// The dialects that the caller's last list was read as. The next one is read in the same way, because what was sent
    /// depends on it.
    #[must_use]
    pub fn read_as(&self) -> &ReadAs {
        &self.read_as
    }

    /// What a summary covers was sent and answered.
    pub(super) fn answered_by_summary(&self) -> Vec<usize> {
        self.adopted_here().map(Adopted::answered).into_iter().collect()
    }

    /// Drops all decisions. Records of reasoning and markers of results stay, because they are facts.
    pub(super) fn begin_anew(&mut self) {
        *self = Self {
            target: std::mem::take(&mut self.target),
            records: std::mem::take(&mut self.records),
            waiting: std::mem::take(&mut self.waiting),
            forgot: self.forgot,
            markers: std::mem::take(&mut self.markers),
            breaks: std::mem::take(&mut self.breaks),
            summarised: self.summarised.take(),
            said: std::mem::take(&mut self.said),
            elsewhere_awaited: std::mem::take(&mut self.elsewhere_awaited),
            asked: self.asked,
            spare: std::mem::take(&mut self.spare),
            adopted: self.adopted.clone(),
            elsewhere: std::mem::take(&mut self.elsewhere),
            settings: self.settings.share(),
            memo: std::mem::take(&mut self.memo),
            answered: self.answered_by_summary(),
            ..Self::default()
        };
    }

    /// What a block is bound to, if that is known.
    pub(super) fn record(&self, token: u64) -> Option<&Record> {
        self.records.get(token)
    }

    pub(super) fn left_out(&self) -> HashSet<SignedBlock> {
        self.left_out.iter().copied().collect()
    }

    /// How many of the caller's turns came before the newest reply; 0 without one.
    pub(super) fn newest_answer(&self) -> usize {
        self.answered.last().copied().or(self.cut.as_ref().map(|cut| cut.count)).unwrap_or(self.begun)
    }

    /// The state for a new start of the same conversation. It keeps only the records of reasoning.
    #[must_use]
    pub fn forgotten(&self) -> Self {
        let mut state = self.clone();
        state.begin_anew();
        state.markers.clear();
        // The reply to the last request is still bound to it.
        state.pending.clone_from(&self.pending);
        state
    }
}
