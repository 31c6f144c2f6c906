//! The state between two requests: decisions and hashes, without the messages.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    adopted::Adopted,
    awaited::{Awaited, Said},
    growing::Growing,
    head::{Given, Head},
    lists::{List, Talk},
    memo::Memo,
    records::{Record, Records},
    seen,
};
use crate::{
    model::{
        compaction,
        conversation::Conversation,
        turn::{Role, Turn},
    },
    report::error::Error,
    rules::{bound, dialect_id::DialectId},
    stage::{Cut, Note},
    value::{
        handle::{Host, NoHost, Value},
        hash::HashSet,
    },
};

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

/// The state between two requests.
#[derive(Debug)]
pub struct State {
    /// The name of the target.
    pub target: String,
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
    pub(super) left_out: BTreeSet<(usize, u64)>,
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
    /// Summaries that repeat the adopted one.
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
            breaks: self.breaks.clone(),
            summarised: self.summarised.clone(),
            said: self.said.clone(),
            elsewhere_awaited: self.elsewhere_awaited.clone(),
            asked: self.asked,
            spare: self.spare.clone(),
            adopted: self.adopted,
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
    /// The state for this list. The last request counts only if a reply to it is in the list.
    pub(super) fn met<H: Host>(
        &self,
        conversation: &Conversation<H>,
        list: &List<'_, H>,
        target: DialectId,
    ) -> Result<Self, Error> {
        let mut state = Self { target: target.name(), ..self.clone() };
        let turns = conversation.turns();
        state.await_here(list);
        state.follow(turns);
        state.hand_out(list, target)?;
        let reply = |pending: &Pending| {
            let mut rest = turns.iter().enumerate().skip(pending.length);
            rest.find(|(_, turn)| turn.role == Role::Assistant).map(|(index, _)| index)
        };
        let pending = std::mem::take(&mut state.pending);
        // Nothing was answered: another list is another conversation, with its own system text and tools.
        let is_other = |one: &Pending| !list.begins_with(one.talk);
        let begins = state.newest_answer() == 0 && pending.last().is_some_and(is_other);
        // If there are several requests, the reply belongs to the last one made before it.
        let answered = pending.iter().filter_map(|one| Some((reply(one)?, one)));
        if let Some((_, one)) = answered.min_by_key(|(first, one)| (*first, usize::MAX - one.length)) {
            state.answered.push(one.length);
            state.pinned.clone_from(&one.pinned);
            if pending.last() == Some(one) {
                state.settled_in = state.growing;
            }
            let longer = pending.iter().filter(|other| other.length > one.length);
            longer.min_by_key(|one| one.length).into_iter().for_each(|one| state.undo(one));
        } else {
            // If the list became shorter, the reply to the last request no longer follows that request's messages.
            let is_new = |turn: &Turn<H>| seen::tokens(turn).any(|token| state.record(token).is_none());
            let reply = turns.iter().position(|turn| turn.role == Role::Assistant && is_new(turn));
            if let (Some(first), Some(one)) = (reply, pending.last()) {
                state.record_reply(&turns[first..], one, target)?;
            }
            // The same request again is cut in the same way.
            let is_again = |one: &Pending| one.length == turns.len() && list.first(one.length) == Some(one.list);
            let undone = pending.iter().min_by_key(|one| one.length);
            undone.filter(|one| state.cut.is_none() || !is_again(one)).into_iter().for_each(|one| state.undo(one));
        }
        // Only a reply binds to a request that what it left out stays out.
        let answered = state.newest_answer();
        state.left_out.retain(|(index, _)| *index < answered);
        if state.head.is_none() || begins {
            state.begin_anew();
        }
        state.adopt(list, turns, (target, pending.last()));
        // Decisions beyond the end of a shorter list are dropped.
        state.back_to(conversation.len());
        Ok(state)
    }

    /// Records what the reasoning of the reply to a request is bound to. `turns` begin with the reply.
    pub(super) fn record_reply<H: Host>(
        &mut self,
        turns: &[Arc<Turn<H>>],
        asked: &Pending,
        target: DialectId,
    ) -> Result<(), Error> {
        let run = turns.iter().take_while(|turn| turn.role == Role::Assistant).map(|turn| &**turn);
        // A summary that was requested in the meantime may be anywhere in the reply, but does not belong to it.
        let run = run.filter(|turn| self.asked == 0 || compaction::alone(turn).is_none());
        let made = if asked.binds {
            seen::records(run, target, (asked.base, asked.all, asked.last))?
        } else {
            run.flat_map(seen::tokens).map(|token| (token, Record::Free)).collect()
        };
        for (token, record) in made {
            self.records.add(token, record);
        }
        Ok(())
    }

    /// Reverts the decisions of a request without a reply.
    fn undo(&mut self, pending: &Pending) {
        if self.cut.as_ref().is_some_and(|cut| cut.count == pending.length) {
            return self.begin_anew();
        }
        self.notes.retain(|note| note.index < pending.length);
        if let Some(given) = &pending.given {
            self.given = Some(given.clone());
        }
    }

    /// Drops the decisions about turns after this length of the caller's list.
    pub(super) fn back_to(&mut self, length: usize) {
        if self.cut.as_ref().is_some_and(|cut| cut.count > length) {
            return self.begin_anew();
        }
        let known = self.notes.len();
        self.settled_in = self.settled_in.filter(|_| self.answered.last().is_none_or(|last| *last <= length));
        self.answered.retain(|answered| *answered <= length);
        self.begun = self.begun.min(length);
        self.notes.retain(|note| note.index <= length);
        // What comes later is sent anew, and reasoning may verify there that did not verify before.
        self.left_out.retain(|(index, _)| *index < length);
        if self.notes.len() < known {
            let target = DialectId::named(&self.target).unwrap_or(DialectId::NONE);
            self.given = self.head.as_ref().map(|head| head.given(target));
            // A later step of the same request tells the change once more, if there is still one.
            self.given_before = None;
        }
        if self.answered.is_empty() && self.cut.is_none() {
            self.answered = self.answered_by_summary();
        }
    }

    /// What a summary covers was sent and answered.
    fn answered_by_summary(&self) -> Vec<usize> {
        self.adopted.filter(|adopted| adopted.is_here).map(|adopted| adopted.answered()).into_iter().collect()
    }

    /// Drops all decisions. Records of reasoning stay, because they are facts.
    pub(super) fn begin_anew(&mut self) {
        *self = Self {
            target: std::mem::take(&mut self.target),
            records: std::mem::take(&mut self.records),
            waiting: std::mem::take(&mut self.waiting),
            forgot: self.forgot,
            breaks: std::mem::take(&mut self.breaks),
            summarised: self.summarised.take(),
            said: std::mem::take(&mut self.said),
            elsewhere_awaited: std::mem::take(&mut self.elsewhere_awaited),
            asked: self.asked,
            spare: std::mem::take(&mut self.spare),
            adopted: self.adopted,
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

    pub(super) fn left_out(&self) -> HashSet<(usize, u64)> {
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
        // The reply to the last request is still bound to it.
        state.pending.clone_from(&self.pending);
        state
    }
}
