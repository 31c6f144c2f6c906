//! Step 6: brings a conversation under its budget. Old content is cut first, in steps that keep the prefix the same.
//!
//! A conversation that exceeds its budget frees the excess, rounded up to a step, which is a share of the budget. Only
//! a zone is cut: the oldest exchanges that together hold what is freed and another quarter of the budget. The step and
//! the zone stay the same while the conversation grows by less than a step. So the same old turns are cut in the same
//! way, and the prefix in the provider's cache stays valid.
//!
//! 0. Each text larger than half of the budget is cut to that half, which leaves room for recent exchanges.
//! 1. In the zone, oldest first: results, and long strings in arguments, are cut to a 128th of the budget.
//! 2. Then whole exchanges of the zone are dropped. A user's turn is dropped with the last exchange that it led to.
//! 3. Old exchanges that may not be dropped are cut to [`LEAST`]. (A zone that ends before them holds more than is
//!    freed, so later exchanges stay.)
//! 4. The results and arguments of the newest exchange are cut alike, down to [`LEAST`].
//! 5. Texts of users and assistants are cut to [`LEAST`], the newest first and the user's first text last. Large texts
//!    that together hold more than half of the budget are cut to that half before the newest exchange is cut.
//!
//! Steps 0 to 2 free the whole step; the others free only the excess. Nothing is cut if that saves less than the marker
//! of the cut takes. A marker of the caller's is never left out: if it is larger than what a cut leaves of its result,
//! it is sent alone. These are never dropped: system turns, pinned turns, turns with a provider's compaction, the
//! user's first turn, and exchanges that contain such a turn. Nor are results of calls on the server, and the newest
//! exchange if the user has not spoken since.
//!
//! Calls that still wait for a result that comes in a later request are dropped last of all.
//!
//! If the budget counts turns, nothing is cut: the oldest whole exchanges are dropped, as few as possible.

mod account;
mod awaited;
pub(super) mod cut;
mod drop;
mod exchange;
mod joins;
mod known;
mod needed;
mod note;
mod pool;

use std::collections::BTreeSet;

use self::{
    account::{Closed, Ledger},
    exchange::Exchange,
    joins::Joins,
    known::Known,
    note::Note,
    pool::Floor,
};
use super::{
    compaction,
    draft::{Draft, DraftTurn},
    inputs::{Budget, Inputs},
    policy::Policy,
    size::Meter,
};
use crate::{
    model::{Kind, Role, Turn},
    report::{Change, Edit, Error, Path, Totals, error::Code},
    text::budget,
    value::{HashSet, Host},
};

/// How many bytes a cut text keeps at least.
const LEAST: usize = 64;

/// A text counts as large if it exceeds the budget divided by this.
const CROWD: usize = 8;

/// A part, by the slot of its turn and its index there.
type Place = (usize, usize);

