//! Finds the request that each new reply answers, because a ledger may have served another conversation in between.

use std::{cmp::Reverse, sync::Arc};

use super::{identity::tokens, list::List, pending::Pending, records::Record, seen, state::State};
use crate::{
    model::{Role, Turn, compaction},
    report::Error,
    rules::DialectId,
    value::{HashSet, Host},
};

/// How many requests wait for a reply that is not in the newest list.
const MOST: usize = 64;

/// How many requests without reasoning are remembered after their replies have come, because another conversation may
/// have sent the same request. Reasoning alone distinguishes lists.
const ANSWERED: usize = 8;

impl State {
    /// Records what the new replies in a list are bound to. Each belongs to the request that was sent with the turns
    /// before it. If several requests fit and are bound to different things, what the reply is bound to is unknown.
    pub(super) fn hand_out<H: Host>(&mut self, list: &List<'_, H>, target: DialectId) -> Result<(), Error> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(self.pending.iter().map(|one| Pending {
            given: None,
            pinned: Vec::new(),
            left_out: Vec::new(),
            ..one.clone()
        }));
        // Of several requests before one reply, the longest got it.
        let mut longest: Vec<_> = (0..waiting.len()).collect();
        longest.sort_by_key(|at| Reverse(waiting[*at].length));
        let new: Vec<_> = list.tokens.iter().filter(|(_, token)| self.record(*token).is_none()).collect();
        let (mut others, mut again, mut answered) = (Vec::new(), Vec::new(), Vec::new());
        for alike in longest.chunk_by(|one, other| waiting[*one].length == waiting[*other].length) {
            let length = waiting[alike[0]].length;
            let Some(run) = list.reply(length) else { continue };
            let is_new = new.iter().any(|(index, _)| run.contains(index));
            if !is_new && list.tokens_of(run.clone()).next().is_some() {
                continue;
            }
            let hash = list.first(length);
            let asked: Vec<_> = alike.iter().copied().filter(|at| Some(waiting[*at].list) == hash).collect();
            // Without reasoning, a reply is assigned only if a single request fits.
            if !is_new && asked.len() > 1 {
                continue;
            }
            if is_new {
                if asked.is_empty() {
                    others.push((run, length));
                    continue;
                }
                if asked.iter().all(|at| waiting[*at].answered) {
                    again.push((run, asked));
                    continue;
                }
                let candidates = self.candidates(&waiting, &asked, Self::are_near);
                self.record_one(&list.turns[run], (&waiting, &candidates), target)?;
            }
            answered.extend(asked.into_iter().find(|at| !waiting[*at].answered));
        }
        for at in answered {
            waiting[at].answered = true;
        }
        // The turns before these replies match no request, so the caller has edited them since.
        for (run, length) in others {
            if list.tokens_of(run.clone()).all(|token| self.record(token).is_some()) {
                continue;
            }
            let open = self.open(&waiting, list, (run.start, length));
            self.record_one(&list.turns[run], (&waiting, &open), target)?;
            // Which of several it answers cannot be told. All of them wait: the others' replies are still to come.
            if let [one] = open[..] {
                waiting[one].answered = true;
            }
        }
        for (run, asked) in again {
            if list.tokens_of(run.clone()).all(|token| self.record(token).is_some()) {
                continue;
            }
            let candidates = self.candidates(&waiting, &asked, Self::are_near);
            self.record_one(&list.turns[run], (&waiting, &candidates), target)?;
        }
        self.hand_out_behind(list, &mut waiting, target)?;
        self.waiting = waiting;
        self.forget_answered();
        Ok(())
    }

    /// Whether a request waits for its reply.
    pub(super) fn waits(&self) -> bool {
        self.waiting.iter().any(|one| !one.answered)
    }

    /// The requests that a reply may belong to that follows the list of these. It may be that of a later one, if the
    /// caller has removed or changed turns since: of one of the same conversation, or of any if these have their replies.
    pub(super) fn candidates(
        &self,
        waiting: &[Pending],
        asked: &[usize],
        are_near: impl Fn(&Self, &Pending, &Pending) -> bool,
    ) -> Vec<usize> {
        let asked_again = asked.iter().max().map_or(0, |newest| newest + 1);
        let have_replies = asked.iter().all(|at| waiting[*at].answered);
        let is_near = |one: &Pending| asked.iter().any(|at| are_near(self, one, &waiting[*at]));
        let later = (asked_again..waiting.len())
            .filter(|at| !waiting[*at].answered && (have_replies || is_near(&waiting[*at])));
        asked.iter().copied().chain(later).collect()
    }

    /// The requests that a reply may belong to that follows an edited list of this length, or further turns behind it.
    fn open<H: Host>(&self, waiting: &[Pending], list: &List<'_, H>, (reply, length): (usize, usize)) -> Vec<usize> {
        // Turns that a summary covers are not sent. If the others are those of a request, it is as if nothing was edited.
        let behind = list.behind(length, self.adopted.as_ref());
        // A summary that comes together with this reply covers all turns before it.
        let comes = || list.turns[length..].iter().any(|turn| self.is_new_summary(turn));
        let covered = self.summarised.as_ref().filter(|one| one.length == length && comes());
        let is_asked = |one: &Pending| {
            behind.is_some() && one.behind == behind || covered.is_some_and(|asked| asked.is_again(one))
        };
        let mut asked: Vec<_> = (0..waiting.len()).filter(|at| is_asked(&waiting[*at])).collect();
        let is_summarised = asked.is_empty();
        if is_summarised {
            asked = self.asked_before(waiting, list, reply);
        }
        if !asked.is_empty() {
            // The first words may be edited, too, and do not tell the conversation. Replies do.
            let is_other = |later: &Pending, earlier: &Pending| {
                let may_be = [0, earlier.reply].contains(&later.reply) || earlier.reply == 0;
                is_summarised && !may_be && !self.said.turns.contains(&later.reply)
            };
            let are_near = |state: &Self, later: &Pending, earlier: &Pending| {
                earlier.last.is_none() && !is_other(later, earlier) || state.are_near(later, earlier)
            };
            return self.candidates(waiting, &asked, are_near);
        }
        let mut open: Vec<_> = (0..waiting.len()).filter(|at| !waiting[*at].answered).collect();
        // Not one that was sent before the request of this length, if another reply is in its place.
        let goes_on = |one: &Pending| {
            let other = list.reply(one.length);
            other.is_some_and(|run| list.tokens_of(run).all(|token| self.record(token).is_some()))
        };
        if let Some(newest) = open.iter().rfind(|at| waiting[**at].length == length).copied() {
            open.retain(|at| *at >= newest || !goes_on(&waiting[*at]));
        }
        // Of several, it answers one of this conversation, if reasoning tells which are.
        let said: HashSet<_> = list.tokens().collect();
        let thinks = |last| self.thought_before(last).any(|token| said.contains(&token));
        let here: Vec<_> = open.iter().map(|at| waiting[*at].last.is_some_and(thinks)).collect();
        if here.contains(&true) {
            // Of a request without reasoning, the first words tell, unless they have been edited.
            let begins = |at: usize| waiting[at].root != 0 && waiting[at].root == list.root();
            let is_edited = !open.iter().zip(&here).any(|(at, here)| *here && begins(*at));
            let mut here = here.into_iter();
            open.retain(|at| {
                let is_here = here.next() == Some(true);
                is_here || waiting[*at].last.is_none() && (is_edited || begins(*at))
            });
        }
        open
    }

    /// Whether a later request is of the same conversation: what was last thought in one was thought before the other,
    /// too. Of a request without reasoning, the first words tell.
    pub(super) fn are_near(&self, later: &Pending, earlier: &Pending) -> bool {
        let Some(last) = earlier.last else { return later.root == earlier.root && later.root != 0 };
        later.last.is_some_and(|newer| {
            self.thought_before(newer).any(|token| token == last)
                || self.thought_before(last).any(|token| token == newer)
        })
    }

    /// A block of reasoning, and the blocks that it was made after, newest first.
    pub(super) fn thought_before(&self, token: u64) -> impl Iterator<Item = u64> {
        let before = |token: &u64| match self.record(*token) {
            Some(Record::Bound { last, .. }) => *last,
            _ => None,
        };
        // A damaged state may have a circle of them.
        std::iter::successors(Some(token), before).take(self.records.count() + 1)
    }

    /// Records what a reply to one of several requests is bound to.
    pub(super) fn record_one<H: Host>(
        &mut self,
        reply: &[Arc<Turn<H>>],
        (waiting, asked): (&[Pending], &[usize]),
        target: DialectId,
    ) -> Result<(), Error> {
        let mut asked = asked.iter().map(|at| &waiting[*at]);
        let Some(one) = asked.next() else { return Ok(()) };
        // Models that bind nothing bind no reply to any of their requests.
        if asked.all(|other| other.binds_like(one) || !other.binds && !one.binds) {
            return self.record_reply(reply, one, target);
        }
        let tokens = reply.iter().flat_map(|turn| tokens(turn));
        tokens.for_each(|token| self.records.add(token, Record::Unknown));
        Ok(())
    }

    /// Drops requests that have their replies, with two exceptions. A request stays while another waits with the same
    /// list but bound to something else, because a later reply may belong to either. The newest ones without reasoning
    /// stay too.
    fn forget_answered(&mut self) {
        let may_come_again = |one: &&Pending| one.answered && one.binds && one.last.is_none();
        let mut too_many = self.waiting.iter().filter(may_come_again).count().saturating_sub(ANSWERED);
        let is_kept = |one: &Pending| {
            let alike = |other: &Pending| !other.answered && other.list == one.list && !other.binds_like(one);
            if !one.answered || self.waiting.iter().any(alike) {
                return true;
            }
            let is_old = too_many > 0;
            too_many = too_many.saturating_sub(usize::from(may_come_again(&one)));
            may_come_again(&one) && !is_old
        };
        let kept: Vec<_> = self.waiting.iter().map(is_kept).collect();
        let mut kept = kept.into_iter();
        self.waiting.retain(|_| kept.next() == Some(true));
        let too_many = self.waiting.len().saturating_sub(MOST);
        self.waiting.drain(..too_many);
        self.forgot |= too_many > 0;
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
            run.flat_map(tokens).map(|token| (token, Record::Free)).collect()
        };
        for (token, record) in made {
            self.records.add(token, record);
        }
        Ok(())
    }
}
