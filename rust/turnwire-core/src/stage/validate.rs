//! Step 7: fails for everything that no step could repair, before the provider does.

use super::{compaction, conform::is_marked, draft::Draft, opening, pair, policy::Policy};
use crate::{
    convert::functions::loaded,
    model::{Kind, Part, Role, Turn},
    pairing::links::on_server,
    report::{Change, Edit, Error, error::Code},
    rules::{DialectId, LastWord},
    value::Host,
    wire::{
        plan::{
            beside, judge,
            seats::{first_use, instructs_alone, lacks_user, may_begin},
        },
        write::says::is_written,
    },
};
use std::sync::Arc;

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    let Some((at, first)) = draft.turns().enumerate().find(|(_, turn)| !turn.role.is_system()) else {
        return instructions_alone(draft, rules);
    };
    let turns = || draft.turns().map(|turn| &**turn);
    if !on_server::may_hold_calls(&draft.given.frame, turns(), rules.target) {
        let leads = matches!(first.parts.first().map(|part| &part.kind), Some(Kind::Result(_)));
        if leads || first.role == Role::Tool {
            let text = "[MessageBuilder] Messages cannot start with a tool message";
            return Err(Error::new(Code::LeadingToolResult, text).at_path(draft.path(at)));
        }
        // Pairing has already checked everything that no step has changed.
        let changed = draft.slots.as_ref().filter(|_| !draft.receipt.is_unchanged());
        if let Some((slots, (slot, part))) = changed.and_then(|slots| Some((slots, pair::orphan(slots)?))) {
            let text = "[MessageBuilder] Found orphaned tool message after validation";
            return Err(Error::new(Code::OrphanToolResult, text).at_path(slots[slot].path_of(part)));
        }
    }
    let Some(target) = rules.written_for() else { return Ok(()) };
    let limits = target.limits;
    let says = |turn: &Turn<H>| !turn.role.is_system() && is_written(turn, &target);
    let (first, last) = {
        let spoken = || draft.turns().enumerate().filter(|(_, turn)| says(turn)).map(|(at, turn)| (at, turn.speaker()));
        (
            spoken().next(),
            draft.turns().enumerate().rev().find(|(_, turn)| says(turn)).map(|(at, turn)| (at, turn.speaker())),
        )
    };
    let Some((at, _)) = first else {
        if on_server::has_earlier_turns(&draft.given.frame, rules.target) {
            return Ok(());
        }
        return Err(none_left(draft, rules));
    };
    let compacted = draft.turns().nth(at).is_some_and(|turn| compaction::begins(turn, rules));
    let begins = |turn: &Turn<H>| {
        let is_last = last.is_none_or(|(last, _)| last == at);
        may_begin(limits, opening::first(draft, rules, (at, turn), is_last))
    };
    if !draft.turns().nth(at).is_some_and(|turn| begins(turn)) && !compacted {
        let text = "the target requires the user to speak first, and this conversation begins with the assistant: pass an \
                    opening for the user, or drop this turn";
        return Err(Error::new(Code::StartsWithAssistant, text).at_path(draft.path(at)));
    }
    if lacks_user(&target, turns()) && !on_server::has_earlier_turns(&draft.given.frame, rules.target) {
        let text = "the target requires a message of the user's, and this conversation has none: pass an opening for the user, or \
                    add one";
        return Err(Error::new(Code::NoUser, text).at_path(draft.path(at)));
    }
    let last = last.filter(|(_, role)| *role == Role::Assistant && !rules.keep_open);
    let may = |at: usize| match limits.ends_with_assistant {
        LastWord::Anybody => true,
        _ if rules.prefill && limits.prefill => true,
        LastWord::NotAssistant => false,
        LastWord::OnServer => draft.turns().nth(at).is_some_and(|turn| goes_on(turn, rules)),
        LastWord::Marked(key) => draft.turns().nth(at).is_some_and(|turn| is_marked(turn, key, target.id)),
    };
    if let Some((at, _)) = last.filter(|(at, _)| !may(*at)) {
        let text = "the target requires a user message or a tool result at the end, and this conversation ends with the \
                    assistant: add the user's next message";
        return Err(Error::new(Code::EndsWithAssistant, text).at_path(draft.path(at)));
    }
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    if let Some((at, part)) = beside::sound(&target, turns(), frame.system.is_some()) {
        let (turn, index) = draft.at(at);
        let text = "the target accepts sound only in a conversation without system text";
        return Err(Error::new(Code::Unsendable, text).at_path(turn.part_path(index, part)));
    }
    // What an item shows is defined from the start, where the target loads no tools.
    let is_shown = |turn: &Turn<H>| {
        let shown = |part| !loaded::each((turn.from, turn.input.as_ref()), part).is_empty();
        !turn.from.same_wire(target.id) && turn.parts.iter().any(shown)
    };
    let undefined = frame.tools.as_ref().is_none_or(Vec::is_empty) && !turns().any(is_shown);
    if let Some(at) = first_use(limits, turns()).filter(|_| undefined) {
        // This is only a warning: a bare list cannot hold tools, and the caller may add them to the request.
        let text = "the target needs tool definitions when messages call tools: pass them, or add them to the request";
        let warning = Change::warning(Edit::ToolsMissing, draft.path(at), text);
        draft.receipt.changes.push(warning);
    }
    Ok(())
}