/// Fits a draft. Returns whether anything was cut or dropped.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> Result<bool, Error> {
    let Some(budget) = inputs.budget else { return Ok(false) };
    let meter = Meter::of(budget, *rules);
    let frame = meter.frame(draft.frame.as_ref().unwrap_or(&draft.given.frame))?;
    let mut sizes = Vec::new();
    for (index, turn) in draft.turns().enumerate() {
        for (at, part) in turn.parts.iter().enumerate() {
            sizes.push(meter.part(meter.seat_of(turn, (index, at)), part)?);
        }
    }
    let total = sizes.iter().sum::<usize>() + frame + counted(draft, inputs, budget);
    if meter.has_skipped_media() {
        let text = "media are not counted, because a counter of text cannot count them";
        draft.receipt.changes.push(Change::warning(Edit::MediaNotCounted, Path::default(), text));
    }
    if inputs.measured || total <= budget.limit() {
        draft.receipt.totals = Some(Totals {
            unit: budget.unit(),
            budget: budget.limit(),
            before: total,
            after: total,
            freed: Vec::new(),
        });
        return Ok(false);
    }
    let slots = std::mem::take(draft.slots());
    let bytes = Meter::bytes(*rules);
    // If anything is dropped, the note needs room, so room is reserved from the start.
    let note = inputs.omitted.map(|words| Note::of(words, &meter)).transpose()?;
    let noted = note.as_ref().map_or(0, |note| note.size);
    let limit = budget.limit().saturating_sub(noted);
    let pins: HashSet<_> = inputs.pinned.iter().copied().collect();
    let pinned: Vec<_> = slots.iter().map(|slot| slot.sources.iter().any(|turn| pins.contains(turn))).collect();
    let compacted = |turn: &Turn<H>| turn.parts.iter().any(|part| compaction::is_kept(turn, part, rules));
    let stays: Vec<_> = slots.iter().zip(&pinned).map(|(slot, pinned)| *pinned || compacted(&slot.turn)).collect();
    let fit = Fit::new((&slots, &meter), &stays, limit, inputs.summarised);
    let mut known = Known::of(&slots, draft, inputs);
    // A marker of the caller's takes more or less room than the usual one, so a fit with new markers starts again.
    let ledger = loop {
        let joins = Joins::of(&slots, draft.frame.as_ref().unwrap_or(&draft.given.frame), &meter);
        let mut ledger = Ledger::open(&slots, (&meter, &bytes), (sizes.clone(), total), joins, (&pinned, &known));
        match budget {
            Budget::Turns(limit) => {
                fit.drop_exchanges(&mut ledger, fit.old, total - limit)?;
                fit.drop_open(&mut ledger, total - limit)?;
            }
            _ => fit.run(&mut ledger, budget::to_free(total, limit, inputs.reserve))?,
        }
        let unasked = ledger.unasked();
        if unasked.is_empty() {
            break ledger;
        }
        drop(ledger);
        known.ask(unasked, &slots, (draft, inputs))?;
    };
    if ledger.total() > limit {
        return Err(too_small(budget, ledger.total() + noted));
    }
    let Closed { slots: left, mut entries, totals, gap } = ledger.close()?;
    draft.dropped = dropped(&slots, &left);
    draft.receipt.changes.append(&mut entries);
    draft.receipt.totals = Some(Totals { budget: budget.limit(), ..totals });
    *draft.slots() = left;
    if let (Some(note), Some(gap)) = (note, gap) {
        note.put(draft, gap);
    }
    // An assistant turn whose texts were all cut to nothing would not be sent.
    draft
        .slots()
        .retain(|slot| !(slot.turn.touched && slot.turn.role == Role::Assistant && is_cut_to_nothing(&slot.turn)));
    Ok(true)
}

/// The given turns that were shortened or dropped, in order, and whether nothing of them is left.
fn dropped<H: Host>(before: &[DraftTurn<H>], after: &[DraftTurn<H>]) -> Vec<(usize, bool)> {
    let is_left: HashSet<usize> = after.iter().flat_map(|slot| slot.sources.iter().copied()).collect();
    let mut left = after.iter().peekable();
    let mut dropped = BTreeSet::new();
    for slot in before {
        let same = |other: &&DraftTurn<H>| other.index == slot.index && other.sources == slot.sources;
        let parts = left.next_if(same).map_or(0, |other| other.turn.parts.len());
        if parts < slot.turn.parts.len() {
            dropped.extend(slot.sources.iter().map(|source| (*source, !is_left.contains(source))));
        }
    }
    dropped.into_iter().collect()
}

/// How many turns count towards a budget of turns: all, or those that a summary may replace.
fn counted<H: Host>(draft: &Draft<'_, H>, inputs: &Inputs<'_, H>, budget: Budget<'_>) -> usize {
    match budget {
        Budget::Turns(_) => draft.turns().filter(|turn| !(inputs.summarised && turn.role.is_system())).count(),
        Budget::Bytes(_) | Budget::Tokens(..) => 0,
    }
}

/// Knows the parts that each step may cut or drop. Their sizes are in the ledger.
struct Fit<'a, H: Host> {
    slots: &'a [DraftTurn<H>],
    meter: &'a Meter<'a>,
    limit: usize,
    /// The exchanges, the newest last.
    exchanges: Vec<Exchange>,
    /// How many exchanges are old: all but those whose results the model has not answered, while the user has not spoken
    /// since.
    old: usize,
    /// The turns that may not be dropped: pinned ones, and those with a provider's compaction.
    stays: &'a [bool],
    /// The user's first turn with content, unless a summary will contain it.
    task: Option<usize>,
}

