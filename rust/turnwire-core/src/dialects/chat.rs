//! Implements the family of Chat Completions: messages with a role, content and calls, and a separate message for each
//! result.
//!
//! All members share the code here. A member differs by the constants of [`Member`] and the hooks of [`Chat`], whose
//! defaults do what most members do. A member's `impl Dialect` names its limits rows and delegates.

use self::keys as k;
use crate::{
    model::{Choice, ReplyParts, Tool, Turn},
    report::{Error, Path, Trail},
    rules::{Slot, Slots, Spelling},
    value::{Host, Sink, Source, Text, Tree},
    wire::{
        format::{Read, Reply, Write},
        plan::Message,
        response::{Draft, FailureWords, ResponseRule},
        write::Writer,
    },
};
mod end;
pub(crate) mod hooks;
pub(crate) mod keys;
pub(crate) mod member;
pub(crate) mod part;
pub(crate) mod read;
pub(crate) mod reply;
pub(crate) mod response;
pub(crate) mod stream;
pub(crate) mod stream_out;
pub(crate) mod thought;
pub(crate) mod tools;
pub(crate) mod usage;
pub(crate) mod write;

pub(crate) use self::{hooks::Chat, member::Member};

/// The keys in which a message says something. Reasoning is read from the keys of each format.
pub(crate) const SAYS: &[&str] = &[
    "content",
    "tool_calls",
    "function_call",
    "refusal",
    "audio",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "thinking",
    "tool_plan",
    "images",
];

/// Where the family keeps the list, system text and tools.
pub(crate) const SLOTS: Slots = Slots {
    list: Slot(&[Spelling::at(&k::MESSAGES)]),
    list_or_text: false,
    singles: false,
    system: None,
    tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
    choice: Some(Slot(&[Spelling::at(&k::TOOL_CHOICE)])),
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

/// Those that OpenAI's SDK writes into each message and call, also where they are empty.
pub(crate) const ECHOED: &[&str] =
    &["annotations", "audio", "function_call", "index", "parsed", "parsed_arguments", "refusal"];

impl<D: Chat> Read for D {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        read::turn(D::reads(), element, at, turn)
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::read(D::reads(), tool, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        tools::read_choice(D::reads(), choice, at)
    }
}

impl<D: Chat> Write for D {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        <D as Chat>::message(w, message)
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tools::write(&D::KEYS, w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
        tools::write_choice(D::MEMBER, w, choice);
    }
}

impl<D: Chat> Reply for D {
    const RESPONSE: Option<&'static ResponseRule> = Some(D::MEMBER.response);
    type Stream<H: Host> = <D as Chat>::Stream<H>;
    type Out<H: Host> = <D as Chat>::Out<H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        <D as Chat>::reply(payload, said)
    }
    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        <D as Chat>::response(draft, out);
    }
    fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
        <D as Chat>::failure(words, out);
    }
    fn thought<H: Host, K: Sink<H>>(text: &Text<H>, out: &mut K) {
        <D as Chat>::thought(text, out);
    }
}
