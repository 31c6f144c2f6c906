//! Cuts several parts together by a needed amount: bytes exactly, tokens by trial.

use super::{
    Place,
    account::Ledger,
    cut::{Cuttable, Marking, Ruler, result},
};
use crate::{
    model::Part,
    report::Error,
    text::{Split, TRUNCATED_SUFFIX, budget::Unit},
    value::Host,
};

/// How many trials are made at most with the caller's counter, whose result need not grow with the text.
const TRIES: usize = 12;

/// The size of the marker of a cut.
const MARKER: usize = TRUNCATED_SUFFIX.len();

/// How deep a cut may go.
#[derive(Clone, Copy)]
pub(super) struct Floor {
    /// The smallest size of each piece.
    pub(super) least: usize,
    /// Whether media are cut before texts.
    pub(super) old: bool,
}

/// A part in the pool as it was given, and how many pieces of the pool belong to it.
struct Payer<'p, H: Host> {
    place: Place,
    part: &'p Part<H>,
    cuttable: Cuttable<'p, H>,
    count: usize,
    marking: Marking<'p>,
}

impl<H: Host> Payer<'_, H> {
    /// The bytes of the marker of each piece, and how many bytes must stay so that the marker is whole.
    fn marks(&self, given: usize, ruler: Ruler<'_>) -> Result<(usize, usize), Error> {
        let Cuttable::Result(whole) = self.cuttable else { return Ok((MARKER, 0)) };
        let must = self.marking.must(given);
        let around = if must > 0 { result::around(whole, ruler)? } else { 0 };
        Ok((self.marking.most(given), must + around))
    }
}

/// The sizes of a piece.
#[derive(Clone, Copy)]
struct Piece {
    now: usize,
    given: usize,
    /// The size of its marker.
    marker: usize,
    /// What must stay of it.
    must: usize,
}

impl Piece {
    /// The least that the next cut must save: its marker. A piece that was cut before has a marker already.
    fn marker(self) -> usize {
        if self.now < self.given { 0 } else { self.marker }
    }

    /// The least size that a cut leaves.
    fn floor(self, least: usize) -> usize {
        least.max(self.must)
    }
}

/// The parts after a trial cut, each with its new size.
type Trial<H> = Vec<(Place, Part<H>, usize)>;

