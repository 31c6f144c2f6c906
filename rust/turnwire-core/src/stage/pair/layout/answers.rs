//! Orders the results of one run of assistant turns.

use std::ops::Range;

use super::{Item, Layout};
use crate::{
    report::{Change, Edit, sentence},
    rules::Limits,
    stage::pair::lateness,
    value::Host,
};

/// The turns that follow the calls of a run.
pub(super) struct Answers {
    /// Results that get separate turns.
    pub(super) apart: Vec<Item>,
    /// A turn with results and other content, and its parts.
    pub(super) mixed: Option<(usize, Vec<Item>)>,
    /// The end of the slots that the results were taken from.
    pub(super) end: usize,
}

/// The results that are already in the right place.
struct InPlace {
    results: Vec<Item>,
    /// The last of their turns, if it also has other content.
    mixed: Option<usize>,
    /// The end of their turns.
    end: usize,
}

impl<H: Host> Layout<'_, H> {
    /// The results of `calls`. `tail` are the turns after these calls.
    pub(super) fn answers(&mut self, calls: &Range<usize>, tail: &Range<usize>) -> Answers {
        let InPlace { results: mut run, mixed, end } = self.in_place(calls, tail);
        let tidy = !mixed.is_some_and(|slot| self.report_late(slot, calls));
        let before = run.len();
        self.add_moved(&mut run, calls, tail.start..end);
        let live =
            self.rules.keep_open && tail.end == self.slots.len() && tail.clone().all(|slot| self.others(slot) == 0);
        if !live {
            self.add_missing(&mut run, calls);
        }
        let mut as_it_stood = tidy && run.len() == before;
        if self.rules.limits.is_some_and(Limits::orders_results) {
            as_it_stood &= !self.order(&mut run);
        }
        let Some(mixed) = mixed else { return Answers { apart: run, mixed: None, end } };
        let own = run.iter().position(|item| self.slot_of(*item) == mixed).unwrap_or(run.len());
        if as_it_stood {
            run.truncate(own);
            let answers = |item: &Item| matches!(*item, Item::Result(at) if self.answers_one_of(at, calls));
            let items = self.items(mixed).filter(|item| self.stays(item) || answers(item)).collect();
            return Answers { apart: run, mixed: Some((mixed, items)), end };
        }
        // If results of another dialect, or with keys of their own turn, would be in this turn, all results get separate
        // turns.
        let from = |slot: usize| self.slots[slot].turn.from;
        let foreign = |item: &Item| matches!(item, Item::Result(_)) && from(self.slot_of(*item)) != from(mixed);
        let apart = run[own..].iter().any(|item| foreign(item) || self.brings_keys(*item));
        let own = if apart { run.len() } else { own };
        let inside = run.split_off(own).into_iter();
        let items = inside.chain(self.items(mixed).filter(|item| self.stays(item))).collect();
        Answers { apart: run, mixed: Some((mixed, items)), end }
    }

    fn answers_one_of(&self, result: usize, calls: &Range<usize>) -> bool {
        self.call_of(result).is_some_and(|call| calls.contains(&call))
    }

    /// The results in the turns directly after the calls, up to a turn with other content.
    fn in_place(&self, calls: &Range<usize>, tail: &Range<usize>) -> InPlace {
        let (mut results, mut end) = (Vec::new(), tail.start);
        for slot in tail.clone() {
            let others = self.others(slot) > 0;
            let answers = self.results(slot).any(|at| self.answers_one_of(at, calls));
            if others && !answers {
                break;
            }
            end = slot + 1;
            // A result of a call on the server stays with the results around it.
            let stays = |at: &usize| self.answers_one_of(*at, calls) || (!others && self.is_at_home(*at));
            results.extend(self.results(slot).filter(stays).map(Item::Result));
            if others {
                return InPlace { results, mixed: Some(slot), end };
            }
        }
        InPlace { results, mixed: None, end }
    }

    /// Reports results after other content in the same list. Returns whether there are any.
    fn report_late(&mut self, slot: usize, calls: &Range<usize>) -> bool {
        let slots = self.slots;
        let items: Vec<_> = self.items(slot).zip(lateness(&slots[slot].turn)).collect();
        let mut any = false;
        for (item, late) in items {
            if let (Item::Result(at), true) = (item, late)
                && self.answers_one_of(at, calls)
            {
                any = true;
                self.report_result(at, Edit::MovedResult, "it is behind something else");
            }
        }
        any
    }

    /// The results from elsewhere, in the order of the conversation.
    fn add_moved(&mut self, run: &mut Vec<Item>, calls: &Range<usize>, place: Range<usize>) {
        let results = &self.matching.results;
        let theirs =
            self.matching.calls[calls.clone()].iter().filter(|call| !call.waits).filter_map(|call| call.result);
        let mut moved: Vec<_> = theirs.filter(|at| !place.contains(&results[*at].turn)).collect();
        moved.sort_unstable();
        for at in moved {
            run.push(Item::Result(at));
            self.report_result(at, Edit::MovedResult, sentence::NOT_BEHIND_CALL);
        }
    }

    fn add_missing(&mut self, run: &mut Vec<Item>, calls: &Range<usize>) {
        for at in calls.clone() {
            let call = &self.matching.calls[at];
            if call.result.is_none() && !call.waits {
                run.push(Item::Made(at));
                let slot = &self.slots[call.turn];
                let text = self.missing_text(at);
                let why = sentence::NO_RESULT;
                let entry = Change::new(Edit::MissingResult, slot.index, slot.path_of(call.part), why);
                let id = String::from_utf8_lossy(self.matching.call_id(at)).into_owned();
                self.entries.push(entry.of(id).sized(0, text.utf8_len(None)));
            }
        }
    }

    /// Sorts a run by its calls. A result of a call on the server stays after the result before it. Returns whether
    /// anything moved.
    fn order(&mut self, run: &mut [Item]) -> bool {
        let mut latest = 0;
        let mut keyed: Vec<_> = run
            .iter()
            .map(|item| {
                latest = match *item {
                    Item::Result(at) => self.call_of(at).unwrap_or(latest),
                    Item::Made(call) => call,
                    Item::Call(_) | Item::Part(_) => latest,
                };
                (latest, *item)
            })
            .collect();
        if keyed.is_sorted_by_key(|(call, _)| *call) {
            return false;
        }
        let mut highest = 0;
        for (call, item) in &keyed {
            if let Item::Result(at) = item
                && self.call_of(*at).is_some()
            {
                if *call < highest {
                    let why = "the target knows results only by the order of their calls";
                    self.report_result(*at, Edit::ReorderedResult, why);
                }
                highest = highest.max(*call);
            }
        }
        keyed.sort_by_cached_key(|(call, _)| *call);
        for (place, (_, item)) in run.iter_mut().zip(keyed) {
            *place = item;
        }
        true
    }
}
