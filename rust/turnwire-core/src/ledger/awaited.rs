//! The requests whose summaries are still to come: one for each conversation that a ledger serves.

use std::sync::Arc;

use super::{
    adopted::summary,
    lists::List,
    records::Record,
    state::{Pending, State},
};
use crate::{model::turn::Turn, value::handle::Host};

/// How many other conversations may wait for a summary.
const MOST: usize = 32;

/// A request that a provider was asked to summarise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Awaited {
    pub(super) request: Pending,
    /// A hash of its first words, without system text.
    pub(super) words: u64,
    /// How many summaries of it are still to come.
    pub(super) asked: usize,
}

impl State {
    /// Puts the request whose summary this list's conversation awaits into its place, and that of another one aside.
    pub(super) fn await_here<H: Host>(&mut self, list: &List<'_, H>, turns: &[Arc<Turn<H>>]) {
        // The last of all is the one in its place.
        let mut all = std::mem::take(&mut self.elsewhere_awaited);
        let is_any = self.summarised.is_some();
        if let Some(request) = self.summarised.take() {
            all.push(Awaited { request, words: self.words, asked: std::mem::take(&mut self.asked) });
        }
        let here = if all.is_empty() { None } else { self.awaited_in(&all, list, turns, is_any) };
        if let Some(at) = here {
            let one = all.remove(at);
            (self.summarised, self.words, self.asked) = (Some(one.request), one.words, one.asked);
        }
        let too_many = all.len().saturating_sub(MOST);
        all.drain(..too_many);
        self.elsewhere_awaited = all;
    }

    /// Which of the requests is of this list's conversation.
    fn awaited_in<H: Host>(
        &self,
        all: &[Awaited],
        list: &List<'_, H>,
        turns: &[Arc<Turn<H>>],
        is_last_in_place: bool,
    ) -> Option<usize> {
        let words = list.words();
        let of = |is_it: &dyn Fn(&Awaited) -> bool| all.iter().rposition(is_it);
        // An earlier version stored no words.
        let begins = |one: &Awaited| one.words == words || one.words == 0;
        let is_reply =
            |token, one: &Pending| matches!(self.record(token), Some(Record::Bound { all, .. }) if *all == one.all);
        // The first words may have been edited since, or a summary stands in their place: then reasoning tells.
        let thinks =
            |one: &Awaited| list.tokens().any(|token| one.request.last == Some(token) || is_reply(token, &one.request));
        let goes_on = |one: &Pending| {
            let was_here = |last: &Pending| last.behind.is_some() && last.root == one.root;
            let is_adopted = |turn: &Arc<Turn<H>>| summary(turn) == self.adopted.map(|one| one.restart.token);
            one.behind.is_some() && self.pending.last().is_some_and(was_here) && turns.iter().any(is_adopted)
        };
        // Nothing tells: the summary that has come is taken for the last one that it may be.
        let first = turns.iter().position(|turn| !turn.role.is_system());
        let may_be = |one: &Awaited| {
            let mut new = (0..turns.len()).filter(|at| self.is_new_summary(&turns[*at]));
            new.any(|at| at >= one.request.length || Some(at) == first)
        };
        of(&|one| one.request.root == list.root())
            .or_else(|| of(&begins))
            .or_else(|| of(&thinks))
            .or_else(|| all.len().checked_sub(1).filter(|last| is_last_in_place && goes_on(&all[*last].request)))
            .or_else(|| of(&may_be))
    }
}
