//! Exchanges: runs of assistant turns with their results, and the user's turns that led to them.

use std::{borrow::Cow, ops::Range};

use super::Place;
use crate::{
    model::{Kind, Part, Role},
    stage::{DraftTurn, pair, size::Meter},
    value::{HashMap, HashSet, Host},
};

/// A run of assistant turns and its results.
#[derive(Debug)]
pub(super) struct Exchange {
    /// The slots of its assistant turns. Empty if the calls are on the server.
    pub(super) calls: Range<usize>,
    /// Its results, by slot and part.
    pub(super) results: Vec<Place>,
    /// The user's turns that are dropped with it, because it is the last exchange that they led to and the user has
    /// spoken since.
    pub(super) asked_by: Vec<usize>,
}

/// All exchanges of paired turns in order, and whether the user has spoken since the last one.
pub(super) fn find<H: Host>(slots: &[DraftTurn<H>], meter: &Meter<'_>) -> (Vec<Exchange>, bool) {
    let mut exchanges: Vec<Exchange> = Vec::new();
    // The exchange of each call that may wait for its result.
    let mut awaited: HashMap<Vec<u8>, usize> = HashMap::default();
    let mut asking: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < slots.len() {
        let start = at;
        while slots.get(at).is_some_and(|slot| pair::calls(&slot.turn)) {
            at += 1;
        }
        let calls = start..at;
        if calls.is_empty()
            && let Some((exchange, place)) = awaited_in(&slots[at], &mut awaited)
        {
            exchanges[exchange].results.push((at, place));
            at += 1;
            continue;
        }
        for slot in &slots[calls.clone()] {
            let waiting = slot.turn.parts.iter().filter(|part| meter.may_wait(&slot.turn, part));
            let ids = waiting.filter_map(|part| match &part.kind {
                Kind::Call(call) => Some(call.id.wtf8(slot.turn.input.as_ref()).into_owned()),
                _ => None,
            });
            awaited.extend(ids.map(|id| (id, exchanges.len())));
        }
        let (results, said) = results(slots, calls.clone(), &mut at);
        if calls.is_empty() && results.is_empty() {
            if slots[at].turn.role == Role::User {
                asked(&mut exchanges, &mut asking, at);
            }
            at += 1;
            continue;
        }
        exchanges.push(Exchange { calls, results, asked_by: Vec::new() });
        if let Some(slot) = said {
            asked(&mut exchanges, &mut asking, slot);
        }
    }
    let spoken_since = match (exchanges.last(), asking.last()) {
        (Some(newest), Some(asked)) => *asked >= newest.calls.start,
        _ => false,
    };
    (exchanges, spoken_since)
}

/// The exchange of the call that a turn answers, if that call waited, and the place of the result.
fn awaited_in<H: Host>(slot: &DraftTurn<H>, awaited: &mut HashMap<Vec<u8>, usize>) -> Option<(usize, usize)> {
    let [Part { kind: Kind::Result(result), .. }] = slot.turn.parts.as_slice() else { return None };
    Some((awaited.remove(&*result.id.wtf8(slot.turn.input.as_ref()))?, 0))
}

/// Handles a user's turn. Questions before the last exchange belong to that exchange.
fn asked(exchanges: &mut [Exchange], asking: &mut Vec<usize>, slot: usize) {
    if let Some(last) = exchanges.last_mut() {
        let earlier = asking.iter().position(|asked| *asked >= last.calls.start).unwrap_or(asking.len());
        last.asked_by.extend(asking.drain(..earlier));
    }
    asking.push(slot);
}

/// The results after the assistant turns of `calls`, or results of calls on the server. Moves `at` past them. Also
/// returns the slot of a turn that has other content after its results.
fn results<H: Host>(slots: &[DraftTurn<H>], calls: Range<usize>, at: &mut usize) -> (Vec<Place>, Option<usize>) {
    let here = &slots[calls];
    let ids: HashSet<Cow<'_, [u8]>> =
        here.iter().flat_map(|slot| slot.turn.calls().map(|call| call.id.wtf8(slot.turn.input.as_ref()))).collect();
    let mut results = Vec::new();
    let mut look = *at;
    while let Some(slot) = slots.get(look) {
        let input = slot.turn.input.as_ref();
        let before = results.len();
        for (part, one) in slot.turn.parts.iter().enumerate() {
            if let Kind::Result(result) = &one.kind
                && (here.is_empty() || ids.contains(&result.id.wtf8(input)))
            {
                results.push((look, part));
            }
        }
        look += 1;
        if results.len() == before {
            if pair::stands_among_results(&slot.turn) {
                continue;
            }
            break;
        }
        *at = look;
        if results.len() - before < slot.turn.parts.len() {
            return (results, Some(look - 1));
        }
    }
    (results, None)
}
