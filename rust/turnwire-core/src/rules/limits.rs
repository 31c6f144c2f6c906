//! Lists what each target accepts: one row of data for each dialect and profile, used by render, repair and validate
//! alike.

mod args;
mod carries;
mod edges;
mod id;
mod later;
mod media;
mod mute_error;
mod one_text;
mod reasoning;
mod silent_calls;
mod system;

pub use self::args::ArgsForm;
pub use self::carries::{CarriedKeys, Carries};
pub use self::edges::{FirstWord, LastWord};
pub use self::id::{IdRule, MessageId, Once};
pub use self::later::{LaterRule, LaterTools, News, Tell};
pub use self::media::{
    Files, IMAGES, InTexts, Judged, MediaInResult, MediaRule, PlainDocument, ROW_FILES, STORED_ELSEWHERE, TypedUrls,
    WEB,
};
pub use self::mute_error::MuteError;
pub use self::one_text::{JoinedTexts, OneText};
pub use self::reasoning::{ReasoningRule, Thoughts};
pub use self::silent_calls::SilentCalls;
pub use self::system::SystemPlace;
pub use super::{
    alphabet::Alphabet,
    tool_name::NameRule,
    tool_rule::{Strict, StrictFlag, ToolRule},
};
use super::{
    bound::Checks, chosen::Chosen, family::Family, mark_rule::Marks, result_keys::ResultKeys, settings::RowSettings,
};
use crate::{
    report::Severity,
    value::{Host, Input, Text},
};

/// The limits of one wire format, or of one profile of it.
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each flag is a column of its own")]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The form of a call id.
    pub id: IdRule,
    /// Which models take only ids of nine letters and digits.
    pub nine: Checks,
    /// The form of a tool's name.
    pub name: NameRule,
    /// The form of a tool's schema.
    pub tool: ToolRule,
    /// Where results are placed.
    pub results: ResultPlace,
    /// The text between the results of one element. Empty if each result has its own element.
    pub between_results: &'static str,
    /// Whether results must keep the order of their calls.
    pub results_in_call_order: bool,
    /// Whether a result must name the tool that was called.
    pub results_named: bool,
    /// Whether a result may be blank.
    pub blank_result: bool,
    /// What happens to a failed result that says nothing.
    pub mute_error: MuteError,
    /// Whether a result has a flag for a failed tool.
    pub error_flag: bool,
    /// Whether the text of a failed result is written a second time, beside that flag.
    pub error_repeats: bool,
    /// Whether user and assistant must alternate.
    pub alternates: bool,
    /// Whether empty or blank text is accepted.
    pub blank_text: bool,
    /// Whether that holds for the assistant's, too.
    pub blank_answer: bool,
    /// Whether the format's own blank text is sent back unchanged, because some of its servers accept it.
    pub blank_replays: bool,
    /// Whether the last text may end with white space if the assistant speaks last.
    pub trailing_space: bool,
    /// Whether an assistant turn may be first.
    pub starts_with_assistant: FirstWord,
    /// Whether a message of the user's must be there.
    pub user_needed: bool,
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
    /// Which media are accepted, and in which form.
    pub media: MediaRule,
    /// Whether a result may hold media.
    pub media_in_result: MediaInResult,
    /// Whether roles other than the user may send media.
    pub media_of_all: bool,
    /// How the parts of one message are ordered.
    pub order: PartOrder,
    /// The allowed choices of tools.
    pub chooses: &'static [Chosen],
    /// Those while the model thinks.
    pub chooses_thinking: &'static [Chosen],
    /// What a message may hold beside its calls.
    pub beside_calls: BesideCalls,
    /// What stands for the content of a message that has only calls.
    pub silent_calls: SilentCalls,
    /// Which messages have an id.
    pub message_id: MessageId,
    /// Where system text is placed.
    pub system: SystemPlace,
    /// Whether the target knows the role of a developer, if its format does. Otherwise such text is written as system text.
    pub developer: bool,
    /// Which roles must send one text, though the user's content may be a list of parts.
    pub one_text: OneText,
    /// Whose texts become one. Only a budget needs to know it, because it counts the line breaks between them.
    pub joined: JoinedTexts,
    /// What happens to reasoning that another dialect made.
    pub reasoning: ReasoningRule,
    /// Whether system text may have reasoning, too.
    pub system_reasons: bool,
    /// Where a reply shows it.
    pub thoughts: Thoughts,
    /// How signed reasoning of other makers goes back through it.
    pub carries: Carries,
    /// Whether tools must be defined if the history has calls.
    pub tools_required: bool,
    /// How many tools may be defined.
    pub tools_max: usize,
    /// Whether neighbouring assistant turns count as one message, so that results may follow the last of them.
    pub joins_assistant: bool,
    /// The key of the ids of items, if reasoning must be followed by the item that it led to. A message after reasoning
    /// with an id must have one, too.
    pub binds_reasoning: Option<&'static str>,
    /// Which models check that signed reasoning still follows the prefix that it was made for.
    pub checks_prefix: Checks,
    /// What the target accepts in the middle of a conversation.
    pub later: LaterRule,
    /// The family of its models. Parts that they made in another format are accepted here.
    pub family: Family,
    /// Whether some models continue an assistant turn that comes last. They refuse white space at its end.
    pub prefill: bool,
    /// Where marks of the caller's may stand that end the cached part of a prompt. None if the servers do not know them.
    pub(crate) marks: Option<Marks>,
    /// How the servers differ from the format in the settings of a body.
    pub(crate) settings: RowSettings,
    /// Whether each message says that it is one.
    pub typed_items: bool,
    /// Whether an item of reasoning needs an id.
    pub reasoning_ids: bool,
    /// Whether keys are known that the format's provider takes under a beta header only.
    pub beta_keys: bool,
    /// Whether keys that the format's reference lacks are left out.
    pub closed: bool,
    /// What the servers do about keys that clients send back from a reply. About rarer keys of replies they do at least
    /// [`Severity::Warning`].
    pub reply_keys: Severity,
    /// What they do about an empty list of tools.
    pub no_tools: Severity,
    /// What they do about a choice of tools without tools, if it forces none.
    pub lone_choice: Severity,
    /// What they do about a tool that says that it is strict although its schema cannot be.
    pub false_strict: Severity,
    /// What they do about blank text beside other content.
    pub blank_beside: Severity,
    /// What they do about system text that is an empty string.
    pub blank_system: Severity,
    /// What they do about the user's words right after a result.
    pub user_after_result: Severity,
}

