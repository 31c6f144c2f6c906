//! Puts the results of each run of assistant turns directly after it, and everything that was in between after the
//! results.
//!
//! Turns in the right place do not change. A turn with only results moves as a whole. A result in a mixed turn moves
//! alone. The other content of a turn with results stays in that turn, after the results.

mod answers;
mod part;
mod piece;

use std::{ops::Range, sync::Arc};

use self::answers::Answers;
use super::stands_among_results;
use crate::{
    model::Kind,
    pairing::{Fate, Matching},
    report::{Change, Edit, Sources, provenance, sentence},
    stage::{DraftTurn, Policy, size},
    value::{Host, Text},
};

/// A part of a turn in the new order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A call, an index of `Matching::calls`.
    Call(usize),
    /// A result, an index of `Matching::results`.
    Result(usize),
    /// A made-up result for a call, an index of `Matching::calls`.
    Made(usize),
    /// Any other part of the current turn, by its index there.
    Part(usize),
}

struct Layout<'p, H: Host> {
    slots: &'p [DraftTurn<H>],
    matching: &'p Matching<'p>,
    /// The new ids by call.
    names: &'p [Option<Text<H>>],
    /// The caller's text of a made-up result.
    missing: Option<&'p Text<H>>,
    /// The caller's elements that each given turn was made from. `None` if each is its own.
    origins: Option<&'p [Sources]>,
    /// The lengths of the given list at earlier requests that have a reply.
    answered: &'p [usize],
    rules: &'p Policy<'p>,
    /// The first result and the first call of each slot, and where the last ones end.
    results_at: Vec<usize>,
    calls_at: Vec<usize>,
    /// The first result of each slot that is kept.
    kept: Vec<Option<usize>>,
    out: Vec<DraftTurn<H>>,
    entries: Vec<Change>,
}

pub(super) fn lay<H: Host>(
    slots: &[DraftTurn<H>],
    matching: &Matching<'_>,
    (names, missing): (&[Option<Text<H>>], Option<&Text<H>>),
    (origins, answered): (Option<&[Sources]>, &[usize]),
    rules: &Policy,
) -> (Vec<DraftTurn<H>>, Vec<Change>) {
    let results_at = starts(slots.len(), matching.results.iter().map(|result| result.turn));
    let calls_at = starts(slots.len(), matching.calls.iter().map(|call| call.turn));
    let mut kept = vec![None; slots.len()];
    for (at, result) in matching.results.iter().enumerate() {
        if matches!(result.fate, Fate::Of(_) | Fate::OnServer | Fate::Unnamed) {
            kept[result.turn].get_or_insert(at);
        }
    }
    let out = Vec::with_capacity(slots.len() + 8);
    let mut layout = Layout {
        slots,
        matching,
        names,
        missing,
        origins,
        answered,
        rules,
        results_at,
        calls_at,
        kept,
        out,
        entries: Vec::new(),
    };
    layout.report_results();
    let first = matching.runs.first().map_or(slots.len(), |run| run.start);
    (0..first).for_each(|slot| layout.rest(slot));
    for (at, run) in matching.runs.iter().enumerate() {
        let end = matching.runs.get(at + 1).map_or(slots.len(), |next| next.start);
        layout.run(run.clone(), run.end..end);
    }
    (layout.out, layout.entries)
}

