//! Recognises the list of a request when it comes back with a reply, because a ledger may have served another
//! conversation in between.

use std::{cmp::Reverse, ops::Range, sync::Arc};

use super::{
    adopted::{Adopted, compaction_of},
    records::Record,
    seen,
    state::{Pending, State},
    words::said,
};
use crate::{
    model::{
        conversation::Conversation,
        turn::{Role, Turn},
    },
    prefix::hash_with,
    report::error::Error,
    rules::dialect_id::DialectId,
    value::{handle::Host, hash::HashSet},
};

/// How many requests wait for a reply that is not in the newest list.
const MOST: usize = 64;

/// How many requests without reasoning are remembered after their replies have come, because another conversation may
/// have sent the same request. Reasoning alone distinguishes lists.
const ANSWERED: usize = 8;

/// How many bytes of a text are compared after the first turns.
pub(super) const ENOUGH: usize = 64;

/// How many first turns are compared as a whole, because many conversations begin with the same long template.
pub(super) const WHOLE: usize = 2;

/// The caller's list: its signed reasoning, and a hash for each of its lengths.
pub(super) struct List<'a, H: Host> {
    pub(super) turns: &'a [Arc<Turn<H>>],
    /// The signed reasoning: the index of its turn, and its identity.
    pub(super) tokens: Vec<(usize, u64)>,
    /// For each length, a hash of ids, signatures and the beginnings of texts.
    pub(super) rough: Vec<u64>,
}

/// What the turns of a request say beside system text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Talk {
    /// The number of turns.
    pub(super) turns: usize,
    /// A hash of ids, signatures and the beginnings of texts.
    pub(super) sum: u64,
}

impl Talk {
    fn with<H: Host>(self, turn: &Turn<H>) -> Self {
        Self { turns: self.turns + 1, sum: said(self.sum, turn, ENOUGH) }
    }
}

impl<'a, H: Host> List<'a, H> {
    pub(super) fn of(conversation: &'a Conversation<H>) -> Self {
        let turns = conversation.turns();
        let of_turn = |(index, turn): (usize, &'a Arc<Turn<H>>)| seen::tokens(turn).map(move |token| (index, token));
        let tokens = turns.iter().enumerate().flat_map(of_turn).collect();
        let mut list = Self { turns, tokens, rough: vec![0] };
        for index in 0..turns.len() {
            let most = if index < WHOLE { usize::MAX } else { ENOUGH };
            list.rough.push(list.with(list.rough[index], index, most));
        }
        list
    }

    /// The identities of its signed reasoning, in order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = u64> {
        self.tokens.iter().map(|(_, token)| *token)
    }

    pub(super) fn count(&self) -> usize {
        self.tokens.len()
    }

    /// The hash of the first `length` turns, the last of which is compared as a whole. `None` if the list is shorter.
    pub(super) fn first(&self, length: usize) -> Option<u64> {
        self.rough.get(length)?;
        Some(length.checked_sub(1).map_or(0, |last| self.with(self.rough[last], last, usize::MAX)))
    }

    /// The hash of a summary among the first `length` turns, and of those that it does not cover. The others are not
    /// sent. `None` without a summary.
    pub(super) fn behind(&self, length: usize, adopted: Option<Adopted>) -> Option<u64> {
        let first = self.turns.get(..length)?;
        let adopted = adopted.filter(|one| one.is_here && one.place.at < length).map(|one| (one.place, one.restart));
        // One that nobody asked for covers everything before it.
        let is_later = |at: &usize| adopted.is_none_or(|(place, _)| place.at < *at);
        let own = first.iter().enumerate().rev().find_map(|(at, turn)| Some((at, compaction_of(turn)?)));
        let own = own.filter(|(at, _)| is_later(at)).map(|(at, token)| (at, at, token));
        let (covers, at, token) = own.or(adopted.map(|(place, restart)| (place.covers, place.at, restart.token)))?;
        let rest = (covers..length).filter(|index| *index != at);
        let most = |index| if index + 1 == length { usize::MAX } else { ENOUGH };
        Some(rest.fold(token, |sum, index| self.with(sum, index, most(index))))
    }