impl Limits {
    /// Whether new system text may be a message behind all others.
    #[must_use]
    pub fn takes_later_text(&self) -> bool {
        self.later.text && self.system.takes_later()
    }

    /// Whether some neighbours of one side must be merged.
    #[must_use]
    pub fn merges(&self) -> bool {
        self.alternates || self.results.is_alone()
    }

    /// Whether it pairs results with calls by their order, so that both must have the same.
    #[must_use]
    pub(crate) fn orders_results(&self) -> bool {
        self.results_in_call_order
    }

    /// Whether each call has an id, and its result the same.
    #[must_use]
    pub(crate) fn needs_ids(&self) -> bool {
        !self.id.optional
    }

    /// Whether it knows items by their ids, so that each may come once.
    #[must_use]
    pub(crate) fn has_items(&self) -> bool {
        self.message_id == MessageId::Own
    }

    /// Whether it knows messages by their ids: items, or messages that each have one.
    #[must_use]
    pub(crate) fn knows_messages(&self) -> bool {
        matches!(self.message_id, MessageId::Own | MessageId::EveryMessage)
    }

    /// Whether a failed result has only text.
    #[must_use]
    pub(crate) fn fails_in_text(&self) -> bool {
        self.media_in_result == MediaInResult::UnlessFailed
    }

    /// Whether a line says to which result the media belong that follow it. A message whose one text stands beside its
    /// results has no place for the line.
    #[must_use]
    pub(crate) fn names_moved_media(&self) -> bool {
        self.order != PartOrder::OneText || self.results != ResultPlace::OneTurn
    }

    /// Whether a result is one value, so that its texts are joined.
    #[must_use]
    pub fn joins_results(&self) -> bool {
        self.json.is_one() || self.one_text != OneText::Nobody
    }
}

/// Where results are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPlace {
    /// One message each.
    OneEach,
    /// As `OneEach`, but each directly follows its call, which is the only one in its message.
    EachBehindCall,
    /// All of an exchange in one user message, before its other content.
    OneTurn,
    /// As `OneTurn`, but each result directly follows its call, which is in a separate message.
    BehindCall,
    /// All of an exchange in one user message, directly after one message with all its calls. Other content goes into
    /// the next message.
    Alone,
    /// As `Alone`, but calls in neighbouring messages of the target's own format may stay there.
    AloneAfterRun,
    /// In the message of their turn.
    AsTheyCome,
    /// In the message of their calls, which lasts until the user speaks.
    WithCall,
}

impl ResultPlace {
    /// Whether each result is a message of its own.
    #[must_use]
    pub fn is_each(self) -> bool {
        matches!(self, Self::OneEach | Self::EachBehindCall)
    }

    /// Whether each result directly follows its call.
    #[must_use]
    pub fn is_behind_call(self) -> bool {
        matches!(self, Self::BehindCall | Self::EachBehindCall)
    }

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
    /// As `OneValue`, but always an object: text of a JSON object becomes that object, any other value goes under one
    /// of the keys.
    OneObject(&'static ResultKeys),
    /// Nowhere, and a result is one text: several texts are joined.
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

    /// The object that a result's text spells, as compact JSON, if it spells one.
    #[must_use]
    pub fn object_of<H: Host>(self, text: &Text<H>, input: Option<&Input>, failed: bool) -> Option<String> {
        match self {
            Self::OneObject(keys) => {
                // For almost every text, the first bytes decide.
                let may_be = matches!(text.head_bytes(64, input).trim_ascii_start().first(), None | Some(b'{'));
                if may_be { keys.object_of(&text.wtf8(input), failed) } else { None }
            }
            _ => None,
        }
    }
}

/// What a message may hold beside its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideCalls {
    /// Anything.
    All,
    /// One text, which has its own key.
    OneText,
    /// Nothing: other content becomes a message before it.
    Nothing,
}

/// How the parts of one message are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOrder {
    /// In their original order.
    Free,
    /// In their original order, but each text of the assistant is a separate message.
    Apart,
    /// Calls after everything else.
    CallsLast,
    /// One text, before everything else.
    OneText,
    /// In their original order, each part as a separate element; neighbouring texts are joined.
    Elements,
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
