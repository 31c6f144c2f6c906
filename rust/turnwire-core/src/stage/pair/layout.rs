//! Where results stand: each run of assistant turns, its results right behind it, then everything that stood between.
//!
//! Turns that are right already go through as they are. A turn of nothing but results moves whole; a result out of a mixed
//! turn moves alone. What was said in a turn with results stays there, behind them.

mod part;

use std::{ops::Range, sync::Arc};

use super::{
    matching::{Fate, Plan},
    waits,
};
use crate::{
    dialect::DialectId,
    handle::Host,
    part::Kind,
    receipt::{Change, Entry},
    stage::{Rules, Slot, size},
    turn::{Role, Turn},
};

/// One thing in a run of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A result, an index of `Plan::results`.
    Result(usize),
    /// A result that is made for a call, an index of `Plan::calls`.
    Made(usize),
    /// A slot whose results belong to calls on the server.
    Slot(usize),
    /// Any part of the turn that is written, by its index there.
    Part(usize),
}

struct Layout<'p, H: Host> {
    slots: &'p [Slot<H>],
    plan: &'p Plan<'p>,
    rules: &'p Rules,
    /// The first result and the first call of each slot, and one more of each.
    results_at: Vec<usize>,
    calls_at: Vec<usize>,
    out: Vec<Slot<H>>,
    entries: Vec<Entry>,
}

pub(super) fn lay<H: Host>(slots: &[Slot<H>], plan: &Plan<'_>, rules: &Rules) -> (Vec<Slot<H>>, Vec<Entry>) {
    let results_at = starts(slots.len(), plan.results.iter().map(|result| result.slot));
    let calls_at = starts(slots.len(), plan.calls.iter().map(|call| call.slot));
    let out = Vec::with_capacity(slots.len() + 8);
    let mut layout = Layout { slots, plan, rules, results_at, calls_at, out, entries: Vec::new() };
    layout.report_dropped();
    let first = plan.blocks.first().map_or(slots.len(), |block| block.start);
    (0..first).for_each(|slot| layout.rest(slot));
    for (at, block) in plan.blocks.iter().enumerate() {
        let end = plan.blocks.get(at + 1).map_or(slots.len(), |next| next.start);
        layout.exchange(block.clone(), block.end..end);
    }
    (layout.out, layout.entries)
}

