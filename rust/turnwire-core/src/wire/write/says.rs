//! Decides which turns and parts of a conversation are written: unchanged, rewritten, or elsewhere.

use crate::{
    model::{Kind, Part, Role, Turn},
    rules::{BesideCalls, PartOrder, ReasoningRule, Target},
    value::Host,
    wire::{
        plan::{
            blank::takes_blank,
            decide::{self, Scope, bound, goes_back},
        },
        updates::{says_nothing, sets_something},
    },
};

/// Whether the turn is sent back to the target unchanged. Another profile of the same format accepts a turn too, unless
/// the turn has reasoning or a signature.
#[inline]
pub(crate) fn replays<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    let as_it_came = !turn.touched && turn.origin.is_some();
    as_it_came && (turn.from == target.id || turn.from.same_wire(target.id) && !reasoning_matters(target, turn))
}

fn reasoning_matters<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    let stand_in = matches!(
        target.limits.reasoning,
        ReasoningRule::Key(..) | ReasoningRule::Signature(_) | ReasoningRule::Unsigned(Some(_))
    );
    let unread = |part: &Part<H>| bound(part) && !goes_back((target.id, target.limits), Scope::of(turn), part);
    match turn.role {
        Role::Assistant => stand_in || turn.parts.iter().any(unread),
        role => role.is_system() && turn.parts.iter().any(unread),
    }
}

/// Whether any part of a turn is written from the parts.
pub(crate) fn says<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    if turn.parts.is_empty() {
        return takes_blank(target.limits, turn.role) && !says_nothing(turn) || sets_only(turn, target);
    }
    let silent = is_silent(turn, target);
    turn.parts.iter().any(|part| !(silent && is_blank(turn, part)) && says_part(turn, part, target))
}

/// Whether a turn of the target's own format only changes settings.
pub(crate) fn sets_only<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    turn.parts.is_empty() && turn.from.same_wire(target.id) && sets_something(turn)
}

/// Whether blank text of an assistant turn would become a separate message: the target separates text, at least from
/// calls, or it accepts nothing else of the turn.
pub(crate) fn is_silent<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    if turn.role != Role::Assistant || turn.parts.len() < 2 {
        return false;
    }
    let is_text = |part: &Part<H>| matches!(part.kind, Kind::Text(_) | Kind::Refusal(_));
    let gone = |part: &Part<H>| is_blank(turn, part) || !is_text(part) && !says_part(turn, part, target);
    let alone = target.limits.beside_calls == BesideCalls::Nothing && turn.calls().next().is_some();
    let apart = target.limits.order == PartOrder::Apart || alone;
    apart || !turn.parts.iter().all(is_text) && turn.parts.iter().all(gone)
}

/// Whether a part is a text or a refusal without a visible character.
#[inline]
pub(crate) fn is_blank<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    matches!(&part.kind, Kind::Text(text) | Kind::Refusal(text) if text.is_blank(turn.input.as_ref()))
}

/// Whether the target gets anything of a part.
fn says_part<H: Host>(turn: &Turn<H>, part: &Part<H>, target: &Target<'_>) -> bool {
    // A host that refuses its own values fails when they are written.
    decide::says_part(target, Scope::of(turn), part).unwrap_or(false)
}

/// Whether any part of a turn will be written for the target.
pub(crate) fn is_written<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    if turn.lone && turn.parts.is_empty() {
        // The payload is the empty string.
        return false;
    }
    let as_it_came = turn.from.same_wire(target.id) && !turn.touched && turn.origin.is_some();
    as_it_came || says(turn, target)
}

/// Whether a user's turn has content beside results that the target accepts.
pub(crate) fn user_asks<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    !turn.role.is_system()
        && turn.speaker() != Role::Assistant
        && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)) && says_part(turn, part, target))
}
