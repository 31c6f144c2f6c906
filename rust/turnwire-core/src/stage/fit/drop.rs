//! Drops exchanges, the user's turns that led to them, and last of all the calls that still wait for their results.

use super::{
    Fit,
    account::Ledger,
    awaited::Open,
    exchange::{self, Exchange},
    is_result, needed, places,
};
use crate::{
    report::{Edit, Error},
    value::{HashSet, Host},
};

/// Why an exchange is dropped.
const NO_ROOM: &str = "the budget has no room for it";
/// The same if a call of it still waits for its result.
const NO_ROOM_OPEN: &str =
    "the budget has no room for this call, whose result is still to come: it is left out, and that result will be text";

impl<'a, H: Host> Fit<'a, H> {
    /// Drops whole exchanges, the oldest first, until `goal` is freed. One that shows the model a tool is dropped after
    /// all calls of that tool.
    pub(super) fn drop_exchanges(&self, ledger: &mut Ledger<'a, H>, count: usize, goal: usize) -> Result<(), Error> {
        let (mut gone, mut dropped) = (HashSet::default(), vec![false; count]);
        for (at, exchange) in
            self.exchanges[..count].iter().enumerate().chain(self.exchanges[..count].iter().enumerate())
        {
            if ledger.freed() >= goal {
                break;
            }
            if dropped[at] || !self.is_droppable(exchange) || needed::is_needed(self.slots, exchange, &gone) {
                continue;
            }
            dropped[at] = true;
            gone.extend(exchange.calls.clone().filter(|slot| !exchange.waits(*slot)));
            let own: Vec<_> = self.own_places(exchange).filter(|(slot, _)| !exchange.waits(*slot)).collect();
            let first = exchange.calls.clone().find(|slot| !exchange.waits(*slot));
            if let Some(first) = first.or(own.first().map(|(slot, _)| *slot)) {
                ledger.leave_out(own, (Edit::DroppedExchange, first, NO_ROOM))?;
            }
            if exchange.open.is_empty() {
                self.drop_asking(ledger, exchange)?;
            }
        }
        Ok(())
    }

    /// Drops the user's turns that led to an exchange. Each goes with the last of the exchanges that it led to.
    fn drop_asking(&self, ledger: &mut Ledger<'a, H>, exchange: &Exchange) -> Result<(), Error> {
        for slot in exchange.asked_by.iter().copied().filter(|slot| self.is_droppable_turn(*slot)) {
            let said = places(self.slots, slot).filter(|place| !is_result(self.slots, *place));
            let why = "every exchange after it is left out: the turn, too";
            ledger.leave_out(said, (Edit::DroppedTurn, slot, why))?;
        }
        Ok(())
    }

    /// Drops the calls that still wait for their results, the oldest first, until `goal` is freed.
    pub(super) fn drop_open(&self, ledger: &mut Ledger<'a, H>, goal: usize) -> Result<(), Error> {
        for exchange in self.exchanges[..self.old].iter().filter(|one| !one.open.is_empty()) {
            if ledger.freed() >= goal {
                break;
            }
            if !self.is_droppable(exchange) {
                continue;
            }
            let mut rest = exchange.open.as_slice();
            while !rest.is_empty() && ledger.freed() < goal {
                let (together, others) = rest.split_at(exchange::one_thought(rest));
                self.drop_waiting(ledger, exchange, together)?;
                rest = others;
            }
            if !rest.is_empty() {
                break;
            }
            self.drop_asking(ledger, exchange)?;
        }
        Ok(())
    }

    /// Drops calls that still wait, and the reasoning that led to them. Each call is named.
    fn drop_waiting(&self, ledger: &mut Ledger<'a, H>, exchange: &Exchange, open: &[Open]) -> Result<(), Error> {
        let mut from = 0;
        for (at, (_, id)) in open.iter().enumerate() {
            if id.is_none() && at + 1 < open.len() {
                continue;
            }
            let mine = &open[from..=at];
            let own = self.own_places(exchange).filter(|(place, _)| mine.iter().any(|(one, _)| one == place));
            ledger.leave_out(own, (Edit::DroppedExchange, mine[0].0, NO_ROOM_OPEN))?;
            ledger.name_last(id.as_deref());
            from = at + 1;
        }
        Ok(())
    }
}