/// Whether a turn ends in a call or result of the provider's own tools. Then the model continues from there.
fn goes_on<H: Host>(turn: &Turn<H>, rules: &Policy) -> bool {
    let last = turn.parts.last().map(|part| &part.kind);
    matches!(last, Some(Kind::Opaque(_))) && rules.is_home(turn.from)
}

/// Refuses system text without any turn, unless the target keeps system text beside its messages.
fn instructions_alone<H: Host>(draft: &Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    if on_server::has_earlier_turns(&draft.given.frame, rules.target) {
        return Ok(());
    }
    // Content that only its own format knows is not text for another one.
    let own = rules.is_home(frame.from);
    let is_refused =
        |part: &Part<H>| rules.limits.is_some_and(|limits| judge::is_blank_system(limits, part, frame.input.as_ref()));
    let text = |part: &Part<H>| match &part.kind {
        Kind::Text(_) => !is_refused(part),
        Kind::Json(_) | Kind::Refusal(_) => true,
        _ => own,
    };
    let beside = frame.system.as_ref().is_some_and(|system| system.parts.iter().any(text));
    let says = |turn: &Arc<Turn<H>>| rules.written_for().is_none_or(|target| is_written(turn, &target));
    if !beside && !draft.turns().any(says) {
        return Err(none_left(draft, rules));
    }
    // The list would be empty beside system text in its own key.
    let beside = draft.turns().len() == 0 && rules.target.is_some_and(DialectId::keeps_system_beside);
    match rules.limits {
        None => Ok(()),
        Some(limits) if instructs_alone(limits) && !beside => Ok(()),
        Some(_) => {
            let text = "the target needs a message, and there is only system text";
            Err(Error::new(Code::EmptyMessages, text))
        }
    }
}

/// The error for a list without a message. For an empty list, and for a build without a target, the sentence is specified.
#[cold]
fn none_left<H: Host>(draft: &Draft<'_, H>, rules: &Policy) -> Error {
    if rules.target.is_none() {
        return Error::new(Code::EmptyMessages, "[MessageBuilder] Messages cannot be empty");
    }
    let count = draft.given.turns().len();
    let gone = draft.receipt.changes.iter().find(|change| !change.is_warning() && !change.path.is_root());
    let path = gone.map_or_else(|| draft.path(0), |change| change.path.clone());
    let text = match (count, gone) {
        (0, _) => "expected at least one message, got an empty list".to_owned(),
        (1, Some(gone)) => {
            format!("nothing is left to send: the only message is left out ({}: {})", gone.code.name(), gone.reason)
        }
        (1, None) => "nothing is left to send: the only message has no content".to_owned(),
        (_, Some(gone)) => format!(
            "nothing is left to send of {count} messages: the first is left out ({}: {})",
            gone.code.name(),
            gone.reason
        ),
        (_, None) => format!("nothing is left to send: none of the {count} messages has content"),
    };
    Error::new(Code::EmptyMessages, text).at_path(path)
}
