//! Keeps account of a fit: the size of every part, what was cut and dropped, and the total.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Place,
    cut::{Marking, Ruler, plain},
    joins::{Join, Joins},
    known::Known,
};
use crate::{
    model::{Kind, Part},
    report::{Change, Edit, Error, Totals},
    stage::{
        DraftTurn,
        size::{Meter, Seat},
    },
    text::budget::Unit,
    value::Host,
    wire::updates,
};

/// A changed part, its receipt entry, and how much it freed.
type Line = (Place, Change, usize);

/// The result of a fit.
pub(super) struct Closed<H: Host> {
    /// The turns that are kept.
    pub(super) slots: Vec<DraftTurn<H>>,
    /// The receipt entries of dropped parts, and of cut parts.
    pub(super) entries: Vec<Change>,
    /// The totals.
    pub(super) totals: Totals,
    /// The position of the first dropped exchange among the turns that are kept.
    pub(super) gap: Option<usize>,
}

/// The account of a fit.
pub(super) struct Ledger<'a, H: Host> {
    slots: &'a [DraftTurn<H>],
    meter: &'a Meter<'a>,
    /// The same meter in bytes, for cutting texts.
    bytes: &'a Meter<'a>,
    /// The index of each slot's first part in the lists below.
    first: Vec<usize>,
    /// The original size of each part.
    given: Vec<usize>,
    /// The current size of each part.
    now: Vec<usize>,
    gone: Vec<bool>,
    /// How many parts of each slot are left. `None` once the turn is dropped.
    left: Vec<Option<usize>>,
    cut: BTreeMap<Place, Part<H>>,
    /// The parts that may not be cut, by slot.
    pinned: &'a [bool],
    /// How results are marked.
    known: &'a Known<'a>,
    before: usize,
    total: usize,
    dropped: Vec<Line>,
    joins: Joins<H>,
    /// How much the changes of settings have freed that become one with another.
    joined: usize,
}

impl<'a, H: Host> Ledger<'a, H> {
    /// Opens an account. `sizes`: the sizes of all parts in order. `total`: the size of all parts and the frame.
    pub(super) fn open(
        slots: &'a [DraftTurn<H>],
        (meter, bytes): (&'a Meter<'a>, &'a Meter<'a>),
        (sizes, total): (Vec<usize>, usize),
        joins: Joins<H>,
        (pinned, known): (&'a [bool], &'a Known<'a>),
    ) -> Self {
        let mut first = Vec::with_capacity(slots.len());
        let mut next = 0;
        for slot in slots {
            first.push(next);
            next += slot.turn.parts.len();
        }
        Self {
            slots,
            meter,
            bytes,
            first,
            now: sizes.clone(),
            gone: vec![false; sizes.len()],
            given: sizes,
            left: slots.iter().map(|slot| Some(slot.turn.parts.len())).collect(),
            cut: BTreeMap::new(),
            pinned,
            known,
            before: total,
            total,
            dropped: Vec::new(),
            joins,
            joined: 0,
        }
    }

    /// The current total size.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// How much has been freed so far.
    pub(super) fn freed(&self) -> usize {
        self.before.saturating_sub(self.total)
    }

    /// The current size of a part.
    pub(super) fn size(&self, place: Place) -> usize {
        self.now[self.index(place)]
    }

    /// The part in its current form.
    pub(super) fn part(&self, place: Place) -> &Part<H> {
        self.cut.get(&place).unwrap_or(self.original(place))
    }

    /// The part as it was given.
    pub(super) fn original(&self, (slot, part): Place) -> &Part<H> {
        &self.slots[slot].turn.parts[part]
    }

    fn index(&self, (slot, part): Place) -> usize {
        self.first[slot] + part
    }

    pub(super) fn ruler(&self, slot: usize) -> Ruler<'_> {
        Ruler { meter: self.bytes, seat: self.bytes.seat(&self.slots[slot].turn) }
    }

