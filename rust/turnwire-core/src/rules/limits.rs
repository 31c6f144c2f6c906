//! What a target takes: one row of data for each dialect and profile, used by render, repair and validate alike.

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
    /// What a call id may be.
    pub id: IdRule,
    /// What a tool's name may be.
    pub name: NameRule,
    /// What a tool's schema may be.
    pub tool: ToolRule,
    /// Where results stand.
    pub results: ResultPlace,
    /// What stands between the results of one element; empty where each stands by itself.
    pub between_results: &'static str,
    /// Whether results must keep the order of their calls.
    pub results_in_call_order: bool,
    /// Whether a result must name the tool that was called.
    pub results_named: bool,
    /// Whether a result may say nothing.
    pub blank_result: bool,
    /// Whether a result has a flag that says that the tool failed.
    pub error_flag: bool,
    /// Whether user and assistant must alternate.
    pub alternates: bool,
    /// Whether empty or blank text is taken.
    pub blank_text: bool,
    /// Whether blank text of the format's own goes back as it came: some of its servers take it.
    pub blank_replays: bool,
    /// Whether the last text may end with white space where the assistant is last.
    pub trailing_space: bool,
    /// Whether an assistant turn may be first.
    pub starts_with_assistant: bool,
    /// Whether an assistant turn may be last.
    pub ends_with_assistant: LastWord,
    /// How arguments are written.
    pub args: ArgsForm,
    /// Whether a tool may take free text instead of arguments.
    pub free_text: bool,
    /// Where a JSON value may stand as a value.
    pub json: JsonPlace,
    /// Whether an assistant's refusal is told from its text.
    pub refusals: bool,
    /// Which media are taken, and in which form.
    pub media: MediaRule,
    /// Whether media may stand inside a result.
    pub media_in_result: MediaInResult,
    /// Whether media may come from somebody else than the user.
    pub media_of_all: bool,
    /// How the parts of one message are ordered.
    pub order: PartOrder,
    /// What may be chosen of tools.
    pub chooses: &'static [Chosen],
    /// Whether a message may say something beside its calls.
    pub beside_calls: BesideCalls,
    /// Whose messages have an id of their own.
    pub message_id: MessageId,
    /// Where system text stands.
    pub system: SystemPlace,
    /// What happens to reasoning that another dialect made.
    pub reasoning: ReasoningRule,
    /// Whether tools must be defined once the history holds calls.
    pub tools_required: bool,
    /// At most so many tools may be defined.
    pub tools_max: usize,
    /// Whether neighbouring assistant turns count as one message, so that results may follow the last of them.
    pub joins_assistant: bool,
    /// Whether reasoning must be followed by what it led to, in a turn of the same message.
    pub binds_reasoning: bool,
    /// Which models check that signed reasoning stands behind what it was made behind.
    pub checks_prefix: Checks,
    /// What is taken once a conversation has begun.
    pub later: LaterRule,
    /// Which models answer: what they made on another wire of theirs is taken here.
    pub family: Family,
    /// Whether some models continue what a last assistant turn begins. White space at its end is refused.
    pub prefill: bool,
}

impl Limits {
    /// Whether some neighbours of one side have to be one message.
    #[must_use]
    pub fn merges(&self) -> bool {
        self.alternates || self.results.is_alone()
    }
}

/// What an id may be made of.
#[derive(Clone, Copy, Debug)]
pub struct IdRule {
    /// At most so many characters.
    pub max: usize,
    /// Exactly so many, where the target is strict.
    pub exact: Option<usize>,
    /// The bytes that it may hold.
    pub alphabet: &'static Alphabet,
    /// Whether the wire can do without.
    pub optional: bool,
    /// Which calls may not share one.
    pub once: Once,
    /// One that is refused though nothing else is wrong with it: what a client writes for none.
    pub not: &'static str,
}

/// Among which calls an id may stand once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    /// It may stand as often as it likes.
    Free,
    /// Calls that go out side by side: their results would be told apart by nothing.
    InStep,
    /// All of the conversation.
    InPayload,
}

/// Where results stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPlace {
    /// One message each.
    OneEach,
    /// All of an exchange in one user message, before all else that it says.
    OneTurn,
    /// The same, but each right behind its call, which stands by itself then.
    BehindCall,
    /// All of an exchange in one user message, right behind one message with all its calls; what else is said stands in the
    /// next.
    Alone,
    /// The same, but calls that came in neighbouring messages of the target's own format may stay there.
    AloneAfterRun,
    /// In the message of their turn.
    AsTheyCome,
}

