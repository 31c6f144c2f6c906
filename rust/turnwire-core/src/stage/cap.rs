//! Step 4: cuts each result to the caller's own limit, whatever the budget, so that it is the same in every later
//! request.

use std::sync::Arc;

use super::{
    draft::{CutBefore, Draft},
    fit::cut::{Marking, Ruler, result},
    inputs::{Budget, Inputs},
    markers::Tools,
    policy::Policy,
    size::Meter,
};
use crate::{
    model::{Content, Kind, Part, ToolResult, Turn},
    report::{Change, Edit, Error},
    text::TRUNCATED_SUFFIX,
    value::{HashSet, Host, Text},
};

/// How often a text is cut and counted again at most with the caller's counter.
const TRIES: usize = 20;

/// Cuts each result that exceeds the cap, except in pinned turns and except results that a build made up.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> Result<(), Error> {
    let Some(limit) = inputs.result_cap else { return Ok(()) };
    let meters = (Meter::of(limit, *rules), Meter::bytes(*rules));
    let cap = Cap { limit, counted: &meters.0, bytes: &meters.1 };
    let pins: HashSet<_> = inputs.pinned.iter().copied().collect();
    let mut found = Vec::new();
    for (at, turn) in draft.turns().enumerate() {
        for (part, one) in turn.parts.iter().enumerate() {
            let Kind::Result(given) = &one.kind else { continue };
            // Only the marker of a result may exceed the cap, and it is not cut again.
            let is_done = || draft.cut.contains_key(&*given.id.to_str(turn.input.as_ref()));
            if !cap.is_whole(given, turn) && cap.is_exceeded(given, turn)? && !is_done() {
                found.push((at, part));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let markers = inputs.markers.filter(|markers| !markers.is_idle());
    let tools = markers.map(|_| Tools::of(draft.turns().map(|turn| &**turn), &draft.names));
    let given = draft.given.turns();
    let slots = draft.slots.get_or_insert_with(|| Draft::all(given));
    for turn in found.chunk_by(|a, b| a.0 == b.0) {
        let slot = &mut slots[turn[0].0];
        if slot.sources.iter().any(|source| pins.contains(source)) {
            continue;
        }
        let is_given = slot.sources[..] == [slot.index] && Arc::ptr_eq(&slot.turn, &given[slot.index]);
        let mut new = None;
        for (_, at) in turn {
            let Kind::Result(whole) = &slot.turn.parts[*at].kind else { continue };
            let own = match (markers, &tools) {
                (Some(markers), Some(tools)) => {
                    markers.of(&tools.shortened((whole, &slot.turn), slot.index, limit.limit()))?
                }
                _ => None,
            };
            let cut = cap.cut(whole, &slot.turn, &Marking::new(own.as_deref(), inputs.cut_words, 0))?;
            let id = whole.id.to_str(slot.turn.input.as_ref()).into_owned();
            let before = cap.size(whole, &slot.turn)?;
            let after = cut.as_ref().map_or(Ok(before), |cut| cap.size(cut, &slot.turn))?;
            draft.cut.insert(id.clone(), CutBefore { own, gone: before.saturating_sub(after) });
            let Some(cut) = cut else { continue };
            let why = "it is larger than a result may be";
            let change = Change::new(Edit::CutResult, slot.index, slot.path_of(*at), why);
            draft.receipt.changes.push(change.of(id).sized(before, after));
            let part = Part { kind: Kind::Result(cut), touched: true, ..slot.turn.parts[*at].share() };
            new.get_or_insert_with(|| slot.turn.touch()).parts[*at] = part;
        }
        let Some(new) = new else { continue };
        slot.turn = Arc::new(new);
        if is_given {
            draft.capped.insert(slot.index, slot.turn.clone());
        }
    }
    Ok(())
}

/// The limit of each result.
struct Cap<'a> {
    limit: Budget<'a>,
    /// Counts in the unit of the limit.
    counted: &'a Meter<'a>,
    bytes: &'a Meter<'a>,
}

impl Cap<'_> {
    fn ruler<'t, H: Host>(&'t self, turn: &'t Turn<H>) -> Ruler<'t> {
        Ruler { meter: self.bytes, seat: self.bytes.seat(turn) }
    }

    /// The size in bytes, as the target writes it.
    fn size<H: Host>(&self, result: &ToolResult<H>, turn: &Turn<H>) -> Result<usize, Error> {
        self.bytes.result(self.bytes.seat(turn), result)
    }

    /// Whether a result is never cut.
    fn is_whole<H: Host>(&self, result: &ToolResult<H>, turn: &Turn<H>) -> bool {
        let ruler = self.ruler(turn);
        let input = ruler.seat.scope.input;
        let is_marker = || result.content.one_text().is_some_and(|text| text.is(TRUNCATED_SUFFIX, input));
        result.form.is_some_and(|form| !form.cuts()) && self.bytes.is_home(ruler.seat)
            || result.is_stand_in(input)
            || is_marker()
    }

    fn is_exceeded<H: Host>(&self, result: &ToolResult<H>, turn: &Turn<H>) -> Result<bool, Error> {
        let size = result::size(result, self.ruler(turn))?;
        Ok(match self.limit {
            _ if size == 0 => false,
            Budget::Bytes(max) | Budget::Turns(max) => size + self.between(result, turn)? > max,
            Budget::Tokens(max, _) => self.tokens(result, turn)? > max,
        })
    }

    /// The bytes that the target writes between its blocks.
    fn between<H: Host>(&self, result: &ToolResult<H>, turn: &Turn<H>) -> Result<usize, Error> {
        if !matches!(&result.content, Content::Blocks(blocks) if blocks.len() > 1) {
            return Ok(0);
        }
        let ruler = self.ruler(turn);
        let one = ToolResult { content: Content::Text(Text::own(TRUNCATED_SUFFIX)), ..result.share() };
        Ok(result::around(result, ruler)?.saturating_sub(result::around(&one, ruler)?))
    }

    fn tokens<H: Host>(&self, result: &ToolResult<H>, turn: &Turn<H>) -> Result<usize, Error> {
        self.counted.result(self.counted.seat(turn), result)
    }

    /// The result, cut to the cap. A marker of the caller's that exceeds the cap is all that is left. `None` if the marker
    /// takes more than half of the cap, and more than the cut would save.
    fn cut<H: Host>(
        &self,
        given: &ToolResult<H>,
        turn: &Turn<H>,
        marking: &Marking<'_>,
    ) -> Result<Option<ToolResult<H>>, Error> {
        let ruler = self.ruler(turn);
        let size = result::size(given, ruler)?;
        let cut = |max_bytes: usize| result::cut(given, (max_bytes, false), marking, ruler);
        let must = marking.must(size);
        let alone = ToolResult { content: Content::Text(marking.alone(size)), ..given.share() };
        if marking.is_the_callers() {
            let (limit, marker, all) = match self.limit {
                Budget::Bytes(max) | Budget::Turns(max) => (max, must, size),
                Budget::Tokens(max, _) => (max, self.tokens(&alone, turn)?, self.tokens(given, turn)?),
            };
            if marker > limit / 2 && all < marker + marker.max(limit) {
                return Ok(None);
            }
            if marker > limit {
                return Ok(Some(alone));
            }
        }
        match self.limit {
            _ if self.limit.limit() == 0 => Ok(Some(alone)),
            Budget::Bytes(max) | Budget::Turns(max) => {
                cut(max.saturating_sub(self.between(given, turn)?).max(must)).map(Some)
            }
            Budget::Tokens(max, _) => {
                let (mut best, mut fits, mut over) = (alone, must, size);
                for _ in 0..TRIES {
                    let middle = fits + over.saturating_sub(fits) / 2;
                    if middle == fits {
                        break;
                    }
                    let tried = cut(middle)?;
                    if self.tokens(&tried, turn)? <= max {
                        (best, fits) = (tried, middle);
                    } else {
                        over = middle;
                    }
                }
                Ok(Some(best))
            }
        }
    }
}
