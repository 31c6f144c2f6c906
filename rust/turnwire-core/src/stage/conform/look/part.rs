//! Finds what the target would refuse about one part that would be written unchanged.

use super::Look;
use crate::{
    model::{Args, Call, Content, Kind, Part, Role, ToolResult, Turn},
    report::{Severity, receipt::Change, sentence},
    rules::{ArgsForm, Limits, MuteError, ReasoningRule},
    stage::conform::{
        keys,
        wrong::{Wrong, is_repaired},
    },
    value::{Host, Input, Raw, Text},
    wire::plan::{media_fits, rules},
};

impl Look<'_> {
    /// The fault of a part that would be written unchanged.
    pub(super) fn part<H: Host>(&self, turn: &Turn<H>, part: &Part<H>, input: Option<&Input>) -> Option<Wrong> {
        let flawed = part.flaw.map(|flaw| {
            let thought = matches!(part.kind, Kind::Reasoning(_));
            let code = if thought { Change::RefusedReasoning } else { Change::Reshaped };
            Wrong::flawed(code, flaw, self.limits)
        });
        match flawed {
            Some(wrong) if is_repaired(wrong.severity) => Some(wrong),
            taken => self.part_itself(turn, part, input).or(taken),
        }
    }

    /// [`Self::part`] without the flaw that its reader found.
    fn part_itself<H: Host>(&self, turn: &Turn<H>, part: &Part<H>, input: Option<&Input>) -> Option<Wrong> {
        match &part.kind {
            Kind::Refusal(_) if turn.role != Role::Assistant => {
                Some(Wrong::new(Change::Reshaped, "only the assistant can refuse"))
            }
            Kind::Text(text) | Kind::Refusal(text) => {
                let blank = !self.limits.blank_replays && text.is_blank(input);
                let beside = || !text.is_empty() && says_more(turn, input);
                blank.then(|| {
                    let severity = if beside() { self.limits.blank_beside } else { Severity::Error };
                    let why = if severity == Severity::Error { sentence::BLANK_TEXT } else { BLANK_BESIDE };
                    Wrong::new(Change::BlankText, why).graded(severity)
                })
            }
            Kind::Call(call) => self.call(call, input),
            Kind::Result(result) => self.result(result, input),
            Kind::Reasoning(_) => {
                let refused = match self.limits.reasoning {
                    ReasoningRule::None => true,
                    ReasoningRule::Own(key) => part.place.key != Some(key),
                    ReasoningRule::Replay | ReasoningRule::Key(_) | ReasoningRule::Signature(_) => false,
                };
                let refused = refused || turn.role != Role::Assistant;
                refused.then(|| Wrong::new(Change::RefusedReasoning, "the target does not accept reasoning here"))
            }
            Kind::Media(_) if !self.limits.media_of_all && turn.role != Role::User => {
                Some(Wrong::new(Change::MisplacedMedia, rules::OF_USER.says))
            }
            Kind::Media(media) => {
                (!media_fits(&self.limits.media, media, input)).then(|| Wrong::new(Change::WrongMedia, MEDIA))
            }
            Kind::Json(_) | Kind::Opaque(_) => None,
        }
    }

    /// The faults of the blocks of a result that is itself rewritten.
    pub(super) fn blocks<H: Host>(&self, part: &Part<H>, input: Option<&Input>) -> Option<Wrong> {
        let Kind::Result(result) = &part.kind else { return None };
        let Content::Blocks(blocks) = &result.content else { return None };
        let given = blocks.iter().filter(|block| block.origin.is_some());
        worst(given, result.error, self.limits, input)
    }

    pub(super) fn call<H: Host>(&self, call: &Call<H>, input: Option<&Input>) -> Option<Wrong> {
        let fits = match (self.limits.args, &call.args) {
            (_, Args::Text(_)) if call.custom && self.limits.free_text => true,
            (ArgsForm::Either, _) | (ArgsForm::TextOrObject, Args::Text(_)) => true,
            (form @ (ArgsForm::ObjectText | ArgsForm::JsonText), Args::Text(text)) => form.allows_text(text, input),
            (ArgsForm::Text, args) => matches!(args, Args::Text(_)),
            (ArgsForm::Object | ArgsForm::TextOrObject, Args::Value(raw)) => raw.is_map(input),
            (ArgsForm::Object, Args::Text(_)) | (ArgsForm::ObjectText | ArgsForm::JsonText, Args::Value(_)) => false,
        };
        (!fits).then(|| Wrong::new(Change::Arguments, "the target requires arguments in another form"))
    }

    pub(super) fn result<H: Host>(&self, result: &ToolResult<H>, input: Option<&Input>) -> Option<Wrong> {
        if let Content::Blocks(blocks) = &result.content
            && let Some(fault) = worst(blocks.iter(), result.error, self.limits, input)
            && is_repaired(fault.severity)
        {
            return Some(fault);
        }
        if let Content::Blocks(blocks) = &result.content
            && Role::Tool.sends_one_text(self.limits.one_text)
            && is_list_of_text(blocks)
        {
            return Some(Wrong::new(Change::Reshaped, ONE_TEXT));
        }
        self.empty_result(result, input)
    }

    /// The fault of a result that says nothing, or of which nothing stays in it.
    pub(super) fn empty_result<H: Host>(&self, result: &ToolResult<H>, input: Option<&Input>) -> Option<Wrong> {
        let mute = result.error && self.limits.mute_error == MuteError::Refused;
        if !mute && self.limits.blank_result {
            return None;
        }
        let is_nothing = |text: &Text<H>| self.limits.is_nothing(text, result.error, input);
        let says_nothing = match &result.content {
            Content::Absent => true,
            Content::Text(text) => is_nothing(text),
            Content::Blocks(blocks) => blocks.iter().all(|block| match &block.kind {
                Kind::Text(text) => is_nothing(text),
                Kind::Media(media) => {
                    !self.limits.media_in_result.holds(media.class, media.media_type(input).as_deref(), result.error)
                }
                _ => false,
            }),
        };
        let why = if mute {
            "the target refuses the result of a failed tool that says nothing"
        } else {
            rules::EMPTY_RESULT.says
        };
        says_nothing.then(|| Wrong::new(Change::EmptyResult, why))
    }
}

