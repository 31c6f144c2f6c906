//! The texts of a part, as its target writes them.
//!
//! These count: texts, with a prefix or a separating line that the target needs; arguments and JSON results, as compact
//! JSON text; base64 data, addresses and file ids; tool definitions. Keys, quotes and escapes of the wire do not count,
//! nor does content that the target cannot hold.

use super::Scope;
use crate::k;
use crate::{
    model::{
        Args, Call, Content, ERROR_PREFIX, Kind, MOVED_MEDIA, Media, MediaData, Part, Role, Tool, ToolResult,
        compaction, tool::words_for_nothing,
    },
    report::Error,
    rules::{ArgsForm, CacheMark, DialectId, Limits, PlainDocument, SystemPlace, shared_block::translated},
    stage::Policy,
    text::{Units, replace_surrogates},
    value::{
        Host, Input, Numbers, Raw, Text, Value, base64,
        json::{compact, escape},
    },
    wire::plan::as_text,
};

/// One text as the target writes it.
pub(super) enum Word<'w, H: Host> {
    Text(&'w Text<H>),
    /// A text with something before and after it, which is one text on the wire.
    Joined(&'w str, &'w Text<H>, &'w str),
    Made(&'w str),
    /// The bytes of base64 data, an address or a file id, which no counter can count.
    Data(usize),
}

/// A function that receives each text.
pub(super) type Say<'s, H> = &'s mut dyn FnMut(Word<'_, H>) -> Result<(), Error>;

/// Texts that a target adds around a result.
#[derive(Clone, Copy, Debug)]
struct Overhead {
    /// [`ERROR_PREFIX`], if the target has no flag for a failed result.
    prefix: bool,
    /// A line of [`MOVED_MEDIA`], if the target accepts no media in this result.
    moved: bool,
    /// The text of a result of which nothing is written, if the target needs one.
    instead: Option<&'static str>,
}

/// The texts that a target adds around a result. `rewritten`: its blocks that are not written unchanged.
fn overhead<H: Host>(
    limits: &Limits,
    result: &ToolResult<H>,
    (from, input): (DialectId, Option<&Input>),
    rewritten: impl Fn(&Part<H>) -> bool,
    is_lost: impl Fn(&Part<H>) -> bool,
    whole: bool,
) -> Overhead {
    let blocks = match &result.content {
        Content::Blocks(blocks) => &blocks[..],
        Content::Absent | Content::Text(_) => &[],
    };
    let holds =
        |media: &Media<H>| limits.media_in_result.holds(media.class, media.media_type(input).as_deref(), result.error);
    let becomes_text = |media: &Media<H>| as_text(&limits.media, media, from, input);
    let moves = |block: &Part<H>| {
        matches!(&block.kind, Kind::Media(media) if !holds(media) && becomes_text(media).is_none()) && rewritten(block)
    };
    let is_nothing = |text: &Text<H>| limits.is_nothing(text, result.error, input);
    let is_mute = || match &result.content {
        Content::Absent => true,
        Content::Text(text) => is_nothing(text),
        Content::Blocks(blocks) => blocks.iter().all(|block| match &block.kind {
            Kind::Text(text) | Kind::Refusal(text) => is_nothing(text),
            Kind::Json(_) => false,
            Kind::Media(media) => match becomes_text(media).filter(|_| rewritten(block)) {
                Some(text) => is_nothing(&text),
                None => moves(block) || rewritten(block) && is_lost(block),
            },
            _ => rewritten(block) && is_lost(block),
        }),
    };
    Overhead {
        prefix: result.error && !limits.error_flag,
        moved: blocks.iter().any(moves),
        instead: words_for_nothing(limits, result.error).filter(|_| whole && is_mute()),
    }
}

/// How a part is written for a target.
#[derive(Clone, Copy)]
pub(super) struct Writing<'a> {
    pub(super) rules: &'a Policy<'a>,
    pub(super) scope: Scope<'a>,
    pub(super) wraps_free_text: bool,
    /// Whether the target joins texts of a message by a line break.
    pub(super) joins: bool,
}

impl Writing<'_> {
    /// Visits the texts of a part.
    pub(super) fn part<H: Host>(self, part: &Part<H>, say: Say<'_, H>) -> Result<(), Error> {
        let (rules, input) = (self.rules, self.scope.input);
        if self.is_lost(&part.kind) {
            return Ok(());
        }
        match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) if self.joins => say(Word::Joined("\n", text, "")),
            Kind::Text(text) | Kind::Refusal(text) => say(Word::Text(text)),
            Kind::Json(value) => json(value, input, Numbers::Spelled, say),
            Kind::Reasoning(_) if part.touched || !rules.replays_reasoning(self.scope.from, part.signed) => Ok(()),
            Kind::Reasoning(thought) => match (&part.origin, &thought.text) {
                // Only the original value has the signature or the encrypted content.
                (Some(origin), _) if part.signed => {
                    self.spelled(origin).map_or(Ok(()), |block| whole(&block, input, say))
                }
                (_, text) => text.as_ref().map_or(Ok(()), |text| say(Word::Text(text))),
            },
            // A mark of the prompt cache says nothing.
            Kind::Opaque(name) if is_cache_mark(self.scope.from, name, input) => Ok(()),
            Kind::Opaque(_) => {
                if let Some(block) = part.origin.as_ref().filter(|_| !part.touched).and_then(|one| self.spelled(one)) {
                    return if is_bare(&block, input) { Ok(()) } else { whole(&block, input, say) };
                }
                match compaction::summary((self.scope.from, input), part) {
                    Some(text) if self.joins => say(Word::Joined("\n", &text, "")),
                    Some(text) => say(Word::Text(&text)),
                    None => Ok(()),
                }
            }
            Kind::Media(media) => match (&media.data, self.as_text(part, media)) {
                (_, Some(text)) if self.joins => say(Word::Joined("\n", &text, "")),
                (_, Some(text)) => say(Word::Text(&text)),
                (MediaData::Plain(text), _) if self.as_bytes(part) => {
                    say(Word::Data(base64::encoded_len(text.utf8_len(input))))
                }
                (MediaData::Plain(text), _) => say(Word::Text(text)),
                (MediaData::DataUrl(url), _) => say(Word::Data(url.utf8_len(input) - before_data(url, input))),
                (data, _) => say(Word::Data(data.utf8_len(input))),
            },
            Kind::Call(call) => self.args(call, part.touched, say),
            Kind::Result(result) => {
                // Each text counts its separator, because it is decided later which text is first in its element.
                if let Some(limits) = rules.limits.filter(|limits| !limits.between_results.is_empty()) {
                    say(Word::Made(limits.between_results))?;
                }
                self.result(result, part.touched, say)
            }
        }
    }

    /// Whether the target writes the text of a document as the bytes of a file.
    fn as_bytes<H: Host>(self, part: &Part<H>) -> bool {
        let rewritten = part.touched || !self.rules.is_home(self.scope.from);
        rewritten && self.rules.limits.is_some_and(|limits| limits.media.plain == PlainDocument::Bytes)
    }

    /// The text of a document that the target accepts only as text.
    fn as_text<H: Host>(self, part: &Part<H>, media: &Media<H>) -> Option<Text<H>> {
        let limits = self.rules.limits.filter(|_| part.touched || !self.rules.is_home(self.scope.from))?;
        as_text(&limits.media, media, self.scope.from, self.scope.input)
    }

    /// An opaque block in the target's spelling: unchanged, or translated from another format of the family.
    fn spelled<H: Host>(self, origin: &Raw<H>) -> Option<Raw<H>> {
        let from = self.scope.from;
        if self.rules.is_home(from) {
            return Some(origin.share());
        }
        let target = self.rules.target.filter(|target| from.is_relative(*target))?;
        let block = origin.to_value(self.scope.input).ok()?;
        translated(from.facts.shared, target.facts.shared, &block).map(Raw::Tree)
    }

    /// Whether the target cannot hold the part: system text or media in a format without them.
    fn is_lost<H: Host>(self, kind: &Kind<H>) -> bool {
        let Some(limits) = self.rules.limits.filter(|_| !self.rules.is_home(self.scope.from)) else { return false };
        let role = self.scope.role;
        match kind {
            _ if role.is_system() => limits.system == SystemPlace::Nowhere,
            Kind::Media(media) => {
                !takes(limits, media) || !limits.media_of_all && !matches!(role, Role::User | Role::Tool)
            }
            _ => false,
        }
    }

    fn args<H: Host>(self, call: &Call<H>, touched: bool, say: Say<'_, H>) -> Result<(), Error> {
        let input = self.scope.input;
        let rewritten = touched || !self.rules.is_home(self.scope.from);
        let lost = |text: &Text<H>| {
            rewritten
                && self.rules.limits.is_some_and(|limits| match limits.args {
                    ArgsForm::Object => true,
                    form => !form.allows_text(text, input),
                })
        };
        match &call.args {
            Args::Text(text) if call.custom && self.wraps_free_text => {
                let mut out = br#"{"input":"#.to_vec();
                escape::string(Units::Utf8(&text.wtf8(input)), &mut out);
                out.push(b'}');
                made(&out, say)
            }
            Args::Text(text) if call.custom => say(Word::Text(text)),
            Args::Text(text) => match object(&text.wtf8(input)) {
                Some(out) => made(&out, say),
                // Arguments that are not an object are lost, and an empty object is written.
                None if lost(text) => say(Word::Made("{}")),
                None => say(Word::Text(text)),
            },
            Args::Value(value) => json(value, input, Numbers::Alike, say),
        }
    }

    /// Visits the texts of a result and around it. `touched`: whether it is written from its parts in any case.
    pub(super) fn result<H: Host>(self, result: &ToolResult<H>, touched: bool, say: Say<'_, H>) -> Result<(), Error> {
        let home = self.rules.is_home(self.scope.from);
        let limits = self.rules.limits.or_else(|| self.scope.from.limits().ok());
        let rewritten = |block: &Part<H>| !home || block.touched;
        let is_lost = |block: &Part<H>| match &block.kind {
            Kind::Media(media) => limits.is_some_and(|limits| !takes(limits, media)),
            Kind::Opaque(_) => block.origin.as_ref().and_then(|origin| self.spelled(origin)).is_none(),
            _ => true,
        };
        let around = limits.map(|limits| {
            overhead(limits, result, (self.scope.from, self.scope.input), rewritten, is_lost, !home || touched)
        });
        let around = around.unwrap_or(Overhead { prefix: false, moved: false, instead: None });
        if around.moved {
            say(Word::Joined(MOVED_MEDIA, &result.id, ":"))?;
        }
        // The prefix and the first text are one text on the wire. If a result is a single value, all of its texts are
        // one.
        let one_value = !home && limits.is_some_and(Limits::joins_results);
        let between = if one_value { "\n" } else { "" };
        let mut before = if around.prefix { ERROR_PREFIX } else { "" };
        let mut mute = true;
        let mut behind = |word: Word<'_, H>| match word {
            Word::Data(_) => say(word),
            word => {
                mute = false;
                match (std::mem::replace(&mut before, between), word) {
                    ("", word) => say(word),
                    (before, Word::Text(text)) => say(Word::Joined(before, text, "")),
                    (before, Word::Made(text)) => say(Word::Made(&[before, text].concat())),
                    (_, word) => say(word),
                }
            }
        };
        let limits = limits.filter(|limits| limits.json.holds_objects() && (!home || touched));
        let object = result.only_text().zip(limits);
        let object = object.and_then(|(text, limits)| limits.json.object_of(text, self.scope.input, result.error));
        // Several texts of a single value are on separate lines.
        let one_value = self.rules.limits.is_some_and(Limits::joins_results);
        match &result.content {
            Content::Absent => {}
            Content::Text(_) if around.instead.is_some() => {}
            Content::Text(text) => behind(object.as_deref().map_or(Word::Text(text), Word::Made))?,
            Content::Blocks(blocks) => {
                for (at, block) in blocks.iter().enumerate() {
                    match (&block.kind, &object) {
                        (Kind::Text(_) | Kind::Refusal(_), _) if around.instead.is_some() => {}
                        (Kind::Text(_) | Kind::Refusal(_), Some(json)) => behind(Word::Made(json))?,
                        _ => Self { joins: one_value && at > 0, ..self }.part(block, &mut behind)?,
                    }
                }
            }
        }
        if let Some(words) = around.instead {
            behind(Word::Made(words))?;
        }
        if mute { say(Word::Made(before)) } else { Ok(()) }
    }
}