impl<'a, H: Host> Fit<'a, H> {
    fn new(
        (slots, meter): (&'a [DraftTurn<H>], &'a Meter<'a>),
        stays: &'a [bool],
        limit: usize,
        summarised: bool,
    ) -> Self {
        let (exchanges, old) = exchange::find(slots, meter);
        let task = slots.iter().position(|slot| slot.turn.role == Role::User && says_something(&slot.turn));
        Self { slots, meter, limit, exchanges, old, stays, task: task.filter(|_| !summarised) }
    }

    /// Runs the steps in order. `step`: how much the first steps free.
    fn run(&self, ledger: &mut Ledger<'a, H>, step: usize) -> Result<(), Error> {
        self.cut_large_texts(ledger, self.limit / 2, step)?;
        let left = step.saturating_sub(ledger.freed());
        let zone = self.zone(ledger, left.saturating_add(self.limit / 4));
        self.cut_exchanges(ledger, zone, (self.limit / 128).max(LEAST), step)?;
        self.drop_exchanges(ledger, zone, step)?;
        let over = ledger.freed() + ledger.total().saturating_sub(self.limit);
        self.cut_exchanges(ledger, self.old, LEAST, over)?;
        self.cut_crowding_texts(ledger, over)?;
        self.cut_newest(ledger, over)?;
        self.cut_texts(ledger, over)?;
        self.drop_open(ledger, over)
    }

    /// How many of the old exchanges form the zone: so many that `enough` may be freed from them.
    fn zone(&self, ledger: &Ledger<'a, H>, enough: usize) -> usize {
        let mut held = 0;
        let holds_more = |exchange: &&Exchange| {
            let is_enough = held >= enough;
            held += if self.is_droppable(exchange) { self.held(ledger, exchange) } else { 0 };
            !is_enough
        };
        self.exchanges[..self.old].iter().take_while(holds_more).count()
    }

    fn is_droppable(&self, exchange: &Exchange) -> bool {
        let on_server = exchange.calls.is_empty();
        let mut slots = exchange.calls.clone().chain(exchange.results.iter().map(|(slot, _)| *slot));
        !on_server && !slots.any(|slot| self.stays[slot])
    }

    fn held(&self, ledger: &Ledger<'a, H>, exchange: &Exchange) -> usize {
        let own = self.own_places(exchange).filter(|(slot, _)| !exchange.waits(*slot));
        let asked = self.asked_places(exchange).filter(|_| exchange.open.is_empty());
        own.chain(asked).map(|place| ledger.size(place)).sum()
    }

    /// The parts of an exchange.
    fn own_places<'e>(&self, exchange: &'e Exchange) -> impl Iterator<Item = Place> + use<'e, 'a, H> {
        let slots = self.slots;
        let calls = exchange.calls.clone().flat_map(move |slot| places(slots, slot));
        calls.chain(exchange.results.iter().copied())
    }

    /// Whether a user's turn may be dropped: it is neither kept nor the first.
    fn is_droppable_turn(&self, slot: usize) -> bool {
        !self.stays[slot] && self.task != Some(slot)
    }

    /// The user's turns that led to an exchange and are dropped with it. Results in the same turn belong to their own
    /// exchange.
    fn asked_places(&self, exchange: &Exchange) -> impl Iterator<Item = Place> {
        let go = exchange.asked_by.iter().copied().filter(|slot| self.is_droppable_turn(*slot));
        go.flat_map(|slot| places(self.slots, slot)).filter(|place| !is_result(self.slots, *place))
    }

    /// Cuts the results and long arguments of old exchanges, the oldest first, until `goal` is freed.
    fn cut_exchanges(&self, ledger: &mut Ledger<'a, H>, count: usize, least: usize, goal: usize) -> Result<(), Error> {
        let slots = self.slots;
        for exchange in &self.exchanges[..count] {
            let calls = exchange.calls.clone().flat_map(|slot| places(slots, slot));
            let paying: Vec<_> = calls.filter(|place| self.pays(ledger, *place)).collect();
            for place in exchange.results.iter().copied().chain(paying) {
                if ledger.freed() >= goal {
                    return Ok(());
                }
                ledger.shrink([place], goal - ledger.freed(), Floor { least, old: true })?;
            }
        }
        Ok(())
    }

    /// Cuts the results and long arguments of the newest exchanges to equal shares of the remaining room.
    fn cut_newest(&self, ledger: &mut Ledger<'a, H>, goal: usize) -> Result<(), Error> {
        let need = goal.saturating_sub(ledger.freed());
        let newest = self.exchanges[self.old..].iter().flat_map(|exchange| self.own_places(exchange));
        let paying: Vec<_> = newest.filter(|place| self.pays(ledger, *place)).collect();
        ledger.shrink(paying, need, Floor { least: LEAST, old: false })
    }

