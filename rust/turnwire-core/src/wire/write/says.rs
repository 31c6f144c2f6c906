//! Decides which turns and parts of a conversation are written: unchanged, rewritten, or elsewhere.

use crate::{
    model::{Kind, Part, Role, Turn, compaction},
    rules::{BesideCalls, DialectId, Limits, PartOrder, ReasoningRule, Target, shared_block},
    value::{Host, Text, Value},
    wire::plan::{as_text, takes},
};

/// Whether the turn is sent back to the target unchanged. Another profile of the same format accepts a turn too, unless
/// the turn has reasoning or a signature.
#[inline]
pub(crate) fn replays<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    let as_it_came = !turn.touched && turn.origin.is_some();
    as_it_came && (turn.from == target.id || turn.from.same_wire(target.id) && !reasoning_matters(target, turn))
}

/// Whether a part is for the profile that made it only: reasoning, or a signature.
fn bound<H: Host>(part: &Part<H>) -> bool {
    part.signed || matches!(part.kind, Kind::Reasoning(_))
}

/// Whether a part is sent back unchanged inside a turn that is rewritten.
#[inline]
pub(crate) fn goes_back<H: Host>(turn: &Turn<H>, part: &Part<H>, target: DialectId) -> bool {
    let own = if bound(part) { turn.from.reasons_as(target) } else { turn.from.same_wire(target) };
    own && !part.touched && part.origin.is_some()
}

/// A part in the target's spelling, if the target is another format of the same family of models and has such parts.
pub(crate) fn translated<H: Host>(turn: &Turn<H>, part: &Part<H>, target: DialectId) -> Option<Value<H>> {
    // Only the assistant reasons, and only the system announces tools.
    let alike = match &part.kind {
        Kind::Opaque(_) => turn.role.is_system(),
        Kind::Reasoning(_) => part.signed && turn.role == Role::Assistant,
        _ => false,
    };
    if !alike || part.touched || part.flaw.is_some() || !turn.from.is_relative(target) {
        return None;
    }
    let block = part.origin.as_ref()?.to_value(turn.input.as_ref()).ok()?;
    shared_block::translated(turn.from.facts.shared, target.facts.shared, &block)
}

/// Whether an opaque part is written, unchanged or in the target's spelling.
#[inline]
pub(crate) fn is_taken<H: Host>(turn: &Turn<H>, part: &Part<H>, target: DialectId) -> bool {
    goes_back(turn, part, target) || translated(turn, part, target).is_some()
}

fn reasoning_matters<H: Host>(target: &Target<'_>, turn: &Turn<H>) -> bool {
    let stand_in = matches!(target.limits.reasoning, ReasoningRule::Key(_) | ReasoningRule::Signature(_));
    turn.role == Role::Assistant && (stand_in || turn.parts.iter().any(bound) && !turn.from.reasons_as(target.id))
}

/// Whether any part of a turn can be written within these limits. `replays`: whether a part is sent back unchanged.
pub(crate) fn says<H: Host>(
    turn: &Turn<H>,
    limits: &Limits,
    reasoning_as_text: bool,
    replays: impl Fn(&Part<H>) -> bool,
) -> bool {
    if turn.parts.is_empty() {
        return limits.blank_text;
    }
    let silent = is_silent(turn, limits, reasoning_as_text, &replays);
    let says = |part: &Part<H>| replays(part) || says_part(turn, part, limits, reasoning_as_text);
    turn.parts.iter().any(|part| !(silent && is_blank(turn, part)) && says(part))
}

/// Whether blank text of an assistant turn would become a separate message: the target separates text, at least from
/// calls, or it accepts nothing else of the turn.
pub(crate) fn is_silent<H: Host>(
    turn: &Turn<H>,
    limits: &Limits,
    reasoning_as_text: bool,
    replays: impl Fn(&Part<H>) -> bool,
) -> bool {
    if turn.role != Role::Assistant || turn.parts.len() < 2 {
        return false;
    }
    let is_text = |part: &Part<H>| matches!(part.kind, Kind::Text(_) | Kind::Refusal(_));
    let gone = |part: &Part<H>| {
        is_blank(turn, part) || !is_text(part) && !replays(part) && !says_part(turn, part, limits, reasoning_as_text)
    };
    let alone = limits.beside_calls == BesideCalls::Nothing && turn.calls().next().is_some();
    let apart = limits.order == PartOrder::Apart || alone;
    apart || !turn.parts.iter().all(is_text) && turn.parts.iter().all(gone)
}

