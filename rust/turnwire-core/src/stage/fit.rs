//! Step 6: under the budget, at the price of old results and old exchanges, in quarters of the budget.
//!
//! A size over the budget frees what is too much, rounded up to quarters of the budget. So the same old turns pay while the
//! conversation grows, until the next quarter is used up, and the prefix that a provider has cached stays what it is. What is
//! recent, about half a budget, is only touched when the old turns have nothing left to give.

mod cut;
mod exchange;

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

use self::exchange::Exchange;
use super::{Draft, Slot, size};
use crate::{
    budget::Split,
    error::{Code, Error},
    handle::Host,
    part::{Kind, Part},
    receipt::{Change, Entry},
};

/// What a result that is cut keeps at least.
const LEAST: usize = 64;

struct Fit<'a, H: Host> {
    slots: &'a [Slot<H>],
    exchanges: &'a [Exchange],
    /// Results that are cut, by slot and part, and what the receipt says of them.
    cut: HashMap<(usize, usize), (Part<H>, Entry)>,
    /// Results and turns that go.
    gone_parts: HashSet<(usize, usize)>,
    gone: Vec<bool>,
    /// The bytes that are still there.
    total: usize,
    entries: Vec<Entry>,
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, budget: Option<usize>) -> Result<(), Error> {
    let Some(budget) = budget else { return Ok(()) };
    let mut total = size::frame(&draft.given.frame);
    let mut offsets = Vec::with_capacity(draft.turns().len());
    for turn in draft.turns() {
        offsets.push(total);
        total += size::turn(turn);
    }
    if total <= budget {
        return Ok(());
    }
    let quarter = (budget / 4).max(1);
    let need = (total - budget).div_ceil(quarter).saturating_mul(quarter);
    let goal = total.saturating_sub(need);
    let slots = std::mem::take(draft.slots());
    let exchanges = exchange::find(&slots);
    let mut fit = Fit {
        slots: &slots,
        exchanges: &exchanges,
        cut: HashMap::new(),
        gone_parts: HashSet::new(),
        gone: vec![false; slots.len()],
        total,
        entries: Vec::new(),
    };
    let Some(newest) = exchanges.len().checked_sub(1) else { return Err(too_small(budget, total)) };
    let is_old = |exchange: &Exchange| offsets.get(exchange.start).is_some_and(|at| *at < need.saturating_add(quarter));
    let old = exchanges[..newest].iter().take_while(|exchange| is_old(exchange)).count();
    for range in [0..old, old..newest] {
        fit.cut_large(range.clone(), fixed_size(budget), goal)?;
        fit.drop_exchanges(range, goal);
    }
    if fit.total > budget {
        fit.squeeze(newest, budget)?;
    }
    let Fit { mut cut, gone_parts, gone, mut entries, .. } = fit;
    cut.retain(|place, _| !gone_parts.contains(place));
    *draft.slots() = written(slots, &cut, &gone_parts, &gone);
    entries.extend(cut.into_values().map(|(_, entry)| entry));
    entries.sort_by(|a, b| (a.index, &a.id).cmp(&(b.index, &b.id)));
    draft.receipt.entries.append(&mut entries);
    Ok(())
}

/// What a large old result is cut to: about a hundredth of the budget, as a power of two.
fn fixed_size(budget: usize) -> usize {
    (1_usize << (budget / 128).max(1).ilog2()).max(LEAST)
}

fn too_small(budget: usize, needed: usize) -> Error {
    let text = format!("expected a budget of at least {needed} bytes, which is what cannot be left out, got {budget}");
    Error::new(Code::BudgetTooSmall, text)
}

/// The turns that are left. Those that nothing was taken from stay as they are.
fn written<H: Host>(
    slots: Vec<Slot<H>>,
    cut: &HashMap<(usize, usize), (Part<H>, Entry)>,
    gone_parts: &HashSet<(usize, usize)>,
    gone: &[bool],
) -> Vec<Slot<H>> {
    let mut changed: HashSet<usize> = gone_parts.iter().map(|(slot, _)| *slot).collect();
    changed.extend(cut.keys().map(|(slot, _)| *slot));
    let mut left = Vec::with_capacity(slots.len());
    for (at, mut slot) in slots.into_iter().enumerate() {
        if gone[at] {
            continue;
        }
        if changed.contains(&at) {
            let mut turn = slot.turn.touch();
            let kept = slot.turn.parts.iter().enumerate().filter(|(part, _)| !gone_parts.contains(&(at, *part)));
            turn.parts = kept.map(|(part, one)| cut.get(&(at, part)).map_or(one, |(new, _)| new).share()).collect();
            slot.turn = Arc::new(turn);
        }
        left.push(slot);
    }
    left
}

