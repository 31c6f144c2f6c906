//! What a fit knows of the markers of results, which the caller is asked for once a result is to be cut.

use std::collections::BTreeMap;

use super::{Place, cut::Marking};
use crate::{
    model::Kind,
    report::Error,
    stage::{
        Draft, DraftTurn, Inputs,
        markers::{Markers, OwnMarker, Tools, full_text},
    },
    value::Host,
};

/// One result.
struct One {
    /// The caller's own marker.
    own: Option<String>,
    /// How many of its bytes an earlier step left out.
    before: usize,
}

/// The results about which anything is known.
pub(super) struct Known<'a> {
    words: Option<&'a str>,
    /// Whether the caller is asked at all.
    asks: bool,
    results: BTreeMap<Place, One>,
}

impl<'a> Known<'a> {
    /// What earlier steps and earlier requests know.
    pub(super) fn of<H: Host>(slots: &[DraftTurn<H>], draft: &Draft<'_, H>, inputs: &Inputs<'a, H>) -> Self {
        let asks = inputs.markers.is_some_and(Markers::asks);
        let mut known = Self { words: inputs.cut_words, asks, results: BTreeMap::new() };
        let markers = inputs.markers.filter(|markers| !markers.is_idle());
        if markers.is_none() && draft.cut.is_empty() {
            return known;
        }
        for (at, slot) in slots.iter().enumerate() {
            for (part, one) in slot.turn.parts.iter().enumerate() {
                let Kind::Result(result) = &one.kind else { continue };
                let id = result.id.to_str(slot.turn.input.as_ref());
                if let Some(cut) = draft.cut.get(&*id) {
                    let one = One { own: cut.own.clone(), before: cut.gone };
                    known.results.insert((at, part), one);
                } else if let Some(OwnMarker(own)) =
                    markers.and_then(|markers| markers.recalled(&id, || full_text(result, &slot.turn)))
                {
                    known.results.insert((at, part), One { own, before: 0 });
                }
            }
        }
        known
    }

    /// How a result is marked.
    pub(super) fn marking(&self, place: Place) -> Marking<'_> {
        let one = self.results.get(&place);
        Marking::new(one.and_then(|one| one.own.as_deref()), self.words, one.map_or(0, |one| one.before))
    }

    /// Whether there is nothing to ask about a result.
    pub(super) fn has(&self, place: Place) -> bool {
        !self.asks || self.results.contains_key(&place)
    }

    /// Asks the caller for the markers of these results, each with the room that it has.
    pub(super) fn ask<H: Host>(
        &mut self,
        places: Vec<(Place, usize)>,
        slots: &[DraftTurn<H>],
        (draft, inputs): (&Draft<'_, H>, &Inputs<'_, H>),
    ) -> Result<(), Error> {
        let Some(markers) = inputs.markers else { return Ok(()) };
        let tools = Tools::of(slots.iter().map(|slot| &*slot.turn), &draft.names);
        for (place, room) in places {
            let slot = &slots[place.0];
            let Kind::Result(result) = &slot.turn.parts[place.1].kind else { continue };
            let own = markers.of(&tools.shortened((result, &slot.turn), slot.index, room))?;
            self.results.insert(place, One { own, before: 0 });
        }
        Ok(())
    }
}
