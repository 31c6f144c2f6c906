//! Decides which turns and parts of a conversation are written: unchanged, rewritten, or elsewhere.

use super::Writer;
use crate::{
    model::{
        compaction,
        media::{Media, MediaData},
        part::{Kind, Part},
        turn::{Role, Turn},
    },
    report::path::Path,
    rules::{
        dialect_id::DialectId,
        limits::{BesideCalls, Limits, PartOrder, PlainDocument, ReasoningRule, SystemPlace},
        shared_block,
        target::Target,
    },
    value::{
        door::Sink,
        handle::{Host, Raw, Text, Value, span_bytes},
    },
    wire::{
        plan::{self, At},
        write::system,
    },
};

impl<'a, H: Host, K: Sink<H>> Writer<'a, H, K> {
    /// Whether the turn is sent back unchanged.
    #[inline]
    pub(crate) fn replays(&self, turn: &Turn<H>) -> bool {
        replays(&self.target, turn)
    }

    /// The system turns that cannot stay where they are, each with its index.
    pub(crate) fn hoisted(&self) -> impl Iterator<Item = At<'a, H>> + use<'_, 'a, H, K> {
        let turns: &'a [&'a Turn<H>] = match self.target.limits.system {
            SystemPlace::Anywhere => &[],
            SystemPlace::First | SystemPlace::Head | SystemPlace::Top | SystemPlace::Nowhere => {
                &self.conversation.turns
            }
        };
        turns.iter().enumerate().map(|(index, turn)| (index, *turn)).filter(|at| self.is_hoisted(*at))
    }

    /// The path of the first system text: beside the messages, or else of the first system turn that moves there.
    pub(crate) fn first_system_path(&self) -> Path {
        let frame = self.conversation.frame;
        match self.hoisted().next() {
            Some((index, turn)) if frame.system.is_none() => turn.path(index),
            _ => frame.system_path(),
        }
    }

    /// Whether a turn is system text that cannot stay where it is.
    pub(crate) fn is_hoisted(&self, (index, turn): At<'_, H>) -> bool {
        if !turn.role.is_system() {
            return false;
        }
        let own = turn.from.same_wire(self.target.id);
        match self.target.limits.system {
            SystemPlace::Anywhere => false,
            SystemPlace::First => self.gathers,
            SystemPlace::Head => !own || turn.touched && index > 0,
            SystemPlace::Top => {
                let relative = turn.from.is_relative(self.target.id);
                let may_stay = || {
                    let alternates = self.target.limits.alternates;
                    system::may_stay(&self.conversation.turns, index, alternates, |turn| self.says(turn))
                };
                // If an untouched turn is of this format, its own servers accepted its position.
                !(own && !turn.touched || (own || relative) && may_stay())
            }
            SystemPlace::Nowhere => !own,
        }
    }

    /// The last turn that will be written, at least in part.
    pub(crate) fn last_said(&self) -> Option<usize> {
        let mut turns = self.conversation.turns.iter().enumerate().rev();
        turns.find(|(index, turn)| !self.is_hoisted((*index, turn)) && self.says(turn)).map(|(index, _)| index)
    }

    /// The last turn in which content of the user beside results will be written.
    pub(crate) fn last_asked(&self) -> Option<usize> {
        let as_text = self.target.options.reasoning_as_text;
        self.conversation
            .turns
            .iter()
            .rposition(|turn| asks(turn, self.target.limits, as_text, |part| is_taken(turn, part, self.target.id)))
    }

    /// Whether any part of a turn will be written.
    pub(crate) fn says(&self, turn: &Turn<H>) -> bool {
        self.replays(turn)
            || says(turn, self.target.limits, self.target.options.reasoning_as_text, |part| {
                is_taken(turn, part, self.target.id)
            })
    }

    /// A part in the target's spelling, if the target is another format of the same family of models and has such
    /// parts.
    pub(crate) fn translated(&mut self, turn: &Turn<H>, part: &Part<H>) -> Option<Raw<H>> {
        let value = translated(turn, part, self.target.id)?;
        let value = match &part.origin {
            Some(Raw::Span(span)) => self.counted(value, span_bytes(*span, turn.input.as_ref())).ok()?,
            Some(Raw::Own(json)) => self.counted(value, json.as_bytes()).ok()?,
            _ => value,
        };
        Some(Raw::Tree(value))
    }

    /// The wire value of a part that is [sent back unchanged](goes_back).
    #[inline]
    pub(crate) fn part_origin<'p>(&self, turn: &Turn<H>, part: &'p Part<H>) -> Option<&'p Raw<H>> {
        part.origin.as_ref().filter(|_| goes_back(turn, part, self.target.id))
    }
}

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
        && plan::speaker(turn) != Role::Assistant
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
        Kind::Media(Media { data: MediaData::Plain(text), .. })
            if limits.media.plain == PlainDocument::Text && blank(text) =>
        {
            false
        }
        Kind::Media(media) => {
            (limits.media_of_all || turn.role == Role::User) && plan::takes(&limits.media, media, turn.from, input)
        }
        Kind::Opaque(_) => compaction::summary((turn.from, input), part).is_some(),
    }
}

/// Whether any part of a turn will be written for the target.
pub(crate) fn is_written<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return true };
    if turn.lone && turn.parts.is_empty() {
        // The payload is the empty string.
        return false;
    }
    let as_it_came = turn.from.same_wire(target) && !turn.touched && turn.origin.is_some();
    as_it_came || says(turn, limits, false, |part| is_taken(turn, part, target))
}

/// Whether a user's turn has content beside results that the target accepts.
pub(crate) fn user_asks<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return false };
    asks(turn, limits, false, |part| is_taken(turn, part, target))
}