impl<H: Host> Ledger<'_, H> {
    /// Cuts these parts by `need` in total, and not more than needed. Small pieces stay whole, large ones are cut to
    /// equal sizes, but not below the least size of `floor`. A part that was cut before is cut again from its original,
    /// so the result is the same as of one deeper cut.
    pub(super) fn shrink(
        &mut self,
        places: impl IntoIterator<Item = Place>,
        need: usize,
        floor: Floor,
    ) -> Result<(), Error> {
        let trial = self.try_shrinking(places, need, floor)?;
        for (place, part, size) in trial {
            self.enter(place, part, size);
        }
        Ok(())
    }

    fn try_shrinking(
        &self,
        places: impl IntoIterator<Item = Place>,
        need: usize,
        Floor { least, old }: Floor,
    ) -> Result<Trial<H>, Error> {
        let (mut payers, mut pieces, mut before) = (Vec::new(), Vec::new(), 0);
        let (mut now, mut given) = (Vec::new(), Vec::new());
        if need == 0 {
            return Ok(Vec::new());
        }
        for place in places {
            // Then none of its pieces is larger, either.
            if self.is_closed(place) || self.size(place) <= least {
                continue;
            }
            let (part, ruler, others) = (self.original(place), self.ruler(place.0), given.len());
            let Some(cuttable) = Cuttable::of(part, ruler) else { continue };
            cuttable.sizes(ruler, &mut given)?;
            match Cuttable::of(self.part(place), ruler) {
                Some(cut) => cut.sizes(ruler, &mut now)?,
                None => now.extend_from_slice(&given[others..]),
            }
            let payer = Payer { place, part, cuttable, count: given.len() - others, marking: self.marking(place) };
            for (now, given) in now[others..].iter().zip(&given[others..]) {
                let (marker, must) = payer.marks(*given, ruler)?;
                pieces.push(Piece { now: *now, given: *given, marker, must });
            }
            payers.push(payer);
            before += self.size(place);
        }
        let bytes: usize = now.iter().sum();
        let cut = |max: usize, least: usize| self.trial(&payers, &pieces, max, Floor { least, old });
        if payers.is_empty() {
            return Ok(Vec::new());
        }
        if self.unit() == Unit::Bytes {
            return cut(bytes.saturating_sub(need), least);
        }
        // The smallest size in bytes, estimated.
        let least = least.saturating_mul(bytes).div_ceil(before.max(1)).max(1);
        self.search(bytes, before, need, least, &cut)
    }

    /// The smallest cut that the counter finds large enough, else the deepest.
    fn search(
        &self,
        bytes: usize,
        before: usize,
        need: usize,
        least: usize,
        cut: &dyn Fn(usize, usize) -> Result<Trial<H>, Error>,
    ) -> Result<Trial<H>, Error> {
        let goal = before.saturating_sub(need);
        let after =
            |trial: &Trial<H>| before - trial.iter().map(|(place, _, size)| self.size(*place) - size).sum::<usize>();
        let mut best = cut(0, least)?;
        let (mut low, mut high) = ((0, after(&best)), (bytes, before));
        for round in 0..TRIES {
            // Stops if the deepest cut is not deep enough, or if another trial would gain too little.
            if low.1 >= goal || high.0 - low.0 <= 1 || goal - low.1 <= goal / 64 {
                break;
            }
            let (width, height) = (high.0 - low.0, high.1.saturating_sub(low.1).max(1));
            let ahead = if round % 2 == 0 { width.saturating_mul(goal - low.1) / height } else { width / 2 };
            let max = low.0 + ahead.clamp(1, width - 1);
            let trial = cut(max, least)?;
            let size = after(&trial);
            if size <= goal {
                (low, best) = ((max, size), trial);
            } else {
                high = (max, size);
            }
        }
        Ok(best)
    }

    /// The parts with their pieces cut to `max` bytes in total, each to `least` or more. Leaves out parts that stay
    /// whole, and parts that the counter does not find smaller.
    fn trial(
        &self,
        payers: &[Payer<'_, H>],
        pieces: &[Piece],
        max: usize,
        Floor { least, old }: Floor,
    ) -> Result<Trial<H>, Error> {
        let mut shares = shares(pieces, max, least).into_iter();
        let mut pieces = pieces;
        let mut trial = Vec::new();
        for payer in payers {
            let (own, rest) = pieces.split_at(payer.count);
            pieces = rest;
            let share: Vec<usize> = shares.by_ref().take(payer.count).collect();
            if own.iter().zip(&share).all(|(piece, share)| piece.now <= *share) {
                continue;
            }
            let (slot, _) = payer.place;
            let part =
                payer.cuttable.cut(payer.part, (&mut share.into_iter(), old), &payer.marking, self.ruler(slot))?;
            let size = self.measure(payer.place, &part)?;
            if size < self.size(payer.place) {
                trial.push((payer.place, part, size));
            }
        }
        Ok(trial)
    }
}

/// The share of `max` bytes for each piece. A piece within a marker of `least` stays whole, and the first cut of a piece
/// saves at least the bytes of the marker.
fn shares(pieces: &[Piece], max: usize, least: usize) -> Vec<usize> {
    let pays = |piece: &Piece| piece.now > piece.floor(least).saturating_add(piece.marker());
    let mut shares: Vec<usize> = pieces.iter().map(|piece| piece.now).collect();
    let mut paying: Vec<usize> = (0..pieces.len()).filter(|at| pays(&pieces[*at])).collect();
    let held: usize = pieces.iter().filter(|piece| !pays(piece)).map(|piece| piece.now).sum();
    let mut left = max.saturating_sub(held);
    loop {
        let sizes: Vec<_> = paying.iter().map(|at| pieces[*at].now).collect();
        let fair = Split::Fair.shares(&sizes, left);
        let before = paying.len();
        let mut open = Vec::with_capacity(before);
        for (at, share) in paying.into_iter().zip(fair) {
            let piece = &pieces[at];
            if share < piece.floor(least) {
                // What its marker needs, the others save.
                shares[at] = piece.floor(least);
                left = left.saturating_sub(shares[at]);
            } else {
                shares[at] = if share < piece.now { share.min(piece.now - piece.marker()) } else { piece.now };
                open.push(at);
            }
        }
        if open.is_empty() || open.len() == before {
            return shares;
        }
        paying = open;
    }
}