    fn seat(&self, place: Place) -> Seat<'a> {
        self.meter.seat_of(&self.slots[place.0].turn, place)
    }

    /// The unit.
    pub(super) fn unit(&self) -> Unit {
        self.meter.unit()
    }

    /// The size that a part has in this place.
    pub(super) fn measure(&self, place: Place, part: &Part<H>) -> Result<usize, Error> {
        self.meter.part(self.seat(place), part)
    }

    /// Whether a part may not be cut, because it is pinned or dropped.
    pub(super) fn is_closed(&self, place: Place) -> bool {
        self.pinned[place.0] || self.gone[self.index(place)]
    }

    /// Drops parts that belong together, and reports the change.
    pub(super) fn leave_out(
        &mut self,
        places: impl IntoIterator<Item = Place>,
        (code, slot, why): (Edit, usize, &'static str),
    ) -> Result<(), Error> {
        let (mut units, mut bytes, mut closed) = (0, 0, 0);
        for place in places {
            let at = self.index(place);
            if std::mem::replace(&mut self.gone[at], true) {
                continue;
            }
            self.total -= std::mem::take(&mut self.now[at]);
            units += self.given[at];
            let turn = &self.slots[place.0].turn;
            bytes += self.bytes.part(self.seat(place), &turn.parts[place.1])?;
            let left = self.left[place.0].map(|left| left - 1).filter(|left| *left > 0);
            closed += usize::from(left.is_none());
            self.left[place.0] = left;
        }
        if self.slots[slot].turn.parts.is_empty() {
            closed += usize::from(self.left[slot].take().is_some());
        }
        if self.meter.unit() == Unit::Turns {
            self.total -= closed;
            units = closed;
        }
        let turn = &self.slots[slot];
        self.dropped.push(((slot, 0), Change::new(code, turn.index, turn.path(), why).sized(bytes, 0), units));
        if closed > 0 { self.join() } else { Ok(()) }
    }

    /// Counts changes of settings once that have become neighbours.
    fn join(&mut self) -> Result<(), Error> {
        let before = self.total;
        while let Some(Join { first, second, both }) = self.joins.next(|slot| self.left[slot].is_none()) {
            if self.meter.unit() == Unit::Turns {
                self.total -= 1;
                continue;
            }
            let turn = updates::with(&self.slots[second].turn, both);
            for (at, part) in turn.parts.iter().enumerate() {
                let (place, own) = ((second, at), self.index((second, at)));
                let size = self.measure(place, part)?;
                self.total = self.total - self.now[own] + size;
                self.now[own] = size;
            }
            for at in 0..self.slots[first].turn.parts.len() {
                let own = self.index((first, at));
                self.total -= std::mem::take(&mut self.now[own]);
            }
        }
        self.joined += before.saturating_sub(self.total);
        Ok(())
    }

    /// Says whose call was dropped last.
    pub(super) fn name_last(&mut self, id: Option<&str>) {
        if let Some((_, entry, _)) = self.dropped.last_mut() {
            entry.id = id.map(str::to_owned);
        }
    }

    /// Records a cut.
    pub(super) fn enter(&mut self, place: Place, part: Part<H>, size: usize) {
        let at = self.index(place);
        self.total = self.total - self.now[at] + size;
        self.now[at] = size;
        self.cut.insert(place, part);
    }

    /// How a result is marked.
    pub(super) fn marking(&self, place: Place) -> Marking<'_> {
        self.known.marking(place)
    }

    /// The results that are cut although the caller was not asked for their markers, each with its size.
    pub(super) fn unasked(&self) -> Vec<(Place, usize)> {
        let is_new = |place: &Place| matches!(self.original(*place).kind, Kind::Result(_)) && !self.known.has(*place);
        let left = self.cut.keys().filter(|place| !self.gone[self.index(**place)]);
        left.copied().filter(is_new).map(|place| (place, self.size(place))).collect()
    }

    /// Closes the account.
    pub(super) fn close(mut self) -> Result<Closed<H>, Error> {
        let cut = std::mem::take(&mut self.cut);
        let cut: BTreeMap<_, _> = cut.into_iter().filter(|(place, _)| !self.gone[self.index(*place)]).collect();
        let mut lines = std::mem::take(&mut self.dropped);
        for (place, part) in &cut {
            lines.push(self.line(*place, part)?);
        }
        lines.sort_by_cached_key(|(place, ..)| *place);
        let freed = |code: &Edit| {
            let freed: usize = lines.iter().filter(|(_, entry, _)| entry.code == *code).map(|(.., freed)| freed).sum();
            let freed = if *code == Edit::MergedTurn { self.joined } else { freed };
            (freed > 0).then_some((*code, freed))
        };
        let totals = Totals {
            unit: self.meter.unit(),
            budget: 0,
            before: self.before,
            after: self.total,
            freed: Edit::ALL.iter().filter_map(freed).collect(),
        };
        let first = lines.iter().find(|(_, entry, _)| entry.code == Edit::DroppedExchange);
        let gap = first.map(|(place, ..)| self.left[..place.0].iter().flatten().count());
        let entries = lines.into_iter().map(|(_, entry, _)| entry).collect();
        Ok(Closed { slots: self.written(cut), entries, totals, gap })
    }

    /// The receipt entry of a cut part, and how much it freed.
    fn line(&self, place: Place, part: &Part<H>) -> Result<Line, Error> {
        let slot = &self.slots[place.0];
        let (turn, input) = (&slot.turn, slot.turn.input.as_ref());
        let before = self.bytes.part(self.seat(place), &turn.parts[place.1])?;
        let after = self.bytes.part(self.seat(place), part)?;
        let (code, id) = match &part.kind {
            Kind::Result(result) => (Edit::CutResult, Some(&result.id)),
            Kind::Call(call) => (Edit::CutArguments, Some(&call.id)),
            Kind::Opaque(_) if plain::size(&turn.parts[place.1], self.ruler(place.0)) > 0 => (Edit::CutResult, None),
            _ => (Edit::CutText, None),
        };
        let why = "the budget has no room for all of it";
        let mut entry = Change::new(code, slot.index, slot.path_of(place.1), why).sized(before, after);
        entry.id = id.map(|id| id.to_str(input).into_owned());
        let at = self.index(place);
        Ok((place, entry, self.given[at].saturating_sub(self.now[at])))
    }

    /// The turns that are kept. Unchanged turns stay the same objects.
    fn written(&self, mut cut: BTreeMap<Place, Part<H>>) -> Vec<DraftTurn<H>> {
        let mut left = Vec::with_capacity(self.slots.len());
        for (at, slot) in self.slots.iter().enumerate() {
            let Some(parts) = self.left[at] else { continue };
            let whole = parts == slot.turn.parts.len() && cut.range((at, 0)..(at + 1, 0)).next().is_none();
            let mut turn = slot.turn.clone();
            if !whole {
                let mut new = turn.touch();
                let kept = turn.parts.iter().enumerate().filter(|(part, _)| !self.gone[self.index((at, *part))]);
                let part = |(part, one): (usize, &Part<H>)| cut.remove(&(at, part)).unwrap_or_else(|| one.share());
                new.parts = kept.map(part).collect();
                turn = Arc::new(new);
            }
            left.push(DraftTurn { turn, index: slot.index, sources: slot.sources.clone() });
        }
        left
    }
}