/// The first fault of these blocks that a build repairs, or else the first one.
fn worst<'a, H: Host>(
    blocks: impl Iterator<Item = &'a Part<H>>,
    failed: bool,
    limits: &Limits,
    input: Option<&Input>,
) -> Option<Wrong> {
    let mut first = None;
    for wrong in blocks.filter_map(|block| block_fault(block, failed, limits, input)) {
        if is_repaired(wrong.severity) {
            return Some(wrong);
        }
        first = first.or(Some(wrong));
    }
    first
}

const BLANK_BESIDE: &str = "some models of the target refuse text without a visible character";
const MEDIA: &str = "the target refuses these media, or their declared type";
pub(super) const ONE_TEXT: &str = "the target accepts one text here, and no list of parts";

/// Whether a turn says something beside its blank texts.
fn says_more<H: Host>(turn: &Turn<H>, input: Option<&Input>) -> bool {
    turn.parts.iter().any(|part| match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => !text.is_blank(input),
        Kind::Reasoning(_) => false,
        _ => true,
    })
}

/// Whether this content is a list of texts. A list with anything else stays where one text is needed, because that would be lost.
pub(super) fn is_list_of_text<H: Host>(parts: &[Part<H>]) -> bool {
    // A call is in a list of its own, and reasoning that is sent back has its own key.
    let mut said = parts.iter().filter(|part| !matches!(part.kind, Kind::Call(_) | Kind::Reasoning(_))).peekable();
    said.peek().is_some() && said.all(|part| matches!(part.kind, Kind::Text(_)) && part.place.index.is_some())
}

/// Whether arguments or a result hold a value that is not JSON. Values that were read from JSON always are.
pub(super) fn holds_no_json<H: Host>(part: &Part<H>) -> Option<&'static str> {
    let said = |block: &Part<H>| matches!(&block.kind, Kind::Json(Raw::Tree(value)) if !value.is_json());
    match &part.kind {
        Kind::Call(Call { args: Args::Value(Raw::Tree(value)), .. }) if !value.is_json() => Some("these arguments"),
        Kind::Result(_) if keys::blocks(part).iter().any(said) => Some("the words of this result"),
        _ => None,
    }
}

/// The fault of a block of a result that would be written unchanged.
pub(in crate::stage::conform) fn block_fault<H: Host>(
    block: &Part<H>,
    failed: bool,
    limits: &Limits,
    input: Option<&Input>,
) -> Option<Wrong> {
    if block.touched {
        return None;
    }
    match block.flaw.map(|flaw| Wrong::flawed(Change::Reshaped, flaw, limits)) {
        Some(wrong) if is_repaired(wrong.severity) => Some(wrong),
        taken => block_itself(block, failed, limits, input).or(taken),
    }
}

/// [`block_fault`] without the flaw that its reader found.
fn block_itself<H: Host>(block: &Part<H>, failed: bool, limits: &Limits, input: Option<&Input>) -> Option<Wrong> {
    match &block.kind {
        Kind::Media(media)
            if !limits.media_in_result.holds(media.class, media.media_type(input).as_deref(), failed) =>
        {
            Some(Wrong::new(Change::MisplacedMedia, "the target does not accept media in this result"))
        }
        Kind::Media(media) if !media_fits(&limits.media, media, input) => Some(Wrong::new(Change::WrongMedia, MEDIA)),
        Kind::Text(text) if !limits.blank_replays && text.is_blank(input) => {
            Some(Wrong::new(Change::BlankText, sentence::BLANK_TEXT))
        }
        Kind::Call(_) | Kind::Result(_) | Kind::Reasoning(_) | Kind::Refusal(_) => {
            Some(Wrong::new(Change::Reshaped, "no result can hold this"))
        }
        _ => None,
    }
}
