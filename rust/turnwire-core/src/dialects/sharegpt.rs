//! ShareGPT, the format of training sets: `{"conversations": [{"from", "value"}], "system"?, "tools"?}`.
//!
//! The sides alternate, with one element each: trainers skip a row in which a side speaks twice. Calls and tools are
//! JSON text; a result is the tool's text. There are no ids: parallel calls are one list, and their results are one
//! text in the same order, with the tags of a chat template between them. Older sets have an element for each result.

use self::keys as k;
use crate::{
    rules::{
        Alphabet, ArgsForm, CHAT, FirstWord, IdRule, JsonPlace, Limits, MediaRule, MuteError, NameRule, PartOrder,
        ResultPlace, RowLayout, Rules, Signs, Slot, Slots, Spelling, Spot, SystemPlace,
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

pub(crate) struct ShareGpt;

const ARGUMENTS: &str = "arguments";

/// LLaMA-Factory's separator between the results of parallel calls in one observation.
const BETWEEN: &str = "\n</tool_response>\n<tool_response>\n";

/// The tags around results and calls in sets like Hermes, whose texts a chat template wrote.
const AROUND_RESULTS: [&str; 2] = ["<tool_response>", "</tool_response>"];
const AROUND_CALL: [&str; 2] = ["<tool_call>", "</tool_call>"];

/// The tags of the thought that LLaMA-Factory allows before the JSON of a call.
const AROUND_THOUGHT: [&str; 2] = ["<think>", "</think>"];

/// LLaMA-Factory's `data/README.md`. It is stored, not sent. System text has its own key or is the first element.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    name: NameRule { max: usize::MAX, alphabet: Alphabet::ANY, first: Alphabet::ANY },
    results: ResultPlace::OneTurn,
    between_results: BETWEEN,
    results_in_call_order: true,
    args: ArgsForm::Either,
    json: JsonPlace::OneText,
    media: MediaRule::NONE,
    order: PartOrder::Elements,
    system: SystemPlace::Head,
    joins_assistant: true,
    alternates: true,
    starts_with_assistant: FirstWord::NotAssistant,
    mute_error: MuteError::Kept,
    ..CHAT
};

/// LLaMA-Factory's documentation.
const SIGNS: Signs = &[&[
    (Spot::Body, "conversations system tools"),
    (Spot::Tool, "function parameters"),
    (Spot::Mark, "tools:text"),
    (Spot::Key, "from value text"),
    (Spot::Head, "system"),
    (Spot::Role, "human gpt system function_call observation user assistant tool"),
]];

impl Rules for ShareGpt {
    const NAME: &'static str = "sharegpt";
    const STORED: bool = true;
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::CONVERSATIONS)]),
        list_or_text: false,
        singles: false,
        system: Some(Slot(&[Spelling::at(&k::SYSTEM)])),
        tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
        choice: None,
        continues: &[],
        beside_tools: &[],
    };
    const ROWS: &'static RowLayout = &RowLayout::SHAREGPT;
    const TOOLS_AS_TEXT: bool = true;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Reply for ShareGpt {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