/// Whether the target accepts media of this class in any form.
fn takes<H: Host>(limits: &Limits, media: &Media<H>) -> bool {
    !limits.media.types(media.class).is_empty()
        || limits.media.urls.contains(&media.class)
        || matches!(media.data, MediaData::Plain(_))
}

/// What a target writes for a missing schema, and for a free-text tool if it has no such tools.
const STAND_IN: &str = r#"{"type":"object","properties":{}}"#;
const FREE_TEXT: &str = r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// Visits a tool's name, description, schema and other texts.
pub(super) fn tool_words<H: Host>(
    tool: &Tool<H>,
    input: Option<&Input>,
    limits: Option<&Limits>,
    say: Say<'_, H>,
) -> Result<(), Error> {
    if tool.by_provider {
        // A tool without a wire value is another provider's and is not written.
        return tool.origin.iter().try_for_each(|origin| json(origin, input, Numbers::Alike, say));
    }
    say(Word::Text(&tool.name))?;
    if let Some(text) = &tool.description {
        say(Word::Text(text))?;
    }
    let wrapped = tool.custom && limits.is_some_and(|limits| !limits.free_text);
    if wrapped || !tool.custom && tool.schema.is_none() && limits.is_some_and(|limits| limits.tool.needed) {
        say(Word::Made(if wrapped { FREE_TEXT } else { STAND_IN }))?;
    }
    // `strict` is a flag of the schema, which some targets demand and others leave out: it says nothing.
    let extras = tool.extras.iter().flat_map(|extras| extras.iter());
    let rest = extras.filter(|(key, _)| !key.is(k::STRICT.name, input)).map(|(_, value)| value);
    tool.schema.iter().chain(rest).try_for_each(|value| json(value, input, Numbers::Alike, say))
}

