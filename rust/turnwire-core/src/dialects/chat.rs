//! Implements the family of Chat Completions: messages with a role, content and calls, and results as messages of their own.
//!
//! The code here is shared by all members. A member differs by constants and hooks of [`Chat`], whose defaults do what most
//! members do. A member's `impl Dialect` names its rows and delegates.

use crate::{
    rules::{
        dialect_id::DialectId,
        facts::Rules,
        slots::{Slot, Spelling},
    },
    wire::{
        response::{draft::Draft, failure::FailureRow, rule::ResponseRule},
        stream::{Assembly, out::StreamWriter},
    },
};
pub(crate) mod read;
pub(crate) mod reply;
pub(crate) mod response;
pub(crate) mod stream;
pub(crate) mod stream_out;
pub(crate) mod tools;
pub(crate) mod write;

// What a member needs for its own hooks.
pub(crate) use self::read::{Answer, PartDraft};
pub(crate) use crate::{
    model::{
        part::{Flaw, Kind, Parts},
        reply::{Finish, ReplyParts, Tokens},
        turn::Role,
    },
    report::error::Error,
    value::{
        door::{Key, Sink, Source, keys},
        handle::{Host, Raw, Text, Value},
        tree::Tree,
    },
};
pub(crate) use crate::{
    rules::slots::Slots,
    wire::{
        plan::{Item, Message, Outcome, Shown},
        read::keys::Keys,
        write::writer::Writer,
    },
};

keys! {
    MESSAGES = "messages";
    TOOLS = "tools";
    TOOL_CHOICE = "tool_choice";
    ROLE = "role";
    CONTENT = "content";
    NAME = "name";
    TYPE = "type";
    TEXT = "text";
    REFUSAL = "refusal";
    IMAGE_URL = "image_url";
    URL = "url";
    DETAIL = "detail";
    TOOL_CALLS = "tool_calls";
    TOOL_CALL_ID = "tool_call_id";
    ID = "id";
    INDEX = "index";
    FUNCTION = "function";
    CUSTOM = "custom";
    INPUT = "input";
    ARGUMENTS = "arguments";
    PARAMETERS = "parameters";
    DESCRIPTION = "description";
    FORMAT = "format";
    SYSTEM = "system";
    DEVELOPER = "developer";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
    AUTO = "auto";
    REQUIRED = "required";
    NONE = "none";
    THINKING = "thinking";
    EMPTY = "";
}

/// The places of the list, system text and tools in the family.
pub(crate) const SLOTS: Slots = Slots {
    list: Slot(&[Spelling::at(&MESSAGES)]),
    list_or_text: false,
    singles: false,
    system: None,
    tools: Some(Slot(&[Spelling::at(&TOOLS)])),
    choice: Some(Slot(&[Spelling::at(&TOOL_CHOICE)])),
    continues: &[],
};

/// Keys of reply objects, which a request must not have.
pub(crate) const REPLY_KEYS: &[&str] = &[
    "annotations",
    "audio",
    "choices",
    "created",
    "finish_reason",
    "function_call",
    "id",
    "index",
    "logprobs",
    "metadata",
    "model",
    "moderation",
    "object",
    "parsed",
    "parsed_arguments",
    "provider_specific_fields",
    "refusal",
    "service_tier",
    "stop_reason",
    "system_fingerprint",
    "tool_calls",
    "usage",
];