/// For sorted slot numbers: where each slot's begin, and the end.
fn starts(slots: usize, sorted: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; slots + 1];
    for slot in sorted {
        starts[slot + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

impl<H: Host> Layout<'_, H> {
    fn results(&self, slot: usize) -> Range<usize> {
        self.results_at[slot]..self.results_at[slot + 1]
    }

    fn calls(&self, slots: &Range<usize>) -> Range<usize> {
        self.calls_at[slots.start]..self.calls_at[slots.end]
    }

    /// How many parts of a slot are no results; a turn without any part says something by being there.
    fn others(&self, slot: usize) -> usize {
        let parts = self.slots[slot].turn.parts.len();
        if parts == 0 { 1 } else { parts - self.results(slot).len() }
    }

    /// A run of assistant turns and what follows it up to the next.
    fn exchange(&mut self, block: Range<usize>, tail: Range<usize>) {
        let calls = self.calls(&block);
        let mut last = block.end;
        while last > block.start && waits(&self.slots[last - 1].turn) {
            last -= 1;
            let slot = &self.slots[last];
            let why = "the target refuses reasoning that is not followed by what it led to";
            let size = size::turn(&slot.turn);
            self.entries.push(Entry::new(Change::LoneReasoning, slot.index, slot.path(), why).sized(size, 0));
        }
        (block.start..last).for_each(|slot| self.rest(slot));
        let (mut run, mixed, end) = self.in_place(&calls, &tail);
        self.add_moved(&mut run, &calls, mixed, tail.start..end);
        let live =
            self.rules.keep_open && tail.end == self.slots.len() && tail.clone().all(|slot| self.others(slot) == 0);
        if !live {
            self.add_missing(&mut run, &calls);
        }
        if self.rules.limits.is_some_and(|limits| limits.results_in_call_order) {
            self.order(&mut run);
        }
        let split =
            run.iter().position(|item| matches!(item, Item::Result(at) if Some(self.plan.results[*at].slot) == mixed));
        let (pieces, inside) = run.split_at(split.unwrap_or(run.len()));
        self.pieces(pieces);
        if let Some(mixed) = mixed {
            self.mixed(mixed, inside);
        }
        (end..tail.end).for_each(|slot| self.rest(slot));
    }

    /// The results that stand where they should: those of the turns right behind the calls, the last of which may say
    /// something else as well. Also that last turn, and the end of those turns.
    fn in_place(&self, calls: &Range<usize>, tail: &Range<usize>) -> (Vec<Item>, Option<usize>, usize) {
        let (mut run, mut end) = (Vec::new(), tail.start);
        for slot in tail.clone() {
            let before = run.len();
            let mut on_server = false;
            for at in self.results(slot) {
                match self.plan.results[at].fate {
                    Fate::Of(call) if calls.contains(&call) => run.push(Item::Result(at)),
                    Fate::OnServer => on_server = true,
                    _ => {}
                }
            }
            let others = self.others(slot);
            if run.len() == before {
                if others > 0 {
                    break;
                }
                if on_server {
                    run.push(Item::Slot(slot));
                }
            }
            end = slot + 1;
            if others > 0 || (on_server && run.len() > before && run.last() != Some(&Item::Slot(slot))) {
                return (run, Some(slot), end);
            }
        }
        (run, None, end)
    }

    /// The results that stand elsewhere, in the order of the conversation.
    fn add_moved(&mut self, run: &mut Vec<Item>, calls: &Range<usize>, mixed: Option<usize>, place: Range<usize>) {
        let mut moved: Vec<_> = self.plan.calls[calls.clone()].iter().filter_map(|call| call.result).collect();
        moved.sort_unstable();
        for at in moved {
            let site = &self.plan.results[at];
            let in_place = place.contains(&site.slot);
            // In a mixed turn, what is said first ends the run.
            let late = Some(site.slot) == mixed && {
                let parts = &self.slots[site.slot].turn.parts[..site.part];
                parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)))
            };
            if !in_place {
                run.push(Item::Result(at));
            }
            if !in_place || late {
                self.report_result(at, Change::MovedResult, "it stood apart from its call");
            }
        }
    }

    fn add_missing(&mut self, run: &mut Vec<Item>, calls: &Range<usize>) {
        for at in calls.clone() {
            let call = &self.plan.calls[at];
            if call.result.is_none() {
                run.push(Item::Made(at));
                let slot = &self.slots[call.slot];
                let text = self.missing_text(at);
                let why = "no result was recorded: an error result that says so was added";
                let entry = Entry::new(Change::MissingResult, slot.index, slot.path_of(call.part), why);
                self.entries.push(entry.of(String::from_utf8_lossy(&call.id).into_owned()).sized(0, text.len()));
            }
        }
    }

    /// Sorts a run by its calls; what belongs to the server keeps its place behind what stood before it.
    fn order(&mut self, run: &mut [Item]) {
        let mut latest = 0;
        let mut keyed: Vec<_> = run
            .iter()
            .map(|item| {
                latest = match *item {
                    Item::Result(at) => self.call_of(at).unwrap_or(latest),
                    Item::Made(call) => call,
                    Item::Slot(_) | Item::Part(_) => latest,
                };
                (latest, *item)
            })
            .collect();
        let mut highest = 0;
        let results = keyed.iter().filter_map(|(_, item)| if let Item::Result(at) = item { Some(*at) } else { None });
        for at in results {
            let call = self.call_of(at).unwrap_or(0);
            if call < highest {
                self.report_result(
                    at,
                    Change::ReorderedResult,
                    "the target tells results apart by the order of their calls",
                );
            }
            highest = highest.max(call);
        }
        keyed.sort_by_key(|(call, _)| *call);
        for (place, (_, item)) in run.iter_mut().zip(keyed) {
            *place = item;
        }
    }

    fn call_of(&self, result: usize) -> Option<usize> {
        match self.plan.results[result].fate {
            Fate::Of(call) => Some(call),
            _ => None,
        }
    }

    /// Results in turns of their own: whole turns where they hold just these.
    fn pieces(&mut self, run: &[Item]) {
        let first = self.out.len();
        let mut at = 0;
        while let Some(item) = run.get(at) {
            at += 1;
            match *item {
                Item::Slot(slot) => self.rest(slot),
                Item::Result(result) => {
                    let slot = self.plan.results[result].slot;
                    let parts = self.whole(slot, &run[at - 1..]);
                    if parts > 0 {
                        let items: Vec<_> = run[at - 1..at - 1 + parts].to_vec();
                        at += parts - 1;
                        self.push(slot, &items);
                    } else {
                        self.attach(*item, first);
                    }
                }
                Item::Made(_) | Item::Part(_) => self.attach(*item, first),
            }
        }
    }

    /// How many results the slot's turn holds, when it holds nothing but the first of `run`, in that order; else 0.
    fn whole(&self, slot: usize, run: &[Item]) -> usize {
        let results = self.results(slot);
        let Some(Item::Result(first)) = run.first() else { return 0 };
        let call = self.call_of(*first);
        let kept: Vec<_> = results
            .filter(|at| !matches!(self.plan.results[*at].fate, Fate::Orphan | Fate::Duplicate))
            .map(Item::Result)
            .collect();
        let same_block = call.is_some() && run.starts_with(&kept);
        if self.others(slot) == 0 && same_block { kept.len() } else { 0 }
    }

    /// A single result: at the end of the results before it where those share a user's turn, else as a turn of its own.
    fn attach(&mut self, item: Item, first: usize) {
        let from = match item {
            Item::Result(at) => self.slots[self.plan.results[at].slot].turn.from,
            Item::Made(call) => self.slots[self.plan.calls[call].slot].turn.from,
            Item::Slot(_) | Item::Part(_) => DialectId::NONE,
        };
        let shared = self.out.len() > first
            && self.out.last().is_some_and(|slot| slot.turn.role == Role::User && slot.turn.from == from);
        let index = match item {
            Item::Result(at) => self.slots[self.plan.results[at].slot].index,
            Item::Made(call) => self.slots[self.plan.calls[call].slot].index,
            Item::Slot(_) | Item::Part(_) => 0,
        };
        let part = self.part(item, None, from);
        match self.out.last_mut() {
            Some(slot) if shared => {
                let mut turn = slot.turn.touch();
                turn.parts.push(part);
                slot.turn = Arc::new(turn);
            }
            _ => {
                let turn = Turn { from, touched: true, ..Turn::new(Role::Tool, [part]) };
                self.out.push(Slot { turn: Arc::new(turn), index });
            }
        }
    }

    /// A turn of results and something else: the results first.
    fn mixed(&mut self, slot: usize, results: &[Item]) {
        let mut items: Vec<_> = results.to_vec();
        items.extend((0..self.slots[slot].turn.parts.len()).map(Item::Part).filter(|item| self.stays(slot, *item)));
        self.push(slot, &items);
    }

    /// A turn without the results that belong elsewhere.
    fn rest(&mut self, slot: usize) {
        let turn = &self.slots[slot].turn;
        if self.results(slot).is_empty() && self.names(slot).next().is_none() {
            self.out.push(Slot { turn: turn.clone(), index: self.slots[slot].index });
            return;
        }
        let items: Vec<_> = (0..turn.parts.len()).map(Item::Part).filter(|item| self.stays(slot, *item)).collect();
        self.push(slot, &items);
    }

    /// Whether a part is no result, or one whose call is on the server.
    fn stays(&self, slot: usize, item: Item) -> bool {
        let Item::Part(part) = item else { return true };
        match self.results(slot).find(|at| self.plan.results[*at].part == part) {
            Some(at) => self.plan.results[at].fate == Fate::OnServer,
            None => true,
        }
    }

    /// The names that calls of this slot get.
    fn names(&self, slot: usize) -> impl Iterator<Item = &String> {
        self.plan.calls[self.calls(&(slot..slot + 1))].iter().filter_map(|call| call.name.as_ref())
    }

    /// Writes a slot's turn with these parts: the same turn where they are the ones it has. Nothing for no parts.
    fn push(&mut self, slot: usize, items: &[Item]) {
        let Slot { turn, index } = &self.slots[slot];
        if items.is_empty() && !turn.parts.is_empty() {
            return;
        }
        let as_it_was = |(part, item): (usize, &Item)| match *item {
            Item::Part(at) => at == part && self.call_name(slot, at).is_none(),
            Item::Result(at) => {
                let site = &self.plan.results[at];
                site.slot == slot && site.part == part && self.result_name(at).is_none()
            }
            Item::Made(_) | Item::Slot(_) => false,
        };
        let turn = if items.len() == turn.parts.len() && items.iter().enumerate().all(as_it_was) {
            turn.clone()
        } else {
            let mut new = turn.touch();
            new.parts = items.iter().map(|item| self.part(*item, Some(slot), turn.from)).collect();
            Arc::new(new)
        };
        self.out.push(Slot { turn, index: *index });
    }

    fn call_name(&self, slot: usize, part: usize) -> Option<&str> {
        let mut calls = self.plan.calls[self.calls(&(slot..slot + 1))].iter();
        calls.find(|call| call.part == part).and_then(|call| call.name.as_deref())
    }

    fn result_name(&self, result: usize) -> Option<&str> {
        self.call_of(result).and_then(|call| self.plan.calls[call].name.as_deref())
    }

    fn report_dropped(&mut self) {
        for at in 0..self.plan.results.len() {
            match self.plan.results[at].fate {
                Fate::Orphan => self.report_result(at, Change::OrphanResult, "no call has this id"),
                Fate::Duplicate => self.report_result(at, Change::DuplicateResult, "its call has another result"),
                Fate::Of(_) | Fate::OnServer => {}
            }
        }
    }

    fn report_result(&mut self, at: usize, code: Change, why: &'static str) {
        let site = &self.plan.results[at];
        let slot = &self.slots[site.slot];
        let bytes = match slot.turn.parts.get(site.part).map(|part| &part.kind) {
            Some(Kind::Result(result)) => size::result(result, slot.turn.input.as_ref()),
            _ => 0,
        };
        let gone = matches!(code, Change::OrphanResult | Change::DuplicateResult);
        let entry = Entry::new(code, slot.index, slot.path_of(site.part), why);
        let id = String::from_utf8_lossy(&site.id).into_owned();
        self.entries.push(entry.of(id).sized(bytes, if gone { 0 } else { bytes }));
    }
}
