//! Turns without reasoning: for callers who want none, whatever the provider would accept.

use crate::{
    model::{Kind, Part, Turn},
    value::Host,
};

/// A turn without the reasoning and the signatures that are unwanted. `None` if it has none of them.
pub(crate) fn unreasoned<H: Host>(turn: &Turn<H>, unwanted: &dyn Fn(&Part<H>) -> bool) -> Option<Turn<H>> {
    // What the provider's own tools made stays: it is no reasoning.
    let goes = |part: &Part<H>| unwanted(part) && !matches!(part.kind, Kind::Opaque(_));
    if !turn.parts.iter().any(goes) {
        return None;
    }
    let mut new = turn.touch();
    new.parts.retain(|part| !(matches!(part.kind, Kind::Reasoning(_)) && goes(part)));
    for part in new.parts.iter_mut().filter(|part| part.signed && goes(part)) {
        (part.signed, part.touched) = (false, true);
    }
    Some(new)
}