    /// Whether a part pays before texts do: a result, a call, or what a provider's own tool has said.
    fn pays(&self, ledger: &Ledger<'a, H>, place: Place) -> bool {
        match kind(self.slots, place) {
            Kind::Result(_) | Kind::Call(_) => true,
            Kind::Opaque(_) => cut::plain::size(ledger.original(place), ledger.ruler(place.0)) > 0,
            _ => false,
        }
    }

    /// Cuts each text larger than `half` to `half`.
    fn cut_large_texts(&self, ledger: &mut Ledger<'a, H>, half: usize, goal: usize) -> Result<(), Error> {
        let large: Vec<_> = self.said().filter(|place| ledger.size(*place) > half).collect();
        let need = goal.saturating_sub(ledger.freed());
        ledger.shrink(large, need, Floor { least: half.max(LEAST), old: false })
    }

    /// Cuts the large texts to equal shares, if together they hold more than half of the budget.
    fn cut_crowding_texts(&self, ledger: &mut Ledger<'a, H>, goal: usize) -> Result<(), Error> {
        let (half, large) = (self.limit / 2, self.limit / CROWD);
        let crowd: Vec<_> =
            self.said().filter(|place| ledger.size(*place) > large && !ledger.is_closed(*place)).collect();
        let held: usize = crowd.iter().map(|place| ledger.size(*place)).sum();
        let need = goal.saturating_sub(ledger.freed()).min(held.saturating_sub(half));
        ledger.shrink(crowd, need, Floor { least: large.max(LEAST), old: false })
    }

    /// The texts of users and assistants.
    fn said(&self) -> impl Iterator<Item = Place> {
        let spoken = |slot: &usize| matches!(self.slots[*slot].turn.role, Role::User | Role::Assistant);
        let texts = (0..self.slots.len()).filter(spoken).flat_map(|slot| places(self.slots, slot));
        texts.filter(|place| self.is_text(*place))
    }

    /// Whether the target gets text of this part.
    fn is_text(&self, (slot, part): Place) -> bool {
        let turn = &self.slots[slot].turn;
        let (seat, part) = (self.meter.seat(turn), &turn.parts[part]);
        self.meter.becomes_text(seat, part).is_some() || cut::has_texts(part, seat)
    }

    /// Cuts texts of users and assistants, the newest first and the user's first text last.
    fn cut_texts(&self, ledger: &mut Ledger<'a, H>, goal: usize) -> Result<(), Error> {
        let said = |slot: &usize| matches!(self.slots[*slot].turn.role, Role::User | Role::Assistant);
        let newest_first = (0..self.slots.len()).rev().filter(|slot| Some(*slot) != self.task);
        for slot in newest_first.chain(self.task).filter(said) {
            if ledger.freed() >= goal {
                break;
            }
            let texts = places(self.slots, slot).filter(|place| self.is_text(*place));
            ledger.shrink(texts, goal - ledger.freed(), Floor { least: LEAST, old: false })?;
        }
        Ok(())
    }
}

fn places<H: Host>(slots: &[DraftTurn<H>], slot: usize) -> impl Iterator<Item = Place> + use<H> {
    (0..slots[slot].turn.parts.len()).map(move |part| (slot, part))
}

fn kind<H: Host>(slots: &[DraftTurn<H>], (slot, part): Place) -> &Kind<H> {
    &slots[slot].turn.parts[part].kind
}

fn is_result<H: Host>(slots: &[DraftTurn<H>], place: Place) -> bool {
    matches!(kind(slots, place), Kind::Result(_))
}

fn too_small(budget: Budget<'_>, needed: usize) -> Error {
    let (limit, unit) = (budget.limit(), budget.unit().name());
    let text = format!(
        "expected a budget of at least {needed} {unit}, which is what can be neither left out nor cut, got {limit}: \
         raise it, pin less, or shorten the system text and the tools"
    );
    Error::new(Code::BudgetTooSmall, text)
}

/// Whether a turn has visible content other than results.
fn says_something<H: Host>(turn: &Turn<H>) -> bool {
    turn.parts.iter().any(|part| match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => !text.is_blank(turn.input.as_ref()),
        Kind::Json(_) | Kind::Media(_) => true,
        Kind::Reasoning(_) | Kind::Call(_) | Kind::Result(_) | Kind::Opaque(_) => false,
    })
}

fn is_cut_to_nothing<H: Host>(turn: &Turn<H>) -> bool {
    !turn.parts.is_empty() && turn.parts.iter().all(|part| matches!(&part.kind, Kind::Text(text) if text.is_empty()))
}
