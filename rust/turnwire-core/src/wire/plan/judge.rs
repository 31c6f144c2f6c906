//! Decides whether what is in the target's own format may go back as it came.
//!
//! What has to be written anew is written by the same decisions as content of another format (`decide`, `answer`, `arguments`).

use super::{
    answer::{fails_as_text, is_words, stays_in},
    arguments::args_stay,
    blank::{replays_blank, takes_blank},
    decide::{Scope, bound, lacks_id},
    media::{media_fits, stays_media},
    passages, rules,
    seats::{Joins, Stand},
    signed::{has_loose_signature, has_signature_elsewhere, is_signed},
    silent,
    thinking::thinking,
    thought::{is_readable, is_thought, takes_any_thought},
    typed,
    wrong::{Wrong, is_repaired},
};
use crate::{
    model::{Args, Call, ChoiceKind, Content, Frame, Kind, Media, Part, Role, Tool, ToolResult, Turn, flaw},
    report::{
        Edit, Severity,
        sentence::{self, BESIDE_CALLS, NO_DEVELOPER},
    },
    rules::{BesideCalls, Limits, MuteError, ReasoningRule, ResultPlace, SilentCalls, Target},
    value::{Host, Input, Raw, Text, Value},
    wire::updates,
};

pub(super) const ALTERNATES: &str = "the target requires user and assistant to alternate";
const BLANK_BESIDE: &str = "some models of the target refuse text without a visible character";
const ONE_STEP: &str = "the target requires the calls of a step in one message, and their results in the next";
const OTHER_PLACE: &str = "the target reads the signature of a call under another key";
const WRONG_MEDIA: &str = "the target refuses these media, or their declared type";
const ONE_TEXT: &str = "the target accepts one text here, and no list of parts";

/// What is wrong with a part.
pub(crate) fn part<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> Option<Wrong> {
    let limits = target.limits;
    // Where readable reasoning is enough, it may lack what its own provider verifies.
    let flaw = part.flaw.filter(|_| !(takes_any_thought(limits) && is_readable(part)));
    let flawed = flaw.map(|flaw| {
        let thought = matches!(part.kind, Kind::Reasoning(_));
        let code = if thought { Edit::Reasoning } else { Edit::Reshaped };
        Wrong::flawed(code, flaw, limits)
    });
    worse(flawed, || part_itself(target, turn, part))
}

/// A flaw that its reader found, or what else is wrong if a build does not repair that.
fn worse(flawed: Option<Wrong>, itself: impl FnOnce() -> Option<Wrong>) -> Option<Wrong> {
    match flawed {
        Some(wrong) if is_repaired(wrong.severity) => Some(wrong),
        taken => itself().or(taken),
    }
}

/// [`part`] without the flaw that its reader found.
fn part_itself<H: Host>(target: &Target<'_>, turn: &Turn<H>, part: &Part<H>) -> Option<Wrong> {
    let (limits, scope) = (target.limits, Scope::of(turn));
    let input = scope.input;
    match &part.kind {
        Kind::Refusal(_) if turn.role != Role::Assistant => {
            Some(Wrong::new(Edit::Reshaped, "only the assistant can refuse"))
        }
        Kind::Text(text) | Kind::Refusal(text) => {
            let blank = !replays_blank(limits, turn.role) && text.is_blank(input);
            let beside = || !text.is_empty() && says_more(turn, input);
            blank.then(|| {
                let severity = if beside() { limits.blank_beside } else { Severity::Error };
                let why = if severity == Severity::Error { sentence::BLANK_TEXT } else { BLANK_BESIDE };
                Wrong::new(Edit::BlankText, why).graded(severity)
            })
        }
        Kind::Call(call) => (!args_stay(limits, call, input))
            .then(|| Wrong::new(Edit::Arguments, "the target requires arguments in another form")),
        Kind::Result(result) => answered(target, scope, result),
        Kind::Reasoning(_) => thinking(target, turn, part),
        Kind::Media(_) if !limits.media_of_all && turn.role != Role::User => {
            Some(Wrong::new(Edit::Media, rules::OF_USER.says))
        }
        Kind::Media(media) => wrong_media(limits, media, input),
        Kind::Opaque(_) => refused_passage(target, scope, part),
        Kind::Json(_) => None,
    }
}

