//! Llama: text-only messages in which calls and results are JSON text (spec 003), or the messages of Llama's own chat
//! template (`llama:3`).
//!
//! `llama` is for endpoints without tools: a call is assistant text, `{"name", "parameters"}`, and a result is user
//! text, `{"tool_result": {"name", "result"}}`. Any user can write that, so a user's text is read as a result only if
//! the caller asks for it. `llama:3` has one call in each assistant message, and results of role `ipython`.

use crate::{
    rules::{
        ArgsForm, CHAT, IdRule, JsonPlace, Limits, MediaRule, NameRule, PartOrder, ResultPlace, Rules, Signs, Slots,
        Spot, SystemPlace,
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

pub(crate) struct Llama;

/// The keys of a call and of a result in JSON text.
const PARAMETERS: &str = "parameters";
const TOOL_RESULT: &str = "tool_result";
const RESULT: &str = "result";
const UNKNOWN: &str = "unknown";

/// The templates of Llama 3.1 to 3.3: one call a message, arguments as an object, no ids, system text in front.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    name: NameRule::ANY,
    results: ResultPlace::BehindCall,
    results_in_call_order: true,
    args: ArgsForm::Object,
    json: JsonPlace::OneValue,
    media: MediaRule::NONE,
    order: PartOrder::Elements,
    system: SystemPlace::First,
    joins_assistant: true,
    ..CHAT
};

/// The profile of the template, which spells calls and results differently.
const TEMPLATE: &str = "3";

/// The chat template: text only, results with a role of their own.
const SIGNS: Signs = &[&[
    (Spot::Head, "system"),
    (Spot::Key, "content tool_calls"),
    (Spot::Role, "system user assistant ipython tool"),
    (Spot::Content, "text"),
    (Spot::Call, "function"),
    (Spot::Args, "text object"),
    (Spot::NoId, "call result"),
]];

impl Rules for Llama {
    const NAME: &'static str = "llama";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = super::chat::SAYS;
    const SLOTS: Slots = Slots::BARE_LIST;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS), (TEMPLATE, LIMITS)];
    const APART: &'static [&'static str] = &[TEMPLATE];
    const RESULTS_IN_TEXT: bool = true;
}

impl Reply for Llama {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