/// Whether a part is a text or a refusal without a visible character.
#[inline]
pub(crate) fn is_blank<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    matches!(&part.kind, Kind::Text(text) | Kind::Refusal(text) if text.is_blank(turn.input.as_ref()))
}

/// Whether a user's turn has content beside results. `replays`: whether a part is sent back unchanged.
pub(crate) fn asks<H: Host>(
    turn: &Turn<H>,
    limits: &Limits,
    reasoning_as_text: bool,
    replays: impl Fn(&Part<H>) -> bool,
) -> bool {
    let asks = |part: &Part<H>| replays(part) || says_part(turn, part, limits, reasoning_as_text);
    !turn.role.is_system()
        && turn.speaker() != Role::Assistant
        && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)) && asks(part))
}

fn says_part<H: Host>(turn: &Turn<H>, part: &Part<H>, limits: &Limits, reasoning_as_text: bool) -> bool {
    let input = turn.input.as_ref();
    let blank = |text: &Text<H>| !limits.blank_text && text.is_blank(input);
    match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => !blank(text),
        Kind::Json(_) | Kind::Call(_) | Kind::Result(_) => true,
        Kind::Reasoning(thought) => {
            reasoning_as_text && thought.text.as_ref().is_some_and(|text| !text.is_blank(input))
        }
        // A document becomes its text, so a blank one is dropped.
        Kind::Media(media)
            if !limits.blank_text
                && as_text(&limits.media, media, turn.from, input).is_some_and(|text| blank(&text)) =>
        {
            false
        }
        Kind::Media(media) => {
            (limits.media_of_all || turn.role == Role::User) && takes(&limits.media, media, turn.from, input)
        }
        Kind::Opaque(_) => compaction::summary((turn.from, input), part).is_some(),
    }
}

/// Whether any part of a turn will be written for the target.
pub(crate) fn is_written<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    if turn.lone && turn.parts.is_empty() {
        // The payload is the empty string.
        return false;
    }
    let Target { id, limits, options } = *target;
    let as_it_came = turn.from.same_wire(id) && !turn.touched && turn.origin.is_some();
    as_it_came || says(turn, limits, options.reasoning_as_text, |part| is_taken(turn, part, id))
}

/// Whether a user's turn has content beside results that the target accepts.
pub(crate) fn user_asks<H: Host>(turn: &Turn<H>, target: &Target<'_>) -> bool {
    let Target { id, limits, options } = *target;
    asks(turn, limits, options.reasoning_as_text, |part| is_taken(turn, part, id))
}

/// Whether system text comes after other turns, so that a target that needs it in front gets all of it there.
pub(crate) fn gathers<H: Host>(turns: &[&Turn<H>], target: DialectId) -> bool {
    let head = turns.iter().take_while(|turn| turn.role.is_system()).count();
    turns[head..].iter().any(|turn| turn.role.is_system() && (turn.touched || !turn.from.same_wire(target)))
}

/// Whether system text may stay among the messages in a format with a system key: before the assistant's, or last. If
/// the sides alternate, it may not separate two messages of the assistant.
pub(crate) fn may_stay<H: Host>(
    turns: &[&Turn<H>],
    index: usize,
    alternates: bool,
    says: impl Fn(&Turn<H>) -> bool,
) -> bool {
    let speaks = |turn: &&&Turn<H>| !turn.role.is_system() && says(turn);
    let follows = turns.get(index + 1..).and_then(|rest| rest.iter().find(speaks));
    let Some(before) = turns[..index].iter().rev().find(speaks) else { return false };
    let parts = alternates && before.speaker() == Role::Assistant;
    follows.is_none_or(|turn| turn.role == Role::Assistant && !parts)
}
