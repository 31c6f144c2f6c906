//! Structured content (spec 004): a stored list of `{"role", "content": [{"type", "content"}, …]}`, which is never
//! sent.
//!
//! An assistant's role is its provider: `gemini` or `chatgpt`. Results are entries of role `tool`. The older form has a
//! string as its content, instead of a list with one text.

use crate::{
    rules::{
        Alphabet, ArgsForm, CHAT, IdRule, JsonPlace, Limits, MediaRule, MuteError, NameRule, PartOrder, ReasoningRule,
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

pub(crate) struct Structured;

/// Spec 004. It is stored and not sent, so servers refuse nothing. A result is a string or an object; ids are optional.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    name: NameRule { max: usize::MAX, alphabet: Alphabet::ANY, first: Alphabet::ANY },
    results: ResultPlace::AsTheyCome,
    results_named: true,
    args: ArgsForm::Either,
    json: JsonPlace::OneValue,
    media: MediaRule::NONE,
    order: PartOrder::Free,
    reasoning: ReasoningRule::Replay,
    joins_assistant: true,
    mute_error: MuteError::Kept,
    ..CHAT
};

/// Spec 004: a block's text is under `content`.
const SIGNS: Signs = &[&[
    (Spot::Head, "system"),
    (Spot::Key, "content"),
    (Spot::Role, "system user gemini chatgpt tool"),
    (Spot::Content, "text list"),
    (Spot::Block, "text tool_call tool_result reasoning"),
    (Spot::Text, "content"),
    (Spot::Result, "name tool_call_id"),
    (Spot::NoId, "result"),
]];

impl Rules for Structured {
    const NAME: &'static str = "structured";
    const STORED: bool = true;
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots::BARE_LIST;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Reply for Structured {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
