//! Pairs calls and results without an id by elimination, then in order. Results may name their tool.

use std::{
    collections::{BTreeSet, VecDeque},
    ops::Range,
};

use super::matching::{Fate, Matching};
use crate::value::HashMap;

impl Matching<'_> {
    /// Pairs calls and results of which one or both have no id. A made-up id counts as none. Real ids are trusted: a
    /// call and a result with different ids never pair.
    pub(super) fn eliminate(&mut self, on_server: bool) {
        self.settle_sole();
        let (mut calls, mut results) = (0, 0);
        for run in 0..self.runs.len() {
            let Range { start, end: behind } = self.runs[run];
            let end = self.runs.get(run + 1).map_or(usize::MAX, |next| next.start);
            let asked = take(&self.calls, &mut calls, |call| call.turn < behind);
            let said = take(&self.results, &mut results, |result| result.turn < end);
            self.settle(asked, said, start);
        }
        self.settle_rest(on_server);
    }

    /// Gives each result that names no call the only call before it that is open, and has its tool if it names one.
    fn settle_sole(&mut self) {
        if !self.results.iter().any(|result| result.sole) {
            return;
        }
        let mut open = BTreeSet::new();
        let mut by_tool: HashMap<Vec<u8>, BTreeSet<usize>> = HashMap::default();
        let mut next = 0;
        for result in 0..self.results.len() {
            if !(self.results[result].sole && self.is_left(result)) {
                continue;
            }
            let before = take(&self.calls, &mut next, |call| (call.turn, call.part) < self.result_place(result));
            for call in before.filter(|call| self.is_open(*call)) {
                open.insert(call);
                by_tool.entry(self.calls[call].name.to_vec()).or_default().insert(call);
            }
            let fitting = match &self.results[result].name {
                Some(name) => by_tool.get(&**name),
                None => Some(&open),
            };
            match fitting.map(|calls| (calls.len(), calls.first().copied())) {
                // Where no call has an id, either, both are told apart by their order.
                Some((2.., Some(_))) if open.iter().all(|call| self.call_id(*call).is_empty()) => {}
                Some((1, Some(call))) => {
                    open.remove(&call);
                    if let Some(calls) = by_tool.get_mut(&*self.calls[call].name) {
                        calls.remove(&call);
                    }
                    if let Some(earlier) = self.calls[call].result {
                        self.results[earlier].fate = Fate::Duplicate(call);
                    }
                    self.pair(call, result);
                }
                _ => self.results[result].fate = Fate::Unnamed,
            }
        }
    }

    /// Whether a call has no result, or only a placeholder for one.
    fn is_open(&self, call: usize) -> bool {
        self.calls[call].result.is_none_or(|result| self.results[result].stand_in)
    }

    /// Pairs what is left of a run: by elimination, then in order, and once more by elimination, because the results without
    /// an id may leave as many calls as results. Results before the turn `start` come before the first run.
    fn settle(&mut self, asked: Range<usize>, said: Range<usize>, start: usize) {
        let is_left = |result: &usize| self.is_left(*result) && self.results[*result].turn >= start;
        let mut left: Vec<_> = said.filter(is_left).collect();
        if left.is_empty() {
            return;
        }
        let mut open: Vec<_> = asked.collect();
        self.settle_alike(&mut open, &mut left);
        let unnamed: Vec<_> = left.iter().copied().filter(|result| self.result_id(*result).is_empty()).collect();
        if !unnamed.is_empty() {
            self.settle_in_order(&open, &unnamed);
            self.settle_alike(&mut open, &mut left);
        }
    }

    /// Pairs by elimination: first by tool, because results may name theirs and come in any order, then all others. Keeps
    /// what is left.
    fn settle_alike(&mut self, open: &mut Vec<usize>, left: &mut Vec<usize>) {
        let keep_rest = |found: &Self, open: &mut Vec<usize>, left: &mut Vec<usize>| {
            open.retain(|call| found.calls[*call].result.is_none());
            left.retain(|result| found.is_left(*result));
        };
        keep_rest(self, open, left);
        for (calls, results) in self.by_tool(open, left).into_values() {
            self.settle_equal(&calls, &results);
        }
        keep_rest(self, open, left);
        self.settle_equal(open, left);
        keep_rest(self, open, left);
    }

    fn is_left(&self, result: usize) -> bool {
        self.results[result].fate == Fate::Orphan
    }

    /// Pairs results without an id in order, each with the first open call before it. A result that names its tool answers
    /// a call of that tool.
    fn settle_in_order(&mut self, open: &[usize], left: &[usize]) {
        let mut by_tool: HashMap<Vec<u8>, VecDeque<usize>> = HashMap::default();
        for call in open {
            by_tool.entry(self.calls[*call].name.to_vec()).or_default().push_back(*call);
        }
        let mut all: VecDeque<_> = open.iter().copied().collect();
        for result in left.iter().copied() {
            let queue = match &self.results[result].name {
                Some(name) => by_tool.get_mut(&**name),
                None => Some(&mut all),
            };
            let Some(queue) = queue else { continue };
            while queue.front().is_some_and(|call| self.calls[*call].result.is_some()) {
                queue.pop_front();
            }
            if let Some(call) = queue.front().copied().filter(|call| self.call_place(*call) < self.result_place(result))
            {
                self.pair(call, result);
            }
        }
    }

    /// The calls and results of each tool that a result names.
    fn by_tool(&self, calls: &[usize], results: &[usize]) -> HashMap<Vec<u8>, (Vec<usize>, Vec<usize>)> {
        let mut tools: HashMap<Vec<u8>, (Vec<usize>, Vec<usize>)> = HashMap::default();
        for result in results {
            if let Some(name) = &self.results[*result].name {
                tools.entry(name.to_vec()).or_default().1.push(*result);
            }
        }
        for call in calls {
            if let Some((calls, _)) = tools.get_mut(&*self.calls[*call].name) {
                calls.push(*call);
            }
        }
        tools
    }

    /// If there are as many calls as results, and each could belong to the one at its place, pairs them in order.
    fn settle_equal(&mut self, open: &[usize], left: &[usize]) {
        let fit = |(call, result): (&usize, &usize)| {
            let asked = self.calls[*call].unnamed.then_some(&self.calls[*call].name);
            let said = self.results[*result].name.as_ref();
            let nameless = self.call_id(*call).is_empty() || self.result_id(*result).is_empty() || asked.is_some();
            let is_same_tool = asked.zip(said).is_none_or(|(asked, said)| asked == said);
            nameless && is_same_tool && self.call_place(*call) < self.result_place(*result)
        };
        if open.len() == left.len() && open.iter().zip(left).all(fit) {
            open.iter().zip(left).for_each(|(call, result)| self.pair(*call, *result));
        }
    }

    /// Pairs a result without an id with a call without one: the next open call of the nearest run before the result.
    /// If no call can be on the server, it may also be the next open call after the result.
    fn settle_rest(&mut self, on_server: bool) {
        let open = |call: &usize| self.calls[*call].result.is_none() && self.call_id(*call).is_empty();
        let left = |at: &usize| self.is_left(*at) && self.result_id(*at).is_empty();
        let mut ahead: VecDeque<_> = (0..self.calls.len()).filter(open).collect();
        let left: Vec<_> = (0..self.results.len()).filter(left).collect();
        let mut runs: Vec<(usize, VecDeque<usize>)> = Vec::new();
        for result in left {
            let place = self.result_place(result);
            let is_before = |call: &usize| self.call_place(*call) < place;
            while let Some(call) = ahead.front().copied().filter(is_before) {
                ahead.pop_front();
                match runs.last_mut() {
                    Some((run, open)) if *run == self.calls[call].run => open.push_back(call),
                    _ => runs.push((self.calls[call].run, [call].into())),
                }
            }
            while runs.pop_if(|(_, open)| open.is_empty()).is_some() {}
            let before = runs.last_mut().and_then(|(_, open)| open.pop_front());
            let behind = || if on_server { None } else { ahead.pop_front() };
            if let Some(call) = before.or_else(behind) {
                self.pair(call, result);
            }
        }
    }

    fn call_place(&self, call: usize) -> (usize, usize) {
        (self.calls[call].turn, self.calls[call].part)
    }

    fn result_place(&self, result: usize) -> (usize, usize) {
        (self.results[result].turn, self.results[result].part)
    }

    pub(super) fn pair(&mut self, call: usize, result: usize) {
        self.calls[call].result = Some(result);
        self.results[result].fate = Fate::Of(call);
    }
}

/// The indices from `next` on for which this holds. Moves `next` past them.
fn take<T>(sites: &[T], next: &mut usize, holds: impl Fn(&T) -> bool) -> Range<usize> {
    let start = *next;
    *next += sites[start..].iter().take_while(|site| holds(site)).count();
    start..*next
}
