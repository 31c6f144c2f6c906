//! Finds the request that a new summary is of, among those whose summaries are still to come.

use std::sync::Arc;

use super::{
    adopted::Adopted,
    awaited::{Awaited, Said},
    identity::{summary, tokens},
    list::{ENOUGH, List, WHOLE},
    pending::Pending,
    records::Record,
    state::State,
};
use crate::{
    model::{Role, Turn},
    report::Error,
    rules::DialectId,
    stage::Compacted,
    value::{HashSet, Host},
};

/// How many other requests may wait for a summary.
const MOST: usize = 32;

impl State {
    /// Puts the request whose summary this list's conversation awaits into its place, and that of another one aside.
    pub(super) fn await_here<H: Host>(&mut self, list: &List<'_, H>) {
        // The last of all is the one in its place.
        let mut all = std::mem::take(&mut self.elsewhere_awaited);
        let is_any = self.summarised.is_some();
        all.extend(self.awaits());
        let here = if all.is_empty() { None } else { self.awaited_in(&all, list, is_any) };
        if let Some(at) = here {
            let one = all.remove(at);
            (self.summarised, self.said, self.asked) = (Some(one.request), one.said, one.asked);
        }
        self.elsewhere_awaited = all;
        self.forget_awaited();
    }

    /// Awaits a summary of a request, once more if it is awaited already.
    pub(super) fn ask<H: Host>(&mut self, request: Option<Pending>, list: &List<'_, H>) {
        let waits = self.summarised.as_ref().zip(request.as_ref()).is_some_and(|(waits, now)| now.is_again(waits));
        if waits {
            self.asked += 1;
            return;
        }
        // It may be that of another conversation, whose list begins like this one. That has no thought of this list, and
        // goes on with other replies, or has other reasoning.
        let now = Said::of(list);
        let thoughts = list.thoughts(&now.turns);
        let is_here = |one: &Awaited| {
            let said = &one.said;
            let has_reply = || said.turns.iter().any(|turn| turn & 1 == 1);
            said.is_whole(&now.turns) && has_reply() || said.turns.iter().any(|turn| thoughts.contains(turn))
        };
        let other = self.awaits().filter(|one| !is_here(one) || self.is_elsewhere(&one.request, list));
        self.elsewhere_awaited.extend(other);
        self.forget_awaited();
        (self.summarised, self.said, self.asked) = (request, now, 1);
    }

    /// Takes the request that is in its place.
    fn awaits(&mut self) -> Option<Awaited> {
        let request = self.summarised.take()?;
        let (said, asked) = (std::mem::take(&mut self.said), std::mem::take(&mut self.asked));
        Some(Awaited { request, said, asked })
    }

    fn forget_awaited(&mut self) {
        let too_many = self.elsewhere_awaited.len().saturating_sub(MOST);
        self.elsewhere_awaited.drain(..too_many);
    }

    /// The place of a new summary of the awaited request in a list, and how many turns it covers.
    pub(super) fn covered<H: Host>(&self, list: &List<'_, H>) -> Option<(usize, usize)> {
        let turns = list.turns;
        let asked = self.summarised.as_ref()?;
        let each = list.each();
        let is_new = |at: &usize| self.is_new_summary(&turns[*at]) && !self.said.turns.contains(&each[*at]);
        let at = (0..turns.len()).find(is_new)?;
        let covers = if self.said.turns.is_empty() { asked.length } else { self.said.covers(&each).0 };
        Some((at, covers.min(at)))
    }

    /// Whether a request is of another conversation than a list, as the reasoning of both tells.
    pub(super) fn is_elsewhere<H: Host>(&self, one: &Pending, list: &List<'_, H>) -> bool {
        let Some(newest) = one.last.filter(|_| list.first(one.length) != Some(one.list)) else { return false };
        let before: HashSet<_> = self.thought_before(newest).collect();
        let is_here = |token| before.contains(&token) || self.thought_before(token).any(|token| token == newest);
        let mut bound =
            list.tokens().filter(|token| matches!(self.record(*token), Some(Record::Bound { .. }))).peekable();
        bound.peek().is_some() && !bound.any(is_here)
    }

    /// The newest requests before a reply, where a new summary has come and what it covers counts as it was.
    pub(super) fn asked_before<H: Host>(&self, waiting: &[Pending], list: &List<'_, H>, reply: usize) -> Vec<usize> {
        let (Some(asked), Some((at, covers))) = (&self.summarised, self.covered(list)) else { return Vec::new() };
        let length = self.said.turns.len();
        let later: Vec<_> = (covers..reply).filter(|index| *index != at).collect();
        let mut sums = vec![self.said.all];
        for (count, index) in later.iter().enumerate() {
            let most = if length + count < WHOLE { usize::MAX } else { ENOUGH };
            sums.push(list.with(sums[count], *index, most));
        }
        let is_said = |one: &Pending| {
            let end = one.length.checked_sub(length + 1).and_then(|place| Some((later.get(place)?, sums[place])));
            // The summarised request itself has its reply, if another one follows what the summary covers.
            let is_first = || !later.iter().any(|index| list.turns[*index].role == Role::Assistant);
            end.is_some_and(|(index, sum)| list.with(sum, *index, usize::MAX) == one.list)
                || asked.is_again(one) && is_first()
        };
        let found = (0..waiting.len()).filter(|at| length > 0 && is_said(&waiting[*at]));
        let newest = found.clone().map(|at| waiting[at].length).max();
        found.filter(|at| Some(waiting[*at].length) == newest).collect()
    }

