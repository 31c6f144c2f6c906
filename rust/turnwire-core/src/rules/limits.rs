//! Lists what each target takes: one row of data for each dialect and profile, used by render, repair and validate alike.

mod later;
mod media;

pub use self::later::{LaterRule, LaterTools, News, Tell};
pub use self::media::{Files, IMAGES, Judged, MediaInResult, MediaRule, PlainDocument, WEB};
pub use super::{
    alphabet::Alphabet,
    tool_name::NameRule,
    tool_rule::{Strict, ToolRule},
};
use super::{
    bound::Checks,
    family::Family,
    result_keys::ResultKeys,
    tool_name::{characters, fits},
};
use crate::value::handle::{Host, Input, Text};

/// The limits of one wire format, or of one profile of it.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each flag is a column of its own")]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The form of a call id.
    pub id: IdRule,
    /// The form of a tool's name.
    pub name: NameRule,
    /// The form of a tool's schema.
    pub tool: ToolRule,
    /// Where results are placed.
    pub results: ResultPlace,
    /// The text between the results of one element; empty where each has its own element.
    pub between_results: &'static str,
    /// Whether results must keep the order of their calls.
    pub results_in_call_order: bool,
    /// Whether a result must name the tool that was called.
    pub results_named: bool,
    /// Whether a result may be blank.
    pub blank_result: bool,
    /// Whether a result has a flag for a failed tool.
    pub error_flag: bool,
    /// Whether user and assistant must alternate.
    pub alternates: bool,
    /// Whether empty or blank text is taken.
    pub blank_text: bool,
    /// Whether the format's own blank text is sent back unchanged: some of its servers take it.
    pub blank_replays: bool,
    /// Whether the last text may end with white space where the assistant speaks last.
    pub trailing_space: bool,
    /// Whether an assistant turn may be first.
    pub starts_with_assistant: bool,
    /// Whether an assistant turn may be last.
    pub ends_with_assistant: LastWord,
    /// How arguments are written.
    pub args: ArgsForm,
    /// Whether a tool may take free text instead of arguments.
    pub free_text: bool,
    /// Where a JSON value is allowed as a value.
    pub json: JsonPlace,
    /// Whether the format distinguishes an assistant's refusal from its text.
    pub refusals: bool,
    /// Which media are taken, and in which form.
    pub media: MediaRule,
    /// Whether a result may hold media.
    pub media_in_result: MediaInResult,
    /// Whether roles other than the user may send media.
    pub media_of_all: bool,
    /// How the parts of one message are ordered.
    pub order: PartOrder,
    /// The allowed choices of tools.
    pub chooses: &'static [Chosen],
    /// What a message may hold beside its calls.
    pub beside_calls: BesideCalls,
    /// Which messages have an id.
    pub message_id: MessageId,
    /// Where system text is placed.
    pub system: SystemPlace,
    /// What happens to reasoning that another dialect made.
    pub reasoning: ReasoningRule,
    /// Whether tools must be defined once the history has calls.
    pub tools_required: bool,
    /// The most tools that may be defined.
    pub tools_max: usize,
    /// Whether neighbouring assistant turns count as one message, so that results may follow the last of them.
    pub joins_assistant: bool,
    /// Whether reasoning must be followed by the item that it led to, in a turn of the same message.
    pub binds_reasoning: bool,
    /// Which models check that signed reasoning still follows the prefix that it was made for.
    pub checks_prefix: Checks,
    /// What the target takes in the middle of a conversation.
    pub later: LaterRule,
    /// The family of its models: parts that they made on another wire are taken here.
    pub family: Family,
    /// Whether some models continue a last assistant turn. They refuse white space at its end.
    pub prefill: bool,
}

impl Limits {
    /// Whether some neighbours of one side must be merged.
    #[must_use]
    pub fn merges(&self) -> bool {
        self.alternates || self.results.is_alone()
    }
}

/// The form of an id.
#[derive(Clone, Copy, Debug)]
pub struct IdRule {
    /// The most characters.
    pub max: usize,
    /// The exact number of characters, where the target is strict.
    pub exact: Option<usize>,
    /// The allowed bytes.
    pub alphabet: &'static Alphabet,
    /// Whether an id may be missing.
    pub optional: bool,
    /// Which calls may not share one.
    pub once: Once,
    /// An id that is refused although its form is right: clients write it for a missing one.
    pub not: &'static str,
}

/// Among which calls an id must be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    /// It may repeat.
    Free,
    /// Calls that are made side by side: otherwise their results could not be distinguished.
    InStep,
    /// All calls of the conversation.
    InPayload,
}

/// Where results are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPlace {
    /// One message each.
    OneEach,
    /// All of an exchange in one user message, before its other content.
    OneTurn,
    /// The same, but each right behind its call, which is in a separate message.
    BehindCall,
    /// All of an exchange in one user message, right behind one message with all its calls. Other content goes into the next
    /// message.
    Alone,
    /// The same, but calls from neighbouring messages of the target's own format may stay there.
    AloneAfterRun,
    /// In the message of their turn.
    AsTheyCome,
    /// In the message of their calls, which goes on until the user speaks.
    WithCall,
}

impl ResultPlace {
    /// Whether the results of an exchange are collected before the user's other content.
    #[must_use]
    pub fn is_one_turn(self) -> bool {
        matches!(self, Self::OneTurn | Self::BehindCall)
    }

    /// Whether results are written in the order of the parts.
    #[must_use]
    pub fn is_in_place(self) -> bool {
        matches!(self, Self::AsTheyCome | Self::WithCall)
    }

