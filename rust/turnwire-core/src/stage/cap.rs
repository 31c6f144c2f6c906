//! Step 4: cuts each result to the caller's own limit, whatever the budget, so that it is the same in every later
//! request.

use std::sync::Arc;

use super::{
    cut_result::CutResult,
    draft::Draft,
    fit::cut::{Ruler, result},
    inputs::{Budget, Inputs},
    policy::Policy,
    size::Meter,
};
use crate::{
    model::{Content, Kind, Part, ToolResult},
    report::{Change, Edit, Error},
    text::TRUNCATED_SUFFIX,
    value::{HashSet, Host, Text},
};

/// How often a text is cut and counted again at most with the caller's counter.
const TRIES: usize = 20;

/// Cuts each result that exceeds the cap, except in pinned turns and except results that a build made up.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> Result<(), Error> {
    let Some(cap) = inputs.result_cap else { return Ok(()) };
    let meters = (Meter::of(cap, *rules), Meter::bytes(*rules));
    let pins: HashSet<_> = inputs.pinned.iter().copied().collect();
    let mut found = Vec::new();
    for (at, turn) in draft.turns().enumerate() {
        for (part, one) in turn.parts.iter().enumerate() {
            let Kind::Result(given) = &one.kind else { continue };
            let bytes = Ruler { meter: &meters.1, seat: meters.1.seat(turn) };
            let is_whole = given.form.is_some_and(|form| !form.cuts()) && meters.1.is_home(bytes.seat);
            if !is_whole
                && !given.is_stand_in(bytes.seat.scope.input)
                && let Some(cut) = cut(given, cap, (&meters.0, bytes))?
            {
                found.push((at, part, cut));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let given = draft.given.turns();
    let slots = draft.slots.get_or_insert_with(|| Draft::all(given));
    for turn in found.chunk_by(|a, b| a.0 == b.0) {
        let slot = &mut slots[turn[0].0];
        if slot.sources.iter().any(|source| pins.contains(source)) {
            continue;
        }
        let is_given = slot.sources[..] == [slot.index] && Arc::ptr_eq(&slot.turn, &given[slot.index]);
        let mut new = slot.turn.touch();
        let (input, sizes) = (slot.turn.input.as_ref(), &meters.1);
        for (_, at, cut) in turn {
            let Kind::Result(whole) = &slot.turn.parts[*at].kind else { continue };
            let size = |result: &ToolResult<H>| sizes.result(sizes.seat(&slot.turn), result);
            let why = "it is larger than a result may be";
            let entry = Change::new(Edit::CutResult, slot.index, slot.path_of(*at), why);
            let id = whole.id.to_str(input).into_owned();
            draft.receipt.changes.push(entry.of(id).sized(size(whole)?, size(cut)?));
            if inputs.tells_cuts {
                draft.cut.push(CutResult::of(whole, &slot.turn));
            }
            new.parts[*at] = Part { kind: Kind::Result(cut.share()), touched: true, ..slot.turn.parts[*at].share() };
        }
        slot.turn = Arc::new(new);
        if is_given {
            draft.capped.insert(slot.index, slot.turn.clone());
        }
    }
    Ok(())
}

/// The result, cut to the cap. `None` if it fits already.
fn cut<H: Host>(
    given: &ToolResult<H>,
    cap: Budget<'_>,
    (counted, ruler): (&Meter<'_>, Ruler<'_>),
) -> Result<Option<ToolResult<H>>, Error> {
    let marker = || ToolResult { content: Content::Text(Text::own(TRUNCATED_SUFFIX)), ..given.share() };
    let size = result::size(given, ruler)?;
    let is_marker = given.content.one_text().is_some_and(|text| text.is(TRUNCATED_SUFFIX, ruler.seat.scope.input));
    if size == 0 || is_marker {
        return Ok(None);
    }
    let cut = |max_bytes: usize| result::cut(given, (max_bytes, false), ruler);
    match cap {
        Budget::Bytes(max) | Budget::Turns(max) if size <= max => Ok(None),
        _ if cap.limit() == 0 => Ok(Some(marker())),
        Budget::Bytes(max) | Budget::Turns(max) => cut(max).map(Some),
        Budget::Tokens(max, _) => {
            let tokens = |result: &ToolResult<H>| counted.result(ruler.seat, result);
            if tokens(given)? <= max {
                return Ok(None);
            }
            let (mut best, mut fits, mut over) = (marker(), 0, size);
            for _ in 0..TRIES {
                let middle = fits + (over - fits) / 2;
                if middle == fits {
                    break;
                }
                let tried = cut(middle)?;
                if tokens(&tried)? <= max {
                    (best, fits) = (tried, middle);
                } else {
                    over = middle;
                }
            }
            Ok(Some(best))
        }
    }
}