impl<H: Host> Fit<'_, H> {
    /// Cuts large results to one fixed size, the oldest first, until no more than `goal` bytes are left.
    fn cut_large(&mut self, range: Range<usize>, fixed: usize, goal: usize) -> Result<(), Error> {
        let exchanges = self.exchanges;
        for place in exchanges[range].iter().flat_map(|exchange| &exchange.results) {
            if self.total <= goal {
                break;
            }
            // A cut that frees less than it leaves is not worth a changed prefix.
            if self.size(*place) > 2 * fixed {
                self.cut(*place, fixed)?;
            }
        }
        Ok(())
    }

    /// Leaves out whole exchanges, the oldest first, until no more than `goal` bytes are left.
    fn drop_exchanges(&mut self, range: Range<usize>, goal: usize) {
        for at in range {
            if self.total <= goal {
                break;
            }
            if self.exchanges[at].droppable {
                self.drop_exchange(at);
            }
        }
    }

    fn drop_exchange(&mut self, at: usize) {
        let exchange = &self.exchanges[at];
        let first = &self.slots[exchange.start];
        let entry = Entry::new(Change::DroppedExchange, first.index, first.path(), "the budget has no room for it");
        let before = self.total;
        for slot in exchange.start..exchange.calls_end {
            self.leave_out(slot);
        }
        for place in &exchange.results {
            self.total -= self.size(*place);
            self.gone_parts.insert(*place);
            let parts = self.slots[place.0].turn.parts.len();
            self.gone[place.0] = (0..parts).all(|part| self.gone_parts.contains(&(place.0, part)));
        }
        self.entries.push(entry.sized(before - self.total, 0));
        // What the user said goes with the last of the exchanges that it led to.
        for slot in exchange.asked_by.clone() {
            let one = &self.slots[slot];
            let before = self.total;
            self.leave_out(slot);
            let why = "every exchange that it led to was left out";
            let entry = Entry::new(Change::DroppedTurn, one.index, one.path(), why);
            self.entries.push(entry.sized(before - self.total, 0));
        }
    }

    /// Leaves out a whole turn, but for results that went before.
    fn leave_out(&mut self, slot: usize) {
        let turn = &self.slots[slot].turn;
        for (part, one) in turn.parts.iter().enumerate() {
            if !self.gone_parts.contains(&(slot, part)) {
                self.total -= size::part(one, turn.input.as_ref());
            }
        }
        self.gone[slot] = true;
    }

    /// The newest exchange pays last: its results share what is left, or it goes where the user has spoken since.
    fn squeeze(&mut self, newest: usize, budget: usize) -> Result<(), Error> {
        let exchange = &self.exchanges[newest];
        let sizes: Vec<_> = exchange.results.iter().map(|place| self.size(*place)).collect();
        let others = self.total - sizes.iter().sum::<usize>();
        if others > budget {
            if exchange.droppable && !exchange.last {
                self.drop_exchange(newest);
            }
            return if self.total > budget { Err(too_small(budget, others.min(self.total))) } else { Ok(()) };
        }
        let shares = Split::Fair.shares(&sizes, budget - others);
        for ((place, size), share) in exchange.results.iter().zip(sizes).zip(shares) {
            if size > share {
                self.cut(*place, share)?;
            }
        }
        Ok(())
    }

    fn part(&self, place: (usize, usize)) -> Option<&Part<H>> {
        self.cut.get(&place).map(|(new, _)| new).or_else(|| self.slots[place.0].turn.parts.get(place.1))
    }

    fn size(&self, place: (usize, usize)) -> usize {
        let input = self.slots[place.0].turn.input.as_ref();
        self.part(place).map_or(0, |part| size::part(part, input))
    }

    fn cut(&mut self, place: (usize, usize), max_bytes: usize) -> Result<(), Error> {
        let slot = &self.slots[place.0];
        let Some(part) = self.part(place) else { return Ok(()) };
        let Kind::Result(result) = &part.kind else { return Ok(()) };
        let (before, input) = (self.size(place), slot.turn.input.as_ref());
        let mut new = part.share();
        (new.kind, new.touched) = (Kind::Result(cut::result(result, max_bytes, input)?), true);
        let after = size::part(&new, input);
        let mut entry =
            Entry::new(Change::CutResult, slot.index, slot.path_of(place.1), "the budget has no room for all of it");
        entry.id = Some(result.id.to_str(input).into_owned());
        self.total -= before - after;
        self.cut.insert(place, (new, entry.sized(before, after)));
        Ok(())
    }
}
