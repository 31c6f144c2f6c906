//! Implements the family of Chat Completions: messages with a role, content and calls, and a separate message for each
//! result.
//!
//! All members share the code here. A member differs by the constants of [`Member`] and the hooks of [`Chat`], whose
//! defaults do what most members do. A member's `impl Dialect` names its limits rows and delegates.

use crate::{
    rules::{
        dialect_id::DialectId,
        facts::Rules,
        slots::{Slot, Spelling},
    },
    wire::{
        response::{draft::Draft, failure::FailureRow},
        stream::{Assembly, out::StreamWriter},
    },
};
pub(crate) mod member;
pub(crate) mod read;
pub(crate) mod reply;
pub(crate) mod response;
pub(crate) mod stream;
pub(crate) mod stream_out;
pub(crate) mod tools;
pub(crate) mod write;

// What the members' own hooks need.
pub(crate) use self::{
    member::{Member, Reads, Writes},
    read::{Answer, PartDraft},
};
pub(crate) use crate::{
    model::{
        part::{Flaw, Kind, Parts},
        reply::{ReplyParts, Tokens},
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

/// Where the family keeps the list, system text and tools.
pub(crate) const SLOTS: Slots = Slots {
    list: Slot(&[Spelling::at(&MESSAGES)]),
    list_or_text: false,
    singles: false,
    system: None,
    tools: Some(Slot(&[Spelling::at(&TOOLS)])),
    choice: Some(Slot(&[Spelling::at(&TOOL_CHOICE)])),
    continues: &[],
    beside_tools: &[],
};

/// Keys of reply objects that a request must not have.
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

/// A member of the family: how it differs, beside its [`Rules`].
pub(crate) trait Chat: Rules + Sized + 'static {
    /// Assembles a streamed reply: [`stream::Choices`] or [`stream::Flat`].
    type Stream<H: Host>: Assembly<H = H>;
    /// Writes a streamed reply: [`stream_out::Chunks`], unless the member has its own events.
    type Out<H: Host>: StreamWriter<H = H>;

    /// Its constants.
    const MEMBER: &'static Member;

    /// How it reads from one kind of source.
    fn reads<'s, S: Source + 's>() -> &'s Reads<S> {
        const { &Reads::of::<Self>() }
    }
    /// How it writes into one kind of sink.
    fn writes<'k, H: Host, K: Sink<H> + 'k>() -> &'k Writes<H, K> {
        const { &Writes::of::<Self>() }
    }

    /// Reads the assistant's parts under keys that only this format has.
    fn beside<S: Source>(_: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        Ok(None)
    }
    /// Reads the keys beside the content, whatever the role.
    fn around<S: Source>(_: &mut Keys<'_, S>, _: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        Ok(None)
    }
    /// Reads a result.
    fn result<S: Source>(keys: &mut Keys<'_, S>, _: &S) -> Result<Answer<S::H>, Error> {
        read::result(Self::reads(), keys)
    }
    /// Reads a part of content by its type; `None` for one that only its own format knows.
    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        read::part(kind, draft)
    }
    /// Reads a whole reply.
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        if Self::MEMBER.flat { reply::flat::<Self, H>(payload, said) } else { reply::choices::<Self, H>(payload, said) }
    }
    /// The usage of a reply, in its original form and counted.
    fn cost<H: Host>(payload: &Tree<'_, H>) -> (Option<Value<H>>, Tokens) {
        reply::cost(payload)
    }

    /// Writes a whole reply around its message.
    fn response<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
        response::write(Self::MEMBER, draft)
    }
    /// The body of a response that is an error.
    fn failure<H: Host>(message: Text<H>, row: FailureRow, _: u16) -> Value<H> {
        response::failure(message, row)
    }
    /// The reasoning of another model, as a part of the content.
    fn thought<H: Host>(_: Text<H>) -> Option<Value<H>> {
        None
    }
    /// The key beside the content that holds reasoning.
    fn thought_key(_: DialectId) -> Option<&'static Key> {
        None
    }

    /// Writes one message.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::message(Self::writes(), w, message)
    }
    /// Writes the parts of a message, each under its key, after the role.
    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::spoken(Self::writes(), w, message)
    }
    /// Writes a result, role included.
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        write::result::answer(Self::writes(), w, item, outcome)
    }
    /// Writes the keys beside the content, whatever the role.
    fn write_around<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &[Item<'_, H>]) {}
    /// Writes a part that is a JSON value, except for its end.
    fn value<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, _: &Raw<H>) -> Result<(), Error> {
        write::part::text_part(w, item, "")
    }
    /// Writes a part of media, except for its end.
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        write::part::image(w, item, shown);
    }
}

/// What the servers accept as the name of an author: `^[^\s<|\\/>]+$`, from their own error text.
pub(crate) fn is_author(name: &str) -> bool {
    !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || "<|\\/>".contains(letter))
}
