//! Who answers whom: a walk in order, in which an id that is used again is another call.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::{Hash, calls, joins};
use crate::{handle::Host, part::Kind, stage::Slot};

/// A call, where it stands.
pub(super) struct CallSite<'a> {
    pub(super) slot: usize,
    pub(super) part: usize,
    pub(super) id: Cow<'a, [u8]>,
    /// Its result, as an index of `Plan::results`.
    pub(super) result: Option<usize>,
    /// The id that it gets.
    pub(super) name: Option<String>,
}

/// A result, where it stands.
pub(super) struct ResultSite<'a> {
    pub(super) slot: usize,
    pub(super) part: usize,
    pub(super) id: Cow<'a, [u8]>,
    pub(super) fate: Fate,
}

/// What becomes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It answers this call, an index of `Plan::calls`.
    Of(usize),
    /// Its call is on the server: it stays where it is.
    OnServer,
    /// No call has its id.
    Orphan,
    /// Its call has a result already.
    Duplicate,
}

/// Everything that pairs, in order.
pub(super) struct Plan<'a> {
    pub(super) calls: Vec<CallSite<'a>>,
    pub(super) results: Vec<ResultSite<'a>>,
    /// The slots of each run of assistant turns whose results follow it.
    pub(super) blocks: Vec<Range<usize>>,
}

impl Plan<'_> {
    /// The first result that no call before it has asked for.
    pub(super) fn orphan(&self) -> Option<(usize, usize)> {
        let place = |result: &ResultSite<'_>| (result.slot, result.part);
        let stands = |result: &&ResultSite<'_>| match result.fate {
            Fate::Of(call) => (self.calls[call].slot, self.calls[call].part) < place(result),
            Fate::OnServer => true,
            Fate::Orphan | Fate::Duplicate => false,
        };
        self.results.iter().find(|result| !stands(result)).map(place)
    }
}

/// All uses of one id so far.
#[derive(Default)]
struct Uses {
    /// Calls without a result yet, in order.
    open: Vec<usize>,
    /// The call that got the last result.
    answered: Option<usize>,
    /// The block of the last call, and whether a call before it has the same block.
    block: Option<usize>,
    twins: bool,
}

struct Walk<'a> {
    plan: Plan<'a>,
    uses: HashMap<Cow<'a, [u8]>, Uses, Hash>,
    /// The block of each call.
    block_of: Vec<usize>,
    /// Results that had no call before them.
    loose: Vec<usize>,
}

pub(super) fn walk<H: Host>(slots: &[Slot<H>], continues: bool) -> Plan<'_> {
    let plan = Plan { calls: Vec::new(), results: Vec::new(), blocks: blocks(slots) };
    let mut walk = Walk { plan, uses: HashMap::default(), block_of: Vec::new(), loose: Vec::new() };
    let mut block = 0;
    for (at, slot) in slots.iter().enumerate() {
        while walk.plan.blocks.get(block).is_some_and(|range| range.end <= at) {
            block += 1;
        }
        let input = slot.turn.input.as_ref();
        for (part, one) in slot.turn.parts.iter().enumerate() {
            match &one.kind {
                Kind::Call(call) => walk.call((at, part), call.id.wtf8(input), block),
                Kind::Result(result) => {
                    walk.result(slots, (at, part), result.id.wtf8(input), result.is_stand_in(input));
                }
                _ => {}
            }
        }
    }
    walk.look_ahead(continues);
    walk.uncross();
    walk.plan
}

/// Runs of assistant turns. A turn whose dialect wants the results at once ends its run.
fn blocks<H: Host>(slots: &[Slot<H>]) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut may_join = false;
    for (at, slot) in slots.iter().enumerate() {
        if !calls(&slot.turn) {
            may_join = false;
            continue;
        }
        match blocks.last_mut() {
            Some(block) if may_join => block.end = at + 1,
            _ => blocks.push(at..at + 1),
        }
        may_join = slot.turn.calls().next().is_none() || joins(slot.turn.from);
    }
    blocks
}

