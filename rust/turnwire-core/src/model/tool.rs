//! Tools: their definitions, the calls a model makes, and the results.

use super::{
    flaw::Flaw,
    part::{Kind, Parts},
};
use crate::{
    report::Place,
    rules::{CallForm, DialectId, Limits, MuteError},
    value::{ArgsState, Extras, Host, Input, Raw, Text, Value, extras::map_extras, json},
};

/// A request by the model to run a tool.
#[derive(Debug)]
pub struct Call<H: Host> {
    /// Pairs the call with its result.
    pub id: Text<H>,
    /// Whether the wire had no id and this one was made up.
    pub made_up_id: bool,
    /// The tool's name.
    pub name: Text<H>,
    /// Its arguments.
    pub args: Args<H>,
    /// Whether `args` is free text for a custom tool instead of JSON.
    pub custom: bool,
    /// The name and the arguments before the program changed them for the model (spec 000), if they differ.
    pub before: Option<Box<(Text<H>, Args<H>)>>,
    /// Its kind of item, if that is not the plain one.
    pub form: Option<CallForm>,
    /// The group of tools in which its name counts.
    pub namespace: Option<Box<Text<H>>>,
}

/// Arguments in their original form: JSON text, or a JSON value.
#[derive(Debug)]
pub enum Args<H: Host> {
    /// JSON text, which may be invalid.
    Text(Text<H>),
    /// An object. A value of another kind is kept as its JSON text.
    Value(Raw<H>),
}

/// The result of a tool call.
#[allow(clippy::struct_excessive_bools, reason = "what is known of a result, each by itself")]
#[derive(Debug)]
pub struct ToolResult<H: Host> {
    /// The id of its call.
    pub id: Text<H>,
    /// Whether the wire had no id and this one was made up, like that of its call.
    pub made_up_id: bool,
    /// The tool's name, if the wire has it.
    pub name: Option<Box<Text<H>>>,
    /// The content of the result.
    pub content: Content<H>,
    /// Whether the tool failed.
    pub error: bool,
    /// Whether it was made up for a call without a result.
    pub synthetic: bool,
    /// Whether its own format says that a custom tool answers.
    pub custom: bool,
    /// Its kind of item, if that is not the plain one.
    pub form: Option<CallForm>,
}

impl<H: Host> Content<H> {
    /// Content of several parts.
    #[must_use]
    pub fn blocks(parts: impl Into<Parts<H>>) -> Self {
        Self::Blocks(Box::new(parts.into()))
    }
}

/// The content of a result, mostly one text.
#[derive(Debug)]
pub enum Content<H: Host> {
    /// No content.
    Absent,
    /// One text.
    Text(Text<H>),
    /// Text, JSON, media or opaque parts.
    ///
    /// Boxed, like a result's name, because a program holds many results, and nearly all are an id and a text.
    Blocks(Box<Parts<H>>),
}

/// In [`Tool::inside`], for a single entry that is not in a list.
pub const ALONE: u32 = u32::MAX;

/// A tool that the model may call.
#[allow(clippy::struct_excessive_bools, reason = "what is known of a tool, each by itself")]
#[derive(Debug)]
pub struct Tool<H: Host> {
    /// Its name, or the type of a tool that the provider runs.
    pub name: Text<H>,
    /// Its description for the model.
    pub description: Option<Text<H>>,
    /// The JSON schema of its arguments.
    pub schema: Option<Raw<H>>,
    /// Whether the schema has no type. Arguments are an object even so.
    pub untyped: bool,
    /// Whether its own format spells schemas differently, so that `schema` is a translation.
    pub translated: bool,
    /// The key of the object with its name, if any, and the path of its schema from there, with dots between keys.
    pub keys: (&'static str, &'static str),
    /// Whether the provider runs it, so that only its own dialect knows it.
    pub by_provider: bool,
    /// Whether it takes free text, not a JSON object.
    pub custom: bool,
    /// Where it is, if one entry of the list defines several tools: the entry, or [`ALONE`], and the index inside it.
    pub inside: Option<(u32, Place)>,
    /// The wire value it was read from.
    pub origin: Option<Raw<H>>,
    /// Unknown keys.
    pub extras: Option<Box<Extras<H>>>,
    /// What its own format's servers would refuse about its wire value.
    pub flaw: Option<&'static Flaw>,
    /// The functions that other formats get instead, if only its own format describes such a tool, but the caller runs it.
    pub functions: Vec<Self>,
    /// The group of tools in which its name counts.
    pub namespace: Option<Text<H>>,
    /// The form of its calls in its own format.
    pub form: Option<CallForm>,
    /// The dialect of its wire value, if that is not its frame's.
    pub of: Option<DialectId>,
}