    /// Records what the first new reply is bound to where a summary stands in the place of what it covers: then the list
    /// may be shorter than that of each request.
    pub(super) fn hand_out_behind<H: Host>(
        &mut self,
        list: &List<'_, H>,
        waiting: &mut [Pending],
        target: DialectId,
    ) -> Result<(), Error> {
        if self.summarised.is_none() {
            return Ok(());
        }
        let is_new = |turn: &Arc<Turn<H>>| tokens(turn).any(|token| self.record(token).is_none());
        let Some(first) = list.turns.iter().position(is_new) else { return Ok(()) };
        let asked = self.asked_before(waiting, list, first);
        if asked.is_empty() {
            return Ok(());
        }
        let asked = self.candidates(waiting, &asked, Self::are_near);
        self.record_one(&list.turns[first..], (waiting, &asked), target)?;
        if let [one] = asked[..] {
            waiting[one].answered = true;
        }
        Ok(())
    }

    /// Which of the requests is of this list's conversation.
    fn awaited_in<H: Host>(&self, all: &[Awaited], list: &List<'_, H>, is_last_in_place: bool) -> Option<usize> {
        let turns = list.turns;
        let (words, root, each) = (list.words(), list.root(), list.each());
        // An earlier version stored no words.
        let begins = |one: &Awaited| one.request.root == root || one.said.words == words || one.said.words == 0;
        // The first words may have been edited since, or a summary stands in their place: then reasoning tells.
        let thinks = |one: &Awaited| self.is_thought(&one.request, list);
        let goes_on = |at: usize| {
            let was_here = |last: &Pending| last.behind.is_some() && last.root == all[at].request.root;
            let is_adopted =
                |turn: &Arc<Turn<H>>| self.adopted.as_ref().is_some_and(|one| summary(turn) == Some(one.restart.token));
            let is_last = is_last_in_place && at + 1 == all.len() && all[at].request.behind.is_some();
            is_last && self.pending.last().is_some_and(was_here) && turns.iter().any(is_adopted)
        };
        // Nothing tells: the summary that has come is taken for the last one that it may be.
        let may_be = |one: &Awaited| {
            let mut new = (0..turns.len()).filter(|at| self.is_new_summary(&turns[*at]));
            new.any(|at| !one.said.turns.contains(&each[at]))
        };
        // Conversations may begin with the same words. Then the one is meant of which more is there.
        let likely = |at: usize| {
            let one = &all[at];
            let (is_whole, thinks) = (one.said.is_whole(&each), thinks(one));
            (is_whole && thinks, is_whole, thinks, begins(one), one.said.covers(&each).1)
        };
        let is_it = |at: &usize| thinks(&all[*at]) || begins(&all[*at]) || all[*at].said.is_whole(&each);
        let open: Vec<_> = (0..all.len()).filter(|at| !self.has_come(&all[*at], (list, &each))).collect();
        let likeliest = open.iter().copied().filter(is_it).max_by_key(|at| likely(*at));
        let mut newest = open.iter().rev().copied();
        let going_on = || newest.clone().find(|at| goes_on(*at));
        likeliest.or_else(going_on).or_else(|| newest.find(|at| may_be(&all[*at])))
    }

    /// Whether a summary of this request is in a list. Another one may still come to another conversation that has sent
    /// the same request.
    fn has_come<H: Host>(&self, one: &Awaited, (list, each): (&List<'_, H>, &[u64])) -> bool {
        let of_it = |known: &&Adopted| known.is_of(&one.request);
        let mut come = self.adopted.iter().chain(&self.elsewhere).filter(of_it);
        // A request that is nothing but an earlier summary has said that one, and awaits its own.
        let is_new = |at: usize| !one.said.turns.contains(&each[at]);
        let is_in = |token| (0..each.len()).any(|at| summary(&list.turns[at]) == Some(token) && is_new(at));
        come.any(|known| is_in(known.restart.token))
    }

    /// Whether reasoning tells that a request is of a list's conversation: its last thought, or one of a reply to it.
    fn is_thought<H: Host>(&self, one: &Pending, list: &List<'_, H>) -> bool {
        let is_reply = |token| match self.record(token) {
            Some(Record::Bound { all, last }) => *all == one.all || last.is_some() && *last == one.last,
            _ => false,
        };
        list.tokens().any(|token| one.last == Some(token) || is_reply(token))
    }

    /// Goes on to await the other summaries of a request, one of which has come: other conversations may have sent the
    /// same request. If nothing tells that it covers a part of this list, all of them may still come.
    pub(super) fn await_others<H: Host>(&mut self, list: &List<'_, H>, place: Compacted) {
        let Some(mut one) = self.awaits() else { return };
        self.asked = one.asked.saturating_sub(1);
        let is_sure = place.covers > 0 || place.at == 0 || self.is_thought(&one.request, list);
        one.asked -= usize::from(is_sure).min(one.asked);
        if one.asked > 0 {
            self.elsewhere_awaited.push(one);
            self.forget_awaited();
        }
    }

    /// Awaits a repeated summary of the adopted request no longer, because it has come.
    pub(super) fn has_spare(&mut self, adopted: &Adopted) {
        let Some(at) = self.elsewhere_awaited.iter().rposition(|one| adopted.is_of(&one.request)) else { return };
        let one = &mut self.elsewhere_awaited[at];
        one.asked = one.asked.saturating_sub(1);
        if one.asked == 0 {
            self.elsewhere_awaited.remove(at);
        }
    }
}