impl<'a> Walk<'a> {
    fn call(&mut self, (slot, part): (usize, usize), id: Cow<'a, [u8]>, block: usize) {
        let uses = self.uses.entry(id.clone()).or_default();
        uses.open.push(self.plan.calls.len());
        uses.twins |= uses.block.replace(block) == Some(block);
        self.plan.calls.push(CallSite { slot, part, id, result: None, name: None });
        self.block_of.push(block);
    }

    fn result<H: Host>(&mut self, slots: &[Slot<H>], (slot, part): (usize, usize), id: Cow<'a, [u8]>, stand_in: bool) {
        let calls = &self.plan.calls;
        let result = self.plan.results.len();
        let uses = self.uses.get_mut(&id);
        let mut fate = Fate::Orphan;
        if let Some(uses) = uses {
            if let Some(last) = uses.open.last().copied() {
                // The nearest turn with an open call; within it, the first.
                let turn = calls[last].slot;
                let first = uses.open.iter().rposition(|call| calls[*call].slot != turn).map_or(0, |before| before + 1);
                let call = uses.open.remove(first);
                uses.answered = Some(call);
                fate = Fate::Of(call);
            } else {
                fate = Fate::Duplicate;
                let earlier = uses.answered.and_then(|call| Some((call, calls[call].result?)));
                if let Some((call, earlier)) = earlier
                    && !stand_in
                    && stands_in(slots, &self.plan.results[earlier])
                {
                    self.plan.results[earlier].fate = Fate::Duplicate;
                    fate = Fate::Of(call);
                }
            }
        }
        match fate {
            Fate::Of(call) => self.plan.calls[call].result = Some(result),
            _ => self.loose.push(result),
        }
        self.plan.results.push(ResultSite { slot, part, id, fate });
    }

    /// A result whose call comes only later belongs to the first one that is still open.
    fn look_ahead(&mut self, continues: bool) {
        for result in std::mem::take(&mut self.loose) {
            let site = &mut self.plan.results[result];
            if continues {
                if site.fate == Fate::Orphan {
                    site.fate = Fate::OnServer;
                }
                continue;
            }
            let Some(uses) = self.uses.get_mut(&site.id) else { continue };
            let here = (site.slot, site.part);
            let calls = &self.plan.calls;
            let later = uses.open.partition_point(|call| (calls[*call].slot, calls[*call].part) < here);
            if later < uses.open.len() {
                let call = uses.open.remove(later);
                site.fate = Fate::Of(call);
                self.plan.calls[call].result = Some(result);
            } else {
                site.fate = Fate::Duplicate;
            }
        }
    }

    /// Calls of one run that share an id got their results from the last turn on: they answer in order.
    fn uncross(&mut self) {
        if !self.uses.values().any(|uses| uses.twins) {
            return;
        }
        let mut twins: HashMap<(usize, &[u8]), Vec<usize>, Hash> = HashMap::default();
        for (at, call) in self.plan.calls.iter().enumerate() {
            if call.result.is_some() && self.uses.get(&call.id).is_some_and(|uses| uses.twins) {
                twins.entry((self.block_of[at], &call.id)).or_default().push(at);
            }
        }
        let mut pairs = Vec::new();
        for calls in twins.into_values() {
            let mut results: Vec<_> = calls.iter().filter_map(|call| self.plan.calls[*call].result).collect();
            results.sort_unstable();
            pairs.extend(calls.into_iter().zip(results));
        }
        for (call, result) in pairs {
            self.plan.calls[call].result = Some(result);
            self.plan.results[result].fate = Fate::Of(call);
        }
    }
}

fn stands_in<H: Host>(slots: &[Slot<H>], site: &ResultSite<'_>) -> bool {
    let turn = &slots[site.slot].turn;
    matches!(turn.parts.get(site.part).map(|part| &part.kind),
        Some(Kind::Result(result)) if result.is_stand_in(turn.input.as_ref()))
}