/// Where each slot begins among sorted slot numbers, and where the last one ends.
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

    /// How many parts of a slot are not results. A turn without parts counts as content.
    fn others(&self, slot: usize) -> usize {
        let parts = self.slots[slot].turn.parts.len();
        if parts == 0 { 1 } else { parts - self.results(slot).len() }
    }

    /// The parts of a slot in their current order.
    fn items(&self, slot: usize) -> impl Iterator<Item = Item> {
        let (mut call, mut result) = (self.calls_at[slot], self.results_at[slot]);
        self.slots[slot].turn.parts.iter().enumerate().map(move |(at, part)| match part.kind {
            Kind::Call(_) => {
                call += 1;
                Item::Call(call - 1)
            }
            Kind::Result(_) => {
                result += 1;
                Item::Result(result - 1)
            }
            _ => Item::Part(at),
        })
    }

    /// Whether a part stays in its turn: it is not a result, or stays there as one.
    fn stays(&self, item: &Item) -> bool {
        !matches!(*item, Item::Result(at) if !self.is_at_home(at))
    }

    /// Whether a result stays where it is: its call is on the server, or not named, or may wait for it.
    fn is_at_home(&self, result: usize) -> bool {
        matches!(self.matching.results[result].fate, Fate::OnServer | Fate::Unnamed) || self.matching.is_awaited(result)
    }

    /// Lays out a run of assistant turns and what follows it. A reply begins a run of its own, if the request before it went
    /// out with made-up results.
    fn run(&mut self, run: Range<usize>, tail: Range<usize>) {
        let mut start = run.start;
        for slot in run.start + 1..run.end {
            let waited = self.calls(&(start..slot)).any(|call| {
                let call = &self.matching.calls[call];
                call.result.is_none() && !call.waits
            });
            if waited && self.is_reply(slot) {
                self.exchange(start..slot, slot..slot);
                start = slot;
            }
        }
        self.exchange(start..run.end, tail);
    }

    /// Whether a slot is the first of a reply to an earlier request.
    fn is_reply(&self, slot: usize) -> bool {
        let index = self.slots[slot].index;
        self.slots[slot - 1].index < index && self.answered.binary_search(&index).is_ok()
    }

    /// Lays out a run of assistant turns and what follows it up to the next run.
    fn exchange(&mut self, run: Range<usize>, tail: Range<usize>) {
        let calls = self.calls(&run);
        run.for_each(|slot| self.rest(slot));
        // User text about only the calls comes before their results.
        let about = |slot: &usize| stands_among_results(&self.slots[*slot].turn);
        let told = tail.clone().take_while(about).count();
        (tail.start..tail.start + told).for_each(|slot| self.rest(slot));
        let tail = tail.start + told..tail.end;
        let Answers { apart, mixed, end } = self.answers(&calls, &tail);
        self.pieces(&apart);
        if let Some((slot, items)) = mixed {
            self.push(slot, &items);
        }
        (end..tail.end).for_each(|slot| self.rest(slot));
    }

    /// Writes a turn without the results that belong elsewhere.
    fn rest(&mut self, slot: usize) {
        let items: Vec<_> = self.items(slot).filter(|item| self.stays(item)).collect();
        self.push(slot, &items);
    }

    /// Writes a slot's turn with these parts. If they are its own parts, the turn stays the same. If there are no
    /// parts, nothing is written.
    fn push(&mut self, slot: usize, items: &[Item]) {
        let DraftTurn { turn, index, sources } = &self.slots[slot];
        if items.is_empty() && !turn.parts.is_empty() {
            return;
        }
        let as_it_was = |(part, item): (usize, &Item)| match *item {
            Item::Part(at) => at == part,
            Item::Call(at) => self.matching.calls[at].part == part && self.names[at].is_none(),
            Item::Result(at) => {
                let site = &self.matching.results[at];
                site.turn == slot && site.part == part && self.result_name(at).is_none()
            }
            Item::Made(_) => false,
        };
        let turn = if items.len() == turn.parts.len() && items.iter().enumerate().all(as_it_was) {
            turn.clone()
        } else {
            let parts = items.iter().map(|item| self.part(*item, Some(slot))).collect();
            Arc::new(turn.touch_with(parts))
        };
        // A result from another turn adds that turn to the sources.
        let moved = self.sources(items);
        let sources = if moved.iter().all(|one| sources.contains(one)) {
            sources.clone()
        } else {
            provenance::own_first(sources.iter().copied().chain(moved))
        };
        self.out.push(DraftTurn { turn, index: *index, sources });
    }

    /// The new id of a result: the id of its call, if that is new or the result came without one.
    fn result_name(&self, result: usize) -> Option<Text<H>> {
        let call = self.call_of(result)?;
        match &self.names[call] {
            Some(new) => Some(new.share()),
            None if self.matching.has_id_of(result, call) => None,
            None => Some(Text::own(&String::from_utf8_lossy(self.matching.call_id(call)))),
        }
    }

    fn call_of(&self, result: usize) -> Option<usize> {
        match self.matching.results[result].fate {
            Fate::Of(call) => Some(call),
            _ => None,
        }
    }

    fn report_results(&mut self) {
        for at in 0..self.matching.results.len() {
            match self.matching.results[at].fate {
                Fate::Orphan => self.report_result(at, Edit::OrphanResult, "no call has this id"),
                Fate::Duplicate(_) => self.report_result(at, Edit::DuplicateResult, self.why_left_out(at)),
                Fate::Of(call) if self.names[call].is_none() && !self.matching.has_id_of(at, call) => {
                    self.report_result(
                        at,
                        Edit::RenamedId,
                        "its call has no other result, and one of the two has no id",
                    );
                }
                Fate::Of(_) | Fate::OnServer | Fate::Unnamed => {}
            }
        }
    }

    /// Why a result that is not the one of its call is left out.
    fn why_left_out(&self, at: usize) -> &'static str {
        let site = &self.matching.results[at];
        let progress = self.slots[site.turn].turn.parts[site.part].is_progress();
        if progress { sentence::PROGRESS } else { "its call has another result" }
    }

    fn report_result(&mut self, at: usize, code: Edit, why: &'static str) {
        let site = &self.matching.results[at];
        let slot = &self.slots[site.turn];
        let bytes = match &slot.turn.parts[site.part].kind {
            Kind::Result(result) => size::result(&slot.turn, result),
            _ => 0,
        };
        let gone = matches!(code, Edit::OrphanResult | Edit::DuplicateResult);
        // Unknown keys of its turn are dropped too.
        let whole = gone && slot.turn.parts.len() == 1 && slot.turn.extras.is_some();
        let path = if whole { slot.path() } else { slot.path_of(site.part) };
        let entry = Change::new(code, slot.index, path, why);
        let id = String::from_utf8_lossy(self.matching.result_id(at)).into_owned();
        let mut entry = entry.of(id).sized(bytes, if gone { 0 } else { bytes });
        if code == Edit::RenamedId {
            entry.new_id = self.result_name(at).map(|id| id.to_str(None).into_owned());
        }
        self.entries.push(entry);
    }
}