impl ResultPlace {
    /// Whether those of an exchange are put together before all else that the user says.
    #[must_use]
    pub fn is_one_turn(self) -> bool {
        matches!(self, Self::OneTurn | Self::BehindCall)
    }

    /// Whether nothing else stands in the message of results.
    #[must_use]
    pub fn is_alone(self) -> bool {
        matches!(self, Self::Alone | Self::AloneAfterRun)
    }
}

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgsForm {
    /// As a JSON object; what is none is a loss.
    Object,
    /// As JSON text, which may be anything.
    Text,
    /// As a JSON object, and as text where they are none.
    Either,
    /// As JSON text, which may be anything; an object of the format's own is taken too.
    TextOrObject,
    /// As the JSON text of an object; what is none is a loss.
    ObjectText,
}

/// Where a JSON value may stand as a value; elsewhere it is text.
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
    /// As the whole of a result, which says that it is one.
    Tagged,
    /// As the whole of a result, which is one value, so that several texts become one.
    OneValue,
    /// The same, and the value is an object: text of a JSON object is that object, and all else stands under one of the keys.
    OneObject(&'static ResultKeys),
    /// Nowhere, and a result is one text, so that several become one.
    OneText,
}

impl JsonPlace {
    /// Whether a result is one value.
    #[must_use]
    pub fn is_one(self) -> bool {
        matches!(self, Self::OneValue | Self::OneObject(_) | Self::OneText)
    }

    /// Whether text of an object may be that object.
    #[must_use]
    pub fn holds_objects(self) -> bool {
        matches!(self, Self::OneObject(_))
    }

    /// The object that the text of a result is written as, as compact JSON, if it is one.
    #[must_use]
    pub fn object_of<H: Host>(self, text: &Text<H>, input: Option<&Input>, failed: bool) -> Option<String> {
        match self {
            Self::OneObject(keys) => {
                // The first bytes settle nearly every text.
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
    /// Anybody's turn may.
    Anybody,
    /// The assistant's may not.
    NotAssistant,
    /// The assistant's may not, unless it ends in a call that the provider runs, or in its result: the model goes on with it.
    OnServer,
    /// The assistant's may not, unless this key of it is true: the model goes on with it. No other turn may have the key so.
    Marked(&'static str),
}

/// What one may choose of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// As the model likes. Without a word for it, that is what no choice says.
    Auto,
    /// At least one.
    Required,
    /// None.
    None,
    /// This one.
    One,
}

/// Whether a message may say something beside its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideCalls {
    /// Anything.
    All,
    /// One text, which has a place of its own there.
    OneText,
    /// Nothing: what is said stands in a message before it.
    Nothing,
}

/// How the parts of one message are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOrder {
    /// As they come.
    Free,
    /// As they come, and each text of the assistant is a message of its own.
    Apart,
    /// Calls behind all else.
    CallsLast,
    /// One text, before all else.
    OneText,
    /// As they come, each thing as an element of its own; texts side by side are one.
    Elements,
}

/// Whose messages have an id of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageId {
    /// Nobody's.
    Nobody,
    /// The assistant's.
    Assistant,
    /// Everybody's.
    Everybody,
    /// Those of the target's own format: no other id has its form.
    Own,
    /// Everybody's, in an entity around the message.
    Entity,
}

/// Where system text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemPlace {
    /// In messages, anywhere.
    Anywhere,
    /// In messages, at the head only.
    First,
    /// In a key of its own, or in the first message.
    Head,
    /// In a key of its own; among the messages only before the assistant's or at the end.
    Top,
    /// Nowhere.
    Nowhere,
}

/// What a target asks of an assistant turn whose reasoning it did not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningRule {
    /// It has no reasoning, and refuses any.
    None,
    /// It replays its own, and takes a turn without.
    Replay,
    /// It replays what is under this key, and refuses reasoning under any other.
    Own(&'static str),
    /// It wants this key on each assistant turn, empty where there is nothing to replay.
    Key(&'static str),
    /// It wants this signature on the first call of each step that it did not sign itself.
    Signature(&'static str),
}

impl Chosen {
    /// Every choice there is.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Required, Self::None, Self::One];
}

impl IdRule {
    /// Any text at all.
    pub const ANY: Self =
        Self { max: usize::MAX, exact: None, alphabet: Alphabet::ANY, optional: false, once: Once::Free, not: "" };

    /// Whether `id` may stand.
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