/// What is wrong with a search result that the model does not take.
fn refused_passage<H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> Option<Wrong> {
    passages::is_refused(target, scope, part).then(|| Wrong::new(Edit::Media, rules::PASSAGE_TEXT.says))
}

/// What is wrong with media, wherever they are.
fn wrong_media<H: Host>(limits: &Limits, media: &Media<H>, input: Option<&Input>) -> Option<Wrong> {
    if media_fits(&limits.media, media, input) {
        return None;
    }
    let code = if stays_media(&limits.media, media, input) { Edit::MediaType } else { Edit::Media };
    Some(Wrong::new(code, WRONG_MEDIA))
}

/// Whether a turn says something beside its blank texts.
fn says_more<H: Host>(turn: &Turn<H>, input: Option<&Input>) -> bool {
    turn.parts.iter().any(|part| match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => !text.is_blank(input),
        Kind::Reasoning(_) => false,
        _ => true,
    })
}

/// What is wrong with a result.
fn answered<H: Host>(target: &Target<'_>, scope: Scope<'_>, result: &ToolResult<H>) -> Option<Wrong> {
    let limits = target.limits;
    if let Content::Blocks(blocks) = &result.content {
        let fault = worst(target, scope, blocks.iter(), result.error).filter(|wrong| is_repaired(wrong.severity));
        let in_list = || Role::Tool.sends_one_text(limits) && is_list_of_text(blocks);
        let fault = fault.or_else(|| in_list().then(|| Wrong::new(Edit::Reshaped, ONE_TEXT)));
        if fault.is_some() {
            return fault;
        }
    }
    empty_result(limits, result, scope.input)
}

/// What is wrong with the blocks of a result that is itself rewritten.
pub(crate) fn blocks<H: Host>(target: &Target<'_>, scope: Scope<'_>, part: &Part<H>) -> Option<Wrong> {
    let Kind::Result(result) = &part.kind else { return None };
    worst(target, scope, part.blocks().iter().filter(|block| block.origin.is_some()), result.error)
}

/// What is wrong with a result that says nothing, or of which nothing stays in it.
pub(crate) fn empty_result<H: Host>(limits: &Limits, result: &ToolResult<H>, input: Option<&Input>) -> Option<Wrong> {
    let mute = result.error && limits.mute_error == MuteError::Refused;
    if !mute && limits.blank_result {
        return None;
    }
    let is_nothing = |text: &Text<H>| limits.is_nothing(text, result.error, input);
    let says_nothing = match &result.content {
        Content::Absent => true,
        Content::Text(text) => is_nothing(text),
        Content::Blocks(blocks) => blocks.iter().all(|block| match &block.kind {
            Kind::Text(text) => is_nothing(text),
            Kind::Media(media) => {
                !stays_in(limits, media, result.error, input) && !fails_as_text(limits, media, result.error)
            }
            _ => false,
        }),
    };
    let why = if mute {
        "the target refuses the result of a failed tool that says nothing"
    } else {
        rules::EMPTY_RESULT.says
    };
    says_nothing.then(|| Wrong::new(Edit::EmptyResult, why))
}

/// The first fault of these blocks that a build repairs, or else the first one.
fn worst<'a, H: Host>(
    target: &Target<'_>,
    scope: Scope<'_>,
    blocks: impl Iterator<Item = &'a Part<H>>,
    failed: bool,
) -> Option<Wrong> {
    let mut first = None;
    for wrong in blocks.filter_map(|one| block(target, scope, one, failed)) {
        if is_repaired(wrong.severity) {
            return Some(wrong);
        }
        first = first.or(Some(wrong));
    }
    first
}