impl<H: Host> Tool<H> {
    /// A tool that the provider runs, by the name of its type.
    #[must_use]
    pub fn of_provider(name: Text<H>, origin: Raw<H>) -> Self {
        Self {
            name,
            description: None,
            schema: None,
            untyped: false,
            translated: false,
            keys: ("", ""),
            by_provider: true,
            custom: false,
            inside: None,
            origin: Some(origin),
            extras: None,
            flaw: None,
            functions: Vec::new(),
            namespace: None,
            form: None,
            of: None,
        }
    }

    /// A function with this schema, which stands for a tool that only its own format describes.
    #[must_use]
    pub fn standing_in(name: Text<H>, schema: &str, form: Option<CallForm>) -> Self {
        let schema = Some(Raw::Own(schema.into()));
        let made = Self::of_provider(name, Raw::Own("null".into()));
        Self { schema, by_provider: false, origin: None, form, ..made }
    }

    /// The definition with new handles.
    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        Self {
            name: text(&self.name),
            description: self.description.as_ref().map(&mut *text),
            schema: self.schema.as_ref().map(&mut *raw),
            untyped: self.untyped,
            translated: self.translated,
            keys: self.keys,
            by_provider: self.by_provider,
            custom: self.custom,
            inside: self.inside,
            origin: self.origin.as_ref().map(&mut *raw),
            extras: map_extras(self.extras.as_deref(), text, raw),
            flaw: self.flaw,
            functions: self.functions.iter().map(|one| one.map(text, raw)).collect(),
            namespace: self.namespace.as_ref().map(&mut *text),
            form: self.form,
            of: self.of,
        }
    }
}

impl<H: Host> Args<H> {
    /// Another handle to the same arguments.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        match self {
            Self::Text(words) => Self::Text(text(words)),
            Self::Value(value) => Self::Value(raw(value)),
        }
    }

    /// Whether they are an object without keys, or no text. The handles need no input.
    pub(crate) fn is_empty_object(&self) -> bool {
        let is_empty = |value: &Value<H>| matches!(value, Value::Map(entries) if entries.is_empty());
        match self {
            Self::Text(words) => {
                let words = words.wtf8(None);
                words.trim_ascii().is_empty() || json::read::value::<H>(&words).is_ok_and(|value| is_empty(&value))
            }
            Self::Value(raw) => raw.to_value(None).is_ok_and(|value| is_empty(&value)),
        }
    }

    /// Whether programs can use the arguments as an object. This parses them, so call it once.
    #[must_use]
    pub fn state(&self, input: Option<&Input>) -> ArgsState {
        match self {
            Self::Text(words) => json::read::args_state(&words.wtf8(input)),
            Self::Value(raw) => match raw.to_value(input) {
                Ok(Value::Map(_)) => ArgsState::Object,
                _ => ArgsState::Invalid,
            },
        }
    }
}