    /// Whether the message of results has no other content.
    #[must_use]
    pub fn is_alone(self) -> bool {
        matches!(self, Self::Alone | Self::AloneAfterRun)
    }
}

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgsForm {
    /// As a JSON object; anything else is a loss.
    Object,
    /// As JSON text, which may be any text.
    Text,
    /// As a JSON object, or as text where they are no object.
    Either,
    /// As JSON text, which may be any text; an object of the format's own is taken too.
    TextOrObject,
    /// As the JSON text of an object; anything else is a loss.
    ObjectText,
}

/// Where a JSON value is allowed as a value; elsewhere it becomes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonPlace {
    /// Nowhere.
    Nowhere,
    /// As a block of a result.
    InResult,
    /// As a block of a result, if it is an object.
    ObjectInResult,
    /// As the whole of a result, unless it is a list that would be read as blocks.
    AsResult,
    /// As the whole of a result, if it is an object.
    ObjectAsResult,
    /// As the whole of a result, marked as JSON.
    Tagged,
    /// As the whole of a result, which is always one value: several texts are joined.
    OneValue,
    /// The same, and always an object: text of a JSON object becomes that object, other values go under one of the keys.
    OneObject(&'static ResultKeys),
    /// Nowhere, and a result is one text: several are joined.
    OneText,
}

impl JsonPlace {
    /// Whether a result is one value.
    #[must_use]
    pub fn is_one(self) -> bool {
        matches!(self, Self::OneValue | Self::OneObject(_) | Self::OneText)
    }

    /// Whether text of an object may become that object.
    #[must_use]
    pub fn holds_objects(self) -> bool {
        matches!(self, Self::OneObject(_))
    }

    /// The object, as compact JSON, that a result's text is written as, if it spells one.
    #[must_use]
    pub fn object_of<H: Host>(self, text: &Text<H>, input: Option<&Input>, failed: bool) -> Option<String> {
        match self {
            Self::OneObject(keys) => {
                // The first bytes decide for nearly every text.
                let may_be = matches!(text.head_bytes(64, input).trim_ascii_start().first(), None | Some(b'{'));
                if may_be { keys.object_of(&text.wtf8(input), failed) } else { None }
            }
            _ => None,
        }
    }
}

/// Whether an assistant turn may be last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastWord {
    /// Any turn may be last.
    Anybody,
    /// The assistant's may not.
    NotAssistant,
    /// The assistant's may not, unless it ends in a provider-run call or its result: the model continues there.
    OnServer,
    /// The assistant's may not, unless this key is true: the model continues it. No other turn may have the key so.
    Marked(&'static str),
}

/// A choice of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The model decides. Where the target has no word for it, an absent choice means the same.
    Auto,
    /// At least one tool.
    Required,
    /// No tool.
    None,
    /// This tool.
    One,
}

/// What a message may hold beside its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideCalls {
    /// Anything.
    All,
    /// One text, which has its own place.
    OneText,
    /// Nothing: other content becomes a message before it.
    Nothing,
}

/// How the parts of one message are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOrder {
    /// As they came.
    Free,
    /// As they came, but each text of the assistant is a separate message.
    Apart,
    /// Calls after everything else.
    CallsLast,
    /// One text, before everything else.
    OneText,
    /// As they came, each part as a separate element; neighbouring texts are joined.
    Elements,
}

/// Which messages have an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageId {
    /// No message.
    NoMessage,
    /// The assistant's messages.
    Assistant,
    /// All messages.
    EveryMessage,
    /// Messages of the target's own format: no other id has its form.
    Own,
    /// All messages, in an entity around the message.
    Entity,
}

/// Where system text is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemPlace {
    /// In messages, anywhere.
    Anywhere,
    /// In messages, at the head only.
    First,
    /// In a separate key, or in the first message.
    Head,
    /// In a separate key; among the messages only before the assistant's or at the end.
    Top,
    /// Nowhere.
    Nowhere,
}

/// How a target treats an assistant turn whose reasoning it did not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningRule {
    /// The target has no reasoning, and refuses it.
    None,
    /// It takes its own back, and takes a turn without.
    Replay,
    /// It takes back what is under this key, and refuses reasoning under other keys.
    Own(&'static str),
    /// It needs this key on each assistant turn, empty where there is nothing to send back.
    Key(&'static str),
    /// It needs this signature on the first call of each step that it did not sign itself.
    Signature(&'static str),
}

impl Chosen {
    /// Every choice.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Required, Self::None, Self::One];
}

impl IdRule {
    /// Any text.
    pub const ANY: Self =
        Self { max: usize::MAX, exact: None, alphabet: Alphabet::ANY, optional: false, once: Once::Free, not: "" };

    /// Whether `id` is allowed.
    #[must_use]
    pub fn allows(&self, id: &[u8]) -> bool {
        if id.is_empty() {
            return self.optional;
        }
        if id == self.not.as_bytes() {
            return false;
        }
        let long_enough = self.exact.is_none_or(|exact| characters(id) == exact);
        long_enough && fits(id, self.max) && self.alphabet.has_all(id)
    }
}

#[cfg(test)]
thread_local! {
    static OVERRIDE: std::cell::Cell<Option<(crate::rules::dialect_id::DialectId, &'static Limits)>> = const { std::cell::Cell::new(None) };
}

/// Runs `run` with another row for one dialect.
#[cfg(test)]
pub(crate) fn overriding<T>(
    dialect: crate::rules::dialect_id::DialectId,
    limits: &'static Limits,
    run: impl FnOnce() -> T,
) -> T {
    OVERRIDE.set(Some((dialect, limits)));
    let done = run();
    OVERRIDE.set(None);
    done
}

#[cfg(test)]
pub(crate) fn overridden(dialect: crate::rules::dialect_id::DialectId) -> Option<&'static Limits> {
    OVERRIDE.get().filter(|(known, _)| *known == dialect).map(|(_, limits)| limits)
}