/// What is wrong with a block of a result that would be written unchanged. `failed`: whether the tool failed.
pub(crate) fn block<H: Host>(target: &Target<'_>, scope: Scope<'_>, block: &Part<H>, failed: bool) -> Option<Wrong> {
    if block.touched {
        return None;
    }
    let (limits, input) = (target.limits, scope.input);
    let flawed = block.flaw.map(|flaw| Wrong::flawed(Edit::Reshaped, flaw, limits));
    worse(flawed, || match &block.kind {
        Kind::Media(media) if fails_as_text(limits, media, failed) => {
            Some(Wrong::new(Edit::Reshaped, rules::FAILED_TEXT.says))
        }
        Kind::Media(media) if !stays_in(limits, media, failed, input) => {
            Some(Wrong::new(Edit::MovedMedia, "the target does not accept media in this result"))
        }
        Kind::Media(media) => wrong_media(limits, media, input),
        Kind::Text(text) if !limits.blank_replays && text.is_blank(input) => {
            Some(Wrong::new(Edit::BlankText, sentence::BLANK_TEXT))
        }
        Kind::Call(_) | Kind::Result(_) | Kind::Reasoning(_) | Kind::Refusal(_) => {
            Some(Wrong::new(Edit::Reshaped, "no result can hold this"))
        }
        Kind::Opaque(_) if failed && limits.fails_in_text() && is_words(scope, block) => {
            Some(Wrong::new(Edit::Reshaped, rules::FAILED_TEXT.says))
        }
        Kind::Opaque(_) => refused_passage(target, scope, block),
        _ => None,
    })
}

/// Whether this content is a list of texts. A list with anything else stays where one text is needed, because that would be lost.
fn is_list_of_text<H: Host>(parts: &[Part<H>]) -> bool {
    // A call is in a list of its own, and reasoning that is sent back has its own key.
    let mut said = parts.iter().filter(|part| !matches!(part.kind, Kind::Call(_) | Kind::Reasoning(_))).peekable();
    said.peek().is_some() && said.all(|part| matches!(part.kind, Kind::Text(_)) && part.place.index.is_some())
}

/// What is wrong with the definition of a tool, beside its schema.
pub(crate) fn tool<H: Host>(limits: &Limits, tool: &Tool<H>) -> Option<Wrong> {
    (tool.custom && !limits.free_text).then(|| Wrong::new(Edit::Reshaped, sentence::NO_FREE_TEXT))
}

/// What is wrong with a choice of tools, where it names a tool that is written anew.
pub(crate) fn choice<H: Host>(limits: &Limits, frame: &Frame<H>) -> Option<Wrong> {
    let ChoiceKind::Tool(name) = &frame.choice.as_ref()?.kind else { return None };
    let input = frame.input.as_ref();
    let mut named = frame.tools.iter().flatten().filter(|tool| tool.name.wtf8(input) == name.wtf8(input));
    named.find_map(|named| tool(limits, named))
}

/// Whether each result must name the tool that was called.
pub(crate) fn names_results(limits: &Limits) -> bool {
    limits.results_named
}

/// Whether arguments or a result hold a value that is not JSON. Values that were read from JSON always are.
pub(crate) fn holds_no_json<H: Host>(part: &Part<H>) -> Option<&'static str> {
    let said = |block: &Part<H>| matches!(&block.kind, Kind::Json(Raw::Tree(value)) if !value.is_json());
    match &part.kind {
        Kind::Call(Call { args: Args::Value(Raw::Tree(value)), .. }) if !value.is_json() => Some("these arguments"),
        Kind::Result(_) if part.blocks().iter().any(said) => Some("the words of this result"),
        _ => None,
    }
}

