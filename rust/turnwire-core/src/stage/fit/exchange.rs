//! Exchanges: runs of assistant turns with the results that answer them, and what the user said to bring them about.

use std::{borrow::Cow, collections::HashSet};

use crate::{
    handle::Host,
    part::Kind,
    stage::{Slot, pair},
    turn::Role,
};

/// A run of assistant turns and its results.
#[derive(Debug)]
pub(super) struct Exchange {
    /// The first slot of the run.
    pub(super) start: usize,
    /// The end of its assistant turns.
    pub(super) calls_end: usize,
    /// Its results, by slot and part.
    pub(super) results: Vec<(usize, usize)>,
    /// The user's turns that go with it: it is the last exchange that they led to, and the user has spoken since.
    pub(super) asked_by: Vec<usize>,
    /// Whether it may go: results of calls on the server may not.
    pub(super) droppable: bool,
    /// Whether nothing follows it.
    pub(super) last: bool,
}

/// All exchanges, in order, of turns that are paired.
pub(super) fn find<H: Host>(slots: &[Slot<H>]) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    let mut asking: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < slots.len() {
        let start = at;
        while slots.get(at).is_some_and(|slot| pair::calls(&slot.turn)) {
            at += 1;
        }
        let calls_end = at;
        let (results, said) = results(slots, start..calls_end, &mut at);
        if calls_end == start && results.is_empty() {
            if says(&slots[at]) {
                asked(&mut exchanges, &mut asking, at);
            }
            at += 1;
            continue;
        }
        let droppable = calls_end > start;
        exchanges.push(Exchange {
            start,
            calls_end,
            results,
            asked_by: Vec::new(),
            droppable,
            last: at == slots.len(),
        });
        if let Some(slot) = said {
            asked(&mut exchanges, &mut asking, slot);
        }
    }
    exchanges
}

/// The user speaks: what was asked before belongs to the last exchange so far.
fn asked(exchanges: &mut [Exchange], asking: &mut Vec<usize>, slot: usize) {
    if let Some(last) = exchanges.last_mut() {
        last.last = false;
        let earlier = asking.iter().position(|asked| *asked >= last.start).unwrap_or(asking.len());
        last.asked_by.extend(asking.drain(..earlier));
    }
    asking.push(slot);
}

fn says<H: Host>(slot: &Slot<H>) -> bool {
    slot.turn.role == Role::User
}

/// The results behind the assistant turns of `calls`, or those of calls on the server. `at` moves behind them; also the slot
/// whose turn goes on to say something.
fn results<H: Host>(
    slots: &[Slot<H>],
    calls: std::ops::Range<usize>,
    at: &mut usize,
) -> (Vec<(usize, usize)>, Option<usize>) {
    let here = &slots[calls];
    let ids: HashSet<Cow<'_, [u8]>> =
        here.iter().flat_map(|slot| slot.turn.calls().map(|call| call.id.wtf8(slot.turn.input.as_ref()))).collect();
    let mut results = Vec::new();
    while let Some(slot) = slots.get(*at) {
        let input = slot.turn.input.as_ref();
        let before = results.len();
        for (part, one) in slot.turn.parts.iter().enumerate() {
            match &one.kind {
                Kind::Result(result) if here.is_empty() || ids.contains(&result.id.wtf8(input)) => {
                    results.push((*at, part));
                }
                // It may stand in a list of its own.
                _ => {}
            }
        }
        if results.len() == before {
            break;
        }
        *at += 1;
        if results.len() - before < slot.turn.parts.len() {
            return (results, Some(*at - 1));
        }
    }
    (results, None)
}