/// Whether an opaque block of this name is a mark of the prompt cache.
fn is_cache_mark<H: Host>(from: DialectId, name: &Text<H>, input: Option<&Input>) -> bool {
    matches!(from.facts.cache.map(|rule| rule.mark), Some(CacheMark::Block(mark)) if name.is(mark.name, input))
}

/// Whether a block has only its type, such as the mark of a step, and so no content.
fn is_bare<H: Host>(block: &Raw<H>, input: Option<&Input>) -> bool {
    let value = block.to_value(input);
    matches!(&value, Ok(Value::Map(entries)) if matches!(&entries[..], [(key, _)] if key.is("type", None)))
}

/// Visits an opaque block.
fn whole<H: Host>(block: &Raw<H>, input: Option<&Input>, say: Say<'_, H>) -> Result<(), Error> {
    json(block, input, Numbers::Alike, say)
}

fn json<H: Host>(value: &Raw<H>, input: Option<&Input>, numbers: Numbers, say: Say<'_, H>) -> Result<(), Error> {
    let mut out = Vec::new();
    compact::raw(value, input, numbers, &mut out)?;
    made(&out, say)
}

fn made<H: Host>(json: &[u8], say: Say<'_, H>) -> Result<(), Error> {
    say(Word::Made(&replace_surrogates(json)))
}

/// Arguments in compact form, if they are a JSON object. Empty text counts as an empty object.
fn object(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match text.trim_ascii().first() {
        None => return Some(b"{}".to_vec()),
        Some(b'{') => compact::text(text, Numbers::Alike, &mut out).ok()?,
        Some(_) => return None,
    };
    Some(out)
}

/// The length of the head of a `data:` URL.
fn before_data<H: Host>(url: &Text<H>, input: Option<&Input>) -> usize {
    const BASE64: &str = ";base64,";
    // Reads only the head, because the data may be many megabytes.
    url.head(256, input).find(BASE64).map_or(0, |at| at + BASE64.len())
}