/// What is wrong with a part of the system text that is beside the messages. A part may have two faults.
pub(crate) fn system_part<H: Host>(
    limits: &Limits,
    part: &Part<H>,
    input: Option<&Input>,
    found: &mut dyn FnMut(Wrong),
) {
    if is_blank_system(limits, part, input) {
        found(Wrong::new(Edit::BlankText, sentence::BLANK_TEXT));
    }
    if !matches!(part.kind, Kind::Text(_) | Kind::Opaque(_)) {
        found(Wrong::new(Edit::MovedSystem, rules::SYSTEM_TEXT.says));
    } else if let Some(flaw) = part.flaw {
        found(Wrong::flawed(Edit::Reshaped, flaw, limits));
    }
}

/// Whether the target refuses a part of the system text because it is blank.
pub(crate) fn is_blank_system<H: Host>(limits: &Limits, part: &Part<H>, input: Option<&Input>) -> bool {
    matches!(&part.kind, Kind::Text(text) if !limits.blank_text && text.is_blank(input))
}

/// What is wrong with system text without content.
pub(crate) fn no_system_text(limits: &Limits) -> Option<Wrong> {
    let why = match limits.blank_system {
        Severity::Info => "system text without content, which other targets refuse",
        _ => "the target refuses system text without content",
    };
    (!limits.blank_text).then(|| Wrong::new(Edit::BlankText, why).graded(limits.blank_system))
}

/// Whether the target refuses a turn of blank text.
pub(crate) fn refuses_blank_turn<H: Host>(limits: &Limits, turn: &Turn<H>) -> bool {
    let blank = |part: &Part<H>| matches!(&part.kind, Kind::Text(text) if text.is_blank(turn.input.as_ref()));
    !takes_blank(limits, turn.role) && !replays_blank(limits, turn.role) && turn.parts.iter().all(blank)
}

/// Why a turn changes that becomes one message with another.
pub(crate) fn merged(joins: Joins) -> Wrong {
    Wrong::new(Edit::MergedTurn, if joins == Joins::Alternates { ALTERNATES } else { ONE_STEP })
}

/// What is wrong with a turn as a whole.
pub(crate) fn turn<H: Host>(target: &Target<'_>, turn: &Turn<H>, stand: Stand) -> Option<Wrong> {
    let empty = turn.flaw.is_some_and(|flaw| std::ptr::eq(flaw, &raw const flaw::EMPTY_TEXT));
    let readable = takes_any_thought(target.limits) && turn.parts.iter().any(is_readable);
    let flawed =
        turn.flaw.filter(|_| !empty && !readable).map(|flaw| Wrong::flawed(Edit::Reshaped, flaw, target.limits));
    worse(flawed, || turn_itself(target, turn, stand, empty))
}

