//! Turns without reasoning: for callers who want none, whatever the provider would accept.

use crate::{
    model::{Kind, Part, Turn},
    value::{Extras, Host, Raw, Text},
};

/// A turn without the reasoning and the signatures that are unwanted. `None` if it has none of them.
pub(crate) fn unreasoned<H: Host>(turn: &Turn<H>, unwanted: &dyn Fn(&Part<H>) -> bool) -> Option<Turn<H>> {
    // What the provider's own tools made stays: it is no reasoning.
    let goes = |part: &Part<H>| unwanted(part) && !matches!(part.kind, Kind::Opaque(_));
    let carries = |extras: Option<&Extras<H>>| extras.into_iter().flatten().any(|entry| carried(turn, entry));
    let in_keys =
        |part: &Part<H>| carries(part.extras.as_deref()) || carries(part.inner.as_ref().map(|inner| &inner.extras));
    let beside = carries(turn.extras.as_deref());
    if !beside && !turn.parts.iter().any(|part| goes(part) || in_keys(part)) {
        return None;
    }
    let mut new = turn.touch();
    new.parts.retain(|part| !(matches!(part.kind, Kind::Reasoning(_)) && goes(part)));
    for part in new.parts.iter_mut().filter(|part| part.signed && goes(part)) {
        (part.signed, part.touched) = (false, true);
    }
    let kept = |extras: &mut Extras<H>| extras.retain(|entry| !carried(turn, entry));
    new.extras.as_deref_mut().into_iter().for_each(kept);
    for part in new.parts.iter_mut().filter(|part| in_keys(part)) {
        part.extras.as_deref_mut().into_iter().for_each(kept);
        part.inner.as_deref_mut().into_iter().for_each(|inner| kept(&mut inner.extras));
        part.touched = true;
    }
    Some(new)
}

/// Whether a key carries nothing but the signature of a maker.
fn carried<H: Host>(turn: &Turn<H>, entry: &(Text<H>, Raw<H>)) -> bool {
    turn.from.facts.carriers.signs(entry, turn.input.as_ref())
}
