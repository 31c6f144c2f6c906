//! Stored histories: spec 003's messages, and spec 001's own form.
//!
//! In spec 003 a result is in a user message, as a `tool_result` block with its `tool_name`. In spec 001 it is a
//! message of role `tool`; calls are under `toolCalls`, and messages are in entities `{"id", "body"}`. Both are read.
//! New elements are written as spec 003's, in an entity if there is an id.

use crate::{
    rules::{
        ArgsForm, CHAT, JsonPlace, Judged, Limits, MediaInResult, MediaRule, MessageId, MuteError, NameRule, PartOrder,
        ResultPlace, Rules, Signs, Slots, Spot,
    },
    value::Host,
    wire::{
        format::Reply,
        stream::{NoStream, NoWriter},
    },
};
mod keys;
mod read;
mod write;

pub(crate) struct History;

/// It is stored and not sent, so servers refuse nothing.
const LIMITS: Limits = Limits {
    name: NameRule::ANY,
    results: ResultPlace::AsTheyCome,
    error_flag: true,
    args: ArgsForm::Either,
    json: JsonPlace::AsResult,
    media: MediaRule { images: &[""], schemes: &[], judged: Judged::Never, ..CHAT.media },
    media_in_result: MediaInResult::Always,
    media_of_all: true,
    order: PartOrder::Free,
    message_id: MessageId::Entity,
    joins_assistant: true,
    mute_error: MuteError::Kept,
    ..CHAT
};

/// Spec 003's blocks; spec 001's calls, entities and blocks without a type.
const SIGNS: Signs = &[&[
    (Spot::Head, "system"),
    (Spot::Key, "content tool_calls toolCalls tool_use_id tool_name"),
    (Spot::Role, "system user assistant tool"),
    (Spot::Content, "text list"),
    (Spot::Block, "text tool_use tool_result image"),
    (Spot::Bare, "tool_use_id tool_name"),
    (Spot::Text, "text"),
    (Spot::Source, "source"),
    (Spot::Result, "tool_use_id tool_name"),
    (Spot::Call, "function name"),
    (Spot::Args, "text object"),
    (Spot::NoId, "call result"),
]];

impl Rules for History {
    const NAME: &'static str = "history";
    const STORED: bool = true;
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots::BARE_LIST;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Reply for History {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