/// [`turn`] without the flaw that its reader found, unless that is an empty text.
fn turn_itself<H: Host>(target: &Target<'_>, turn: &Turn<H>, stand: Stand, empty: bool) -> Option<Wrong> {
    let limits = target.limits;
    if turn.role == Role::Developer && !limits.developer {
        return Some(Wrong::new(Edit::Reshaped, NO_DEVELOPER));
    }
    if turn.role.sends_one_text(limits) && is_list_of_text(&turn.parts) {
        return Some(Wrong::new(Edit::Reshaped, ONE_TEXT));
    }
    if turn.role.is_system() {
        let mute = turn.parts.is_empty() && !takes_blank(limits, turn.role) && !updates::sets_something(turn);
        let refused =
            mute.then(|| Wrong::new(Edit::EmptyTurn, "the target refuses a system message that says nothing"));
        return refused.or_else(|| stand.moves.map(|rule| Wrong::new(rule.code, rule.says)));
    }
    if let Some(joins) = stand.joins {
        return Some(merged(joins));
    }
    let calls = turn.calls().next().is_some();
    if turn.speaker() != turn.role && calls {
        return Some(Wrong::new(Edit::WrongRole, sentence::ONLY_ASSISTANT_CALLS));
    }
    if turn.parts.is_empty() && !takes_blank(limits, turn.role) {
        return Some(Wrong::new(Edit::EmptyTurn, "the target refuses a turn without content"));
    }
    if has_loose_signature(target, turn) {
        return Some(Wrong::new(Edit::Reshaped, OTHER_PLACE));
    }
    if limits.reasoning_ids && turn.parts.iter().any(|part| lacks_id(Scope::of(turn), part)) {
        return Some(Wrong::new(rules::REASONING_ID.code, rules::REASONING_ID.says));
    }
    if limits.typed_items && !typed::is_typed(turn) {
        return Some(Wrong::new(Edit::Reshaped, typed::WHY));
    }
    if limits.results == ResultPlace::EachBehindCall && turn.calls().nth(1).is_some() {
        return Some(Wrong::new(rules::ONE_CALL.code, rules::ONE_CALL.says));
    }
    if calls && !silent::stays(limits, turn) {
        return Some(Wrong::new(Edit::Reshaped, silent::WHY));
    }
    let apart = limits.beside_calls == BesideCalls::Nothing && calls;
    if apart && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Call(_))) {
        return Some(Wrong::new(Edit::Reshaped, BESIDE_CALLS));
    }
    if turn.role == Role::Assistant && !target.options.row {
        let lacks = match limits.reasoning {
            ReasoningRule::Key(word, instead)
                if !turn.parts.iter().any(|part| is_thought(turn, part, (word, instead))) =>
            {
                Some("the target requires this key on every assistant turn")
            }
            ReasoningRule::Unsigned(Some(_))
                if !turn.parts.iter().any(|part| matches!(part.kind, Kind::Reasoning(_))) =>
            {
                Some("the target requires reasoning on every assistant turn")
            }
            ReasoningRule::Signature(_)
                if stand.in_step && turn.parts.iter().find_map(|part| is_signed(target, turn, part)) == Some(false) =>
            {
                let first = turn.parts.iter().find(|part| matches!(part.kind, Kind::Call(_)));
                if first.is_some_and(|part| has_signature_elsewhere(target, turn, part)) {
                    return Some(Wrong::new(Edit::Reshaped, OTHER_PLACE));
                }
                Some("the target requires a signature on the first call of each step")
            }
            _ => None,
        };
        if let Some(why) = lacks {
            return Some(Wrong::of_some(Edit::StandIn, why));
        }
    }
    // Where at most one text may be beside calls, empty text is nothing.
    let stands = calls && limits.silent_calls != SilentCalls::Null;
    let refused = !replays_blank(limits, turn.role) && limits.beside_calls == BesideCalls::All && !stands;
    turn.flaw.filter(|_| empty && refused).map(|flaw| Wrong::new(Edit::BlankText, flaw.says))
}

/// Whether a part is reasoning, or has a signature, and is not what the target takes in place of both.
pub(crate) fn is_reasoning<H: Host>(limits: Option<&Limits>, part: &Part<H>, input: Option<&Input>) -> bool {
    let stands_in = || match (limits.map(|limits| limits.reasoning), &part.kind) {
        (Some(ReasoningRule::Key(word, _)), Kind::Reasoning(thought)) => {
            part.place.key == Some(word) && thought.text.as_ref().is_none_or(|text| text.is_blank(input))
        }
        (Some(ReasoningRule::Unsigned(_)), Kind::Reasoning(thought)) => {
            thought.text.as_ref().is_some_and(|text| text.is_blank(input))
        }
        (Some(ReasoningRule::Signature(word)), _) => {
            let Some(Ok(Value::Map(entries))) = part.origin.as_ref().map(|origin| origin.to_value(input)) else {
                return false;
            };
            has_word(&entries, word)
        }
        _ => false,
    };
    bound(part) && !stands_in()
}

/// Whether the stand-in for a signature is under some key, at whatever depth.
fn has_word<H: Host>(entries: &[(Text<H>, Value<H>)], word: &str) -> bool {
    entries.iter().any(|(_, value)| match value {
        Value::Text(text) => text.is(word, None),
        Value::Map(inside) => has_word(inside, word),
        _ => false,
    })
}