/// A member of the family: its differences, beside its [`Rules`].
pub(crate) trait Chat: Rules + Sized + 'static {
    /// Assembles a streamed reply: [`stream::Choices`] or [`stream::Flat`].
    type Stream<H: Host>: Assembly<H = H>;
    /// Writes a streamed reply: [`stream_out::Chunks`], unless the member has its own events.
    type Out<H: Host>: StreamWriter<H = H>;

    /// Its replies beside their turns.
    const RESPONSE: Option<&'static ResponseRule> = Some(&response::RULE);
    /// The words of the wire for roles.
    const ROLES: &'static [(&'static str, Role)] =
        &[("system", Role::System), ("user", Role::User), ("assistant", Role::Assistant), ("tool", Role::Tool)];
    /// Whether its servers refuse redundant keys: one that is `null`, an empty list of calls, a call with its index or without
    /// its type.
    const STRICT: bool = true;
    /// Whether keys of a tool's definition may be `null`.
    const NULL_TOOLS: bool = !Self::STRICT;
    /// Whether a message must have content, unless it has other parts.
    const NEEDS_CONTENT: bool = true;
    /// The keys of a message for reasoning.
    const THOUGHTS: &'static [&'static Key] = &[];
    /// The key under which a result names its tool.
    const RESULT_NAME: Option<&'static Key> = Some(&NAME);
    /// Keys of the assistant that may be `null` nonetheless.
    const NULLABLE: &'static [&'static Key] = &[&CONTENT];
    /// Its words for the choices of tools: the model decides, at least one, none.
    const CHOICES: [&'static Key; 3] = [&AUTO, &REQUIRED, &NONE];
    /// Other words that it takes for at least one.
    const ALSO_REQUIRED: &'static [&'static str] = &[];
    /// Whether a choice may allow only some of the tools.
    const ALLOWS_TOOLS: bool = false;
    /// Whether a reply is one message, without choices.
    const FLAT: bool = false;
    /// The key of the finish reason.
    const END: &'static Key = &reply::FINISH_REASON;
    /// The key that ends a stream.
    const ENDED: &'static Key = &reply::FINISH_REASON;
    /// Keys of a streamed message, beside its content, with text for the user.
    const TOLD: &'static [&'static Key] = &[];
    /// Whether a call of a message may have its index.
    const NUMBERS_CALLS: bool = !Self::STRICT;
    /// Whether each call of a stream is sent whole.
    const WHOLE_CALLS: bool = false;
    /// Whether a stream sends its calls whole at its end.
    const CALLS_AT_END: bool = false;

    /// Reads the assistant's parts under keys of this format alone.
    fn beside<S: Source>(_: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        Ok(None)
    }
    /// Reads the keys beside the content, whatever the role.
    fn around<S: Source>(_: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        Ok(None)
    }
    /// Reads a result.
    fn result<S: Source>(keys: &mut Keys<'_, S>, _: &S) -> Result<Answer<S::H>, Error> {
        read::result::<Self, S>(keys)
    }
    /// Reads a part of content by its type; `None` for one that only its own format knows.
    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        read::part(kind, draft)
    }
    /// Reads a whole reply.
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        if Self::FLAT { reply::flat::<Self, H>(payload, said) } else { reply::choices::<Self, H>(payload, said) }
    }
    /// The meaning of a finish reason.
    fn meaning(word: &str) -> Finish {
        reply::meaning(word)
    }
    /// The usage of a reply, as it came and counted.
    fn cost<H: Host>(payload: &Tree<'_, H>) -> (Option<Value<H>>, Tokens) {
        reply::cost(payload)
    }

    /// Writes a whole reply around its message.
    fn response<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
        response::write::<Self, H>(draft)
    }
    /// The body of a response that is an error.
    fn failure<H: Host>(message: Text<H>, row: FailureRow, _: u16) -> Value<H> {
        response::failure(message, row)
    }
    /// The reasoning of another model, as a part of the content.
    fn thought<H: Host>(_: Text<H>) -> Option<Value<H>> {
        None
    }
    /// The key beside the content that holds thoughts.
    fn thought_key(_: DialectId) -> Option<&'static Key> {
        None
    }

    /// Writes one message.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::message::<Self, H, K>(w, message)
    }
    /// Writes the parts of a message, each under its key, after the role.
    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::spoken::<Self, H, K>(w, message)
    }
    /// Writes a result, role included.
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        write::answer::<Self, H, K>(w, item, outcome)
    }
    /// Writes the keys beside the content, whatever the role.
    fn write_around<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &[Item<'_, H>]) {}
    /// Writes a part that is a JSON value, except for its end.
    fn value<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, _: &Raw<H>) -> Result<(), Error> {
        write::text_part(w, item, "")
    }
    /// Writes a part of media, except for its end.
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        write::image(w, item, shown);
    }
}

/// What the servers take as the name of an author: `^[^\s<|\\/>]+$` in their own error text.
pub(crate) fn is_author(name: &str) -> bool {
    !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || "<|\\/>".contains(letter))
}
