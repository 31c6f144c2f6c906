//! Cuts several parts together by a needed amount: bytes exactly, tokens by trial.

use super::{Place, account::Ledger, cut::Cuttable};
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
}

/// The sizes of a piece.
#[derive(Clone, Copy)]
struct Piece {
    now: usize,
    given: usize,
}

impl Piece {
    /// The least that the next cut must save: its marker. A piece that was cut before has a marker already.
    fn marker(self) -> usize {
        if self.now < self.given { 0 } else { MARKER }
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
        let (mut payers, mut now, mut given, mut before) = (Vec::new(), Vec::new(), Vec::new(), 0);
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
            payers.push(Payer { place, part, cuttable, count: given.len() - others });
            before += self.size(place);
        }
        let pieces: Vec<_> = now.iter().zip(&given).map(|(now, given)| Piece { now: *now, given: *given }).collect();
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
            let part = payer.cuttable.cut(payer.part, (&mut share.into_iter(), old), self.ruler(slot))?;
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
    let pays = |piece: &&Piece| piece.now > least.saturating_add(piece.marker());
    let whole: usize = pieces.iter().filter(|piece| !pays(piece)).map(|piece| piece.now).sum();
    let paying: Vec<_> = pieces.iter().filter(pays).map(|piece| piece.now).collect();
    let mut fair = Split::Fair.shares(&paying, max.saturating_sub(whole)).into_iter();
    let share = |piece: &Piece| match pays(&piece).then(|| fair.next()).flatten() {
        Some(share) if share < piece.now => share.min(piece.now - piece.marker()).max(least),
        _ => piece.now,
    };
    pieces.iter().map(share).collect()
}
