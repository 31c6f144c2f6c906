//! Exchanges: runs of assistant turns with their results, and the user's turns that led to them.

use std::{borrow::Cow, ops::Range};

use super::{
    Place,
    awaited::{Awaited, Open},
    places,
};
use crate::{
    model::{Kind, Part, Role},
    stage::{DraftTurn, pair, size::Meter},
    value::{HashSet, Host},
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
    /// The slots of calls that still wait for their results, each with the reasoning that led to it, and their ids.
    /// They stay as long as anything else can go, because a result without its call would be lost.
    pub(super) open: Vec<Open>,
    /// The slot of its last part.
    last: usize,
}

impl Exchange {
    fn of(calls: Range<usize>, results: Vec<Place>) -> Self {
        let last = results.last().map_or(calls.end.saturating_sub(1), |(slot, _)| *slot);
        Self { calls, results, asked_by: Vec::new(), open: Vec::new(), last }
    }

    /// Handles the result of a call of it in this slot, which has waited.
    fn came(&mut self, slot: usize) {
        self.results.push((slot, 0));
        self.last = slot;
    }

    /// Whether a slot belongs to a call that still waits.
    pub(super) fn waits(&self, slot: usize) -> bool {
        self.open.iter().any(|(open, _)| *open == slot)
    }
}

/// How many of these belong to the first: servers refuse a call without the reasoning before it, and calls of one turn go
/// with it.
pub(super) fn one_thought(open: &[Open]) -> usize {
    let thoughts = open.iter().take_while(|(_, id)| id.is_none()).count();
    let calls = open[thoughts..].iter().take_while(|(_, id)| id.is_some()).count();
    let one_turn = open.iter().take_while(|(slot, _)| *slot == open[0].0).count();
    if thoughts == 0 { one_turn } else { thoughts + calls }
}

/// All exchanges of paired turns, those with the oldest results first, and how many of them are old: the model has not
/// answered the results of the others, and the user has not spoken since.
pub(super) fn find<H: Host>(slots: &[DraftTurn<H>], meter: &Meter<'_>) -> (Vec<Exchange>, usize) {
    let mut exchanges: Vec<Exchange> = Vec::new();
    let mut awaited = Awaited::default();
    let mut asking: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < slots.len() {
        let start = at;
        while slots.get(at).is_some_and(|slot| pair::calls(&slot.turn)) {
            at += 1;
        }
        let calls = start..at;
        if calls.is_empty()
            && let Some(exchange) = awaited.take(&slots[at])
        {
            exchanges[exchange].came(at);
            at += 1;
            continue;
        }
        let Found { results, others, said } = results(slots, calls.clone(), &mut at);
        // Results of other calls among them: of one that has waited, or of one on the server.
        for slot in others {
            match awaited.take(&slots[slot]) {
                Some(exchange) => exchanges[exchange].came(slot),
                None => exchanges.push(Exchange::of(slot..slot, places(slots, slot).collect())),
            }
        }
        if calls.is_empty() && results.is_empty() {
            if slots[at].turn.role == Role::User {
                asked(&mut exchanges, &mut asking, at);
            }
            at += 1;
            continue;
        }
        awaited.add(slots, calls.clone(), (exchanges.len(), meter));
        for (slot, _) in &results {
            let _ = awaited.take(&slots[*slot]);
        }
        exchanges.push(Exchange::of(calls, results));
        if let Some(slot) = said {
            asked(&mut exchanges, &mut asking, slot);
        }
    }
    for (exchange, open) in awaited.left(slots) {
        exchanges[exchange].open.extend(open);
    }
    for one in &mut exchanges {
        one.open.sort_unstable();
    }
    let Some(newest) = exchanges.last().map(|newest| newest.calls.clone()) else { return (exchanges, 0) };
    // A result that came in a later request is as new as its own turn, and so is its exchange.
    let asked = asking.last().copied();
    let is_new = |one: &Exchange| {
        let came_late = one.last >= newest.end && asked.is_none_or(|asked| asked < one.last);
        let is_last = one.calls == newest && asked.is_none_or(|asked| asked < newest.start);
        is_last || one.calls.start < newest.start && came_late
    };
    exchanges.sort_by_key(|one| (is_new(one), one.last));
    let old = exchanges.iter().position(is_new).unwrap_or(exchanges.len());
    (exchanges, old)
}

/// Handles a user's turn. Questions before the last exchange belong to that exchange.
fn asked(exchanges: &mut [Exchange], asking: &mut Vec<usize>, slot: usize) {
    if let Some(last) = exchanges.last_mut() {
        let earlier = asking.iter().position(|asked| *asked >= last.calls.start).unwrap_or(asking.len());
        last.asked_by.extend(asking.drain(..earlier));
    }
    asking.push(slot);
}

/// The results of a run.
struct Found {
    results: Vec<Place>,
    /// The slots among them that hold only results of other calls.
    others: Vec<usize>,
    /// The slot of a turn that has other content after its results.
    said: Option<usize>,
}

/// The results after the assistant turns of `calls`, or results of calls on the server. Moves `at` past them.
fn results<H: Host>(slots: &[DraftTurn<H>], calls: Range<usize>, at: &mut usize) -> Found {
    let here = &slots[calls];
    let ids: HashSet<Cow<'_, [u8]>> =
        here.iter().flat_map(|slot| slot.turn.calls().map(|call| call.id.wtf8(slot.turn.input.as_ref()))).collect();
    let mut found = Found { results: Vec::new(), others: Vec::new(), said: None };
    let mut passed = Vec::new();
    let mut look = *at;
    while let Some(slot) = slots.get(look) {
        let input = slot.turn.input.as_ref();
        let before = found.results.len();
        for (part, one) in slot.turn.parts.iter().enumerate() {
            if let Kind::Result(result) = &one.kind
                && (here.is_empty() || ids.contains(&result.id.wtf8(input)))
            {
                found.results.push((look, part));
            }
        }
        look += 1;
        if found.results.len() == before {
            let is_result = |part: &Part<H>| matches!(part.kind, Kind::Result(_));
            if !here.is_empty() && !slot.turn.parts.is_empty() && slot.turn.parts.iter().all(is_result) {
                passed.push(look - 1);
                continue;
            }
            if pair::stands_among_results(&slot.turn) {
                continue;
            }
            break;
        }
        *at = look;
        found.others.append(&mut passed);
        if found.results.len() - before < slot.turn.parts.len() {
            found.said = Some(look - 1);
            break;
        }
    }
    found
}