impl<H: Host> Call<H> {
    /// Another handle to the same call.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        Self {
            id: text(&self.id),
            made_up_id: self.made_up_id,
            name: text(&self.name),
            args: self.args.map(text, raw),
            custom: self.custom,
            before: self.before.as_ref().map(|before| Box::new((text(&before.0), before.1.map(text, raw)))),
            form: self.form,
            namespace: self.namespace.as_deref().map(|name| Box::new(text(name))),
        }
    }
}

impl<H: Host> ToolResult<H> {
    /// Another handle to the same result.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    /// The only text of the result, apart from media.
    #[inline]
    pub(crate) fn only_text(&self) -> Option<&Text<H>> {
        match &self.content {
            Content::Absent => None,
            Content::Text(text) => Some(text),
            Content::Blocks(blocks) => {
                let mut said = blocks.iter().filter(|block| !matches!(block.kind, Kind::Media(_)));
                match (said.next().map(|block| &block.kind), said.next()) {
                    (Some(Kind::Text(text) | Kind::Refusal(text)), None) => Some(text),
                    _ => None,
                }
            }
        }
    }

    /// Whether it is a placeholder for a missing result, which a real one replaces.
    pub(crate) fn is_stand_in(&self, input: Option<&Input>) -> bool {
        let made = [MISSING_RESULT, INVALID_ARGUMENTS, INCOMPLETE_ARGUMENTS];
        let text = self.content.one_text();
        self.synthetic || text.is_some_and(|text| made.iter().any(|made| text.is(made, input)))
    }

    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        let content = match &self.content {
            Content::Absent => Content::Absent,
            Content::Text(words) => Content::Text(text(words)),
            Content::Blocks(blocks) => {
                Content::blocks(blocks.iter().map(|part| part.map(text, raw)).collect::<Parts<H>>())
            }
        };
        Self {
            id: text(&self.id),
            made_up_id: self.made_up_id,
            name: self.name.as_deref().map(|name| Box::new(text(name))),
            content,
            error: self.error,
            synthetic: self.synthetic,
            custom: self.custom,
            form: self.form,
        }
    }
}

/// Whether argument text says that there are none.
pub(crate) fn says_no_args<H: Host>(text: &Text<H>, input: Option<&Input>) -> bool {
    // Longer text is never looked at as a whole.
    const MOST: usize = 16;
    let head = text.head_bytes(MOST + 1, input);
    head.len() <= MOST && json::read::says_no_args(&head) || text.is_blank(input)
}

/// The text of a made-up result.
pub const MISSING_RESULT: &str = "No result was recorded for this tool call.";

/// The text of a made-up result if the call's arguments are not a JSON object.
pub(crate) const INVALID_ARGUMENTS: &str = "The tool was not run: its arguments are not a JSON object.";

/// The text of a made-up result if the call's arguments were cut off.
pub(crate) const INCOMPLETE_ARGUMENTS: &str = "The tool was not run: its arguments end in the middle.";

/// The text of the result of a call that the user denied without a reason.
pub(crate) const DENIED_CALL: &str = "Tool call execution denied.";

/// The text of an empty list of results, for backends that refuse empty content (spec 000).
pub const REDACTED_RESULT: &str = "<tool result redacted>";

/// The text of a failed result that says nothing, for targets whose model is to know what happened.
pub(crate) const MUTE_ERROR: &str = "The tool failed without a message.";

/// The text of a result of which nothing is written, if the target needs one.
pub(crate) fn words_for_nothing(limits: &Limits, failed: bool) -> Option<&'static str> {
    match limits.mute_error {
        MuteError::Told | MuteError::Refused if failed => Some(MUTE_ERROR),
        _ => (!limits.blank_result).then_some(REDACTED_RESULT),
    }
}

/// The prefix for the text of a failed result, for targets without an error flag. Parsing reads it as the flag.
pub const ERROR_PREFIX: &str = "[tool error] ";

/// The line before media that moved out of a result, for targets that take none there. The call's id follows.
pub const MOVED_MEDIA: &str = "Media from the result of tool call ";
