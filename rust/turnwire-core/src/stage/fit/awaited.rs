//! Calls whose results may come in a later request, and the exchanges that they belong to.

use std::{collections::BTreeMap, ops::Range};

use crate::{
    model::{Kind, Part, Role, Turn},
    pairing::bond::is_reasoning_alone,
    stage::{DraftTurn, size::Meter},
    value::Host,
};

/// The slot of a call that waits, with its id, or of reasoning that led to one.
pub(super) type Open = (usize, Option<String>);

/// By the id of each call, its exchange and its slot.
#[derive(Default)]
pub(super) struct Awaited(BTreeMap<Vec<u8>, (usize, usize)>);

impl Awaited {
    /// Adds the calls of an exchange that may wait.
    pub(super) fn add<H: Host>(
        &mut self,
        slots: &[DraftTurn<H>],
        calls: Range<usize>,
        (exchange, meter): (usize, &Meter<'_>),
    ) {
        for slot in calls {
            let turn = &slots[slot].turn;
            let ids = turn.parts.iter().filter(|part| meter.may_wait(turn, part)).filter_map(|part| id_of(turn, part));
            self.0.extend(ids.map(|id| (id, (exchange, slot))));
        }
    }

    /// The exchange of the call that a turn answers, if that call has waited.
    pub(super) fn take<H: Host>(&mut self, slot: &DraftTurn<H>) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let [part] = slot.turn.parts.as_slice() else { return None };
        let Kind::Result(result) = &part.kind else { return None };
        Some(self.0.remove(&*result.id.wtf8(slot.turn.input.as_ref()))?.0)
    }

    /// The exchange of each call that still waits, with its slot and those of the reasoning that led to it.
    pub(super) fn left<H: Host>(self, slots: &[DraftTurn<H>]) -> BTreeMap<usize, Vec<Open>> {
        let mut left: BTreeMap<usize, Vec<Open>> = BTreeMap::new();
        for (id, (exchange, slot)) in self.0 {
            let open = left.entry(exchange).or_default();
            open.push((slot, Some(String::from_utf8_lossy(&id).into_owned())));
            open.extend(led_to(slots, slot).map(|slot| (slot, None)));
        }
        left
    }
}

fn id_of<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<Vec<u8>> {
    match &part.kind {
        Kind::Call(call) => Some(call.id.wtf8(turn.input.as_ref()).into_owned()),
        _ => None,
    }
}

/// The slots of the reasoning that led to the item of a slot, in the same run.
fn led_to<H: Host>(slots: &[DraftTurn<H>], slot: usize) -> impl Iterator<Item = usize> {
    let thinks = |at: &usize| is_reasoning_alone(&slots[*at].turn);
    let is_said = |at: &usize| slots[*at].turn.role == Role::Assistant;
    let run = (0..slot).rev().take_while(is_said);
    run.skip_while(move |at| !thinks(at)).take_while(move |at| thinks(at))
}