    /// The turns of the first `length` that are no system text, which may change in a conversation.
    pub(super) fn talk(&self, length: usize) -> Talk {
        let talk = self.talking().take_while(|(index, _)| *index < length);
        talk.fold(Talk::default(), |talk, (_, turn)| talk.with(turn))
    }

    /// Whether the list begins with this talk.
    pub(super) fn begins_with(&self, talk: Talk) -> bool {
        let first = self.talking().take(talk.turns);
        first.fold(Talk::default(), |talk, (_, turn)| talk.with(turn)) == talk
    }

    fn talking(&self) -> impl Iterator<Item = (usize, &Turn<H>)> {
        let turns = self.turns.iter().enumerate().map(|(index, turn)| (index, &**turn));
        turns.filter(|(_, turn)| !turn.role.is_system())
    }

    /// A hash of turns, and of one more, of whose texts the first `most` bytes count.
    pub(super) fn with(&self, sum: u64, index: usize, most: usize) -> u64 {
        let sum = said(sum, &self.turns[index], most);
        self.tokens_of(index..index + 1).fold(sum, |sum, token| hash_with(sum, &token.to_le_bytes()))
    }

    fn tokens_of(&self, turns: Range<usize>) -> impl Iterator<Item = u64> {
        let first = self.tokens.partition_point(|(index, _)| *index < turns.start);
        self.tokens[first..].iter().take_while(move |(index, _)| *index < turns.end).map(|(_, token)| *token)
    }

    /// The replies with reasoning among hashes of its turns.
    pub(super) fn thoughts(&self, each: &[u64]) -> HashSet<u64> {
        let with = self.tokens.iter().filter_map(|(index, _)| each.get(*index));
        with.copied().collect()
    }

    /// Whether there is reasoning in these turns, all of which is such.
    fn thinks(&self, turns: Range<usize>, is_such: impl Fn(u64) -> bool) -> bool {
        let mut tokens = self.tokens_of(turns).peekable();
        tokens.peek().is_some() && tokens.all(is_such)
    }

    /// A hash of its first words, and of system text before them. 0 without any.
    pub(super) fn root(&self) -> u64 {
        self.talking().next().and_then(|(first, _)| self.first(first + 1)).unwrap_or(0)
    }

    /// A hash of its first words, without system text. 0 without any.
    pub(super) fn words(&self) -> u64 {
        self.talking().next().map_or(0, |(_, turn)| said(0, turn, usize::MAX))
    }

    /// A hash of its first reply, like one of `each`. 0 without one.
    pub(super) fn first_reply(&self) -> u64 {
        let first = self.turns.iter().position(|turn| turn.role == Role::Assistant);
        first.map_or(0, |first| self.with(0, first, ENOUGH) | 1)
    }

    /// A hash of each turn. Its last bit is set for the assistant's.
    pub(super) fn each(&self) -> Vec<u64> {
        let hash = |(index, turn): (usize, &Arc<Turn<H>>)| {
            let most = if index < WHOLE { usize::MAX } else { ENOUGH };
            let sum = self.with(0, index, most);
            sum & !1 | u64::from(turn.role == Role::Assistant)
        };
        self.turns.iter().enumerate().map(hash).collect()
    }

    /// The turns of the first reply after the first `length` turns.
    fn reply(&self, length: usize) -> Option<Range<usize>> {
        let first = self.turns.iter().skip(length).position(|turn| turn.role == Role::Assistant)? + length;
        let count = self.turns[first..].iter().take_while(|turn| turn.role == Role::Assistant).count();
        Some(first..first + count)
    }
}

impl State {
    /// Records what the new replies in a list are bound to. Each belongs to the request that was sent with the turns
    /// before it. If several requests fit and are bound to different things, what the reply is bound to is unknown.
    pub(super) fn hand_out<H: Host>(&mut self, list: &List<'_, H>, target: DialectId) -> Result<(), Error> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(self.pending.iter().map(|one| Pending { given: None, pinned: Vec::new(), ..one.clone() }));
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
        let behind = list.behind(length, self.adopted);
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
            list.reply(one.length).is_some_and(|run| list.thinks(run, |token| self.record(token).is_some()))
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
        let tokens = reply.iter().flat_map(|turn| seen::tokens(turn));
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
}
