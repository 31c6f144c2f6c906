//! What OpenAI's models differ in, on its own two wires and on Converse.
//!
//! Sources, beside the model pages: opencode#4451, openai-agents#2089 and modelparams#207 (words for effort, measured), smolagents#1662,
//! #1671 and #1868, litellm#28662 (`stop`), openai-openapi#541, LibreChat#14231, litellm#34569 and #39631 (tools beside effort),
//! opencode#48195 and suna#6893 (Converse, measured).

use super::{
    super::{
        cell::{Cell, Kind, NONE, at},
        levels::{HIGH, LOW_TO_HIGH, LOW_TO_MAX, LOW_TO_XHIGH, MEDIUM, MINIMAL, NONE as NO, SCALE, XHIGH},
    },
    rule::{ModelRule, NO_CHOICE, NO_THOUGHT, effort},
};

const CHAT: &str = "reasoning_effort";
const RESPONSES: &str = "reasoning.effort";

const NO_WORD: Cell = at(&[], Kind::Refused("the model accepts none"));
const WHILE_REASONING: Cell = at(&[], Kind::RefusedInReasoning("the model refuses it while it reasons"));
/// The model rests beside tools in Chat Completions, where its effort must be `none`.
const RESTS: Kind = Kind::Refused("the model does not reason beside tools here: use openai-responses");
/// What only models with a search have.
const SEARCHLESS: &str = "the model has no search: those with `search` in their name have one";

/// GPT 5 models that do not reason.
const CHATS: &[&str] = &["gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat", "gpt-5.3-chat"];
/// OpenAI's models that search the web in Chat Completions.
const SEARCHERS: &[&str] = &["gpt-4o-search", "gpt-4o-mini-search", "gpt-5-search"];
/// Others of GPT 5 whose words are not known, and models with rules of their own.
const NOT_PLAIN: &[&str] = &["gpt-5-chat", "gpt-5-codex", "gpt-5-search", "gpt-5."];
/// Those that rest only without tools.
const NO_BOTH: &[&str] = &["gpt-5.4", "gpt-5.5", "gpt-5.6"];

const UNSAMPLED: &[(&str, Cell)] = &[
    ("temperature", NO_WORD),
    ("top_p", NO_WORD),
    ("presence_penalty", NO_WORD),
    ("frequency_penalty", NO_WORD),
    ("logprobs", NO_WORD),
    ("top_logprobs", NO_WORD),
    ("stop", NO_WORD),
];
const SAMPLED_AT_REST: &[(&str, Cell)] = &[
    ("temperature", WHILE_REASONING),
    ("top_p", WHILE_REASONING),
    ("presence_penalty", WHILE_REASONING),
    ("frequency_penalty", WHILE_REASONING),
    ("logprobs", WHILE_REASONING),
    ("top_logprobs", WHILE_REASONING),
    ("stop", WHILE_REASONING),
];

/// Words for effort in Chat Completions.
const fn chat(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("openai", names, cells)
}
/// Words for effort in Responses.
const fn responses(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("openai-responses", names, cells)
}
const fn converse(names: &'static [&'static str], cells: &'static [(&'static str, Cell)]) -> ModelRule {
    ModelRule::of("bedrock", names, cells)
}
/// On Converse they think by a word of their own, and have no other key for it.
macro_rules! on_converse {
    ($place:literal, $own:expr) => {
        &[
            ("reasoning_effort", effort!($place, SCALE, $own)),
            ("reasoning_mode", NONE),
            ("reasoning_budget", NONE),
            ("reasoning_shown", NONE),
        ]
    };
}
macro_rules! in_chat {
    ($own:expr) => {
        &[("reasoning_effort", effort!(CHAT, SCALE, $own))]
    };
    ($own:expr, rests) => {
        &[("reasoning_effort", effort!(CHAT, SCALE, $own).with_tools(RESTS))]
    };
}
macro_rules! in_responses {
    ($own:expr) => {
        &[("reasoning_effort", effort!(RESPONSES, SCALE, $own))]
    };
}

const NEWEST_PRO: &[&str] = &["gpt-5.5-pro"];
const PRO: &[&str] = &["gpt-5.2-pro", "gpt-5.4-pro"];
const GPT_5_1: &[&str] = &["gpt-5.1"];
const NOT_5_1: &[&str] = &["gpt-5.1-chat", "gpt-5.1-codex-max"];
const GPT_5_2: &[&str] = &["gpt-5.2", "gpt-5.3-codex"];
/// Those that always reason, and refuse tools with any effort but `none`.
const ASTRA: &[&str] = &["gpt-6-astra", "gpt-6-rosalind", "gpt-6.1-sol"];
const O: &[&str] = &["o1", "o3", "o4"];
const OSS: &[&str] = &["gpt-oss"];
const LATEST: &[&str] = &["chat-latest"];

pub(super) const RULES: &[ModelRule] = &[
    chat(NEWEST_PRO, in_chat!(MEDIUM | HIGH | XHIGH)),
    chat(PRO, in_chat!(LOW_TO_XHIGH)),
    chat(GPT_5_1, in_chat!(NO | LOW_TO_HIGH)).but(NOT_5_1),
    chat(GPT_5_2, in_chat!(NO | LOW_TO_XHIGH)).but(CHATS),
    chat(NO_BOTH, in_chat!(NO | LOW_TO_XHIGH, rests)),
    chat(&["gpt-5"], in_chat!(MINIMAL | LOW_TO_HIGH)).but(NOT_PLAIN),
    chat(ASTRA, in_chat!(LOW_TO_MAX)),
    chat(&["gpt-6"], in_chat!(NO | LOW_TO_MAX, rests)),
    chat(O, in_chat!(LOW_TO_HIGH)),
    chat(OSS, in_chat!(LOW_TO_HIGH)),
    chat(LATEST, in_chat!(MEDIUM)),
    responses(NEWEST_PRO, in_responses!(MEDIUM | HIGH | XHIGH)),
    responses(PRO, in_responses!(LOW_TO_XHIGH)),
    responses(GPT_5_1, in_responses!(NO | LOW_TO_HIGH)).but(NOT_5_1),
    responses(GPT_5_2, in_responses!(NO | LOW_TO_XHIGH)).but(CHATS),
    responses(NO_BOTH, in_responses!(NO | LOW_TO_XHIGH)),
    responses(&["gpt-5"], in_responses!(MINIMAL | LOW_TO_HIGH)).but(NOT_PLAIN),
    responses(ASTRA, in_responses!(LOW_TO_MAX)),
    responses(&["gpt-6"], in_responses!(NO | LOW_TO_MAX)),
    responses(O, in_responses!(LOW_TO_HIGH)),
    responses(OSS, in_responses!(LOW_TO_HIGH)),
    responses(LATEST, in_responses!(MEDIUM)),
    // Only some models have a search, as the guide to web search says; gpt-4o is recorded.
    chat(
        &["gpt-3.5", "gpt-4", "gpt-5", "gpt-6", "o1", "o3", "o4"],
        &[("web_search", at(&[], Kind::Refused(SEARCHLESS)).recorded(&["gpt-4o"]))],
    )
    .but(SEARCHERS),
    chat(CHATS, &[("reasoning_effort", NO_THOUGHT)]),
    chat(&["gpt-5-chat"], &[("tool_choice", NO_CHOICE)]),
    // These always reason.
    chat(
        &["gpt-5", "gpt-5-mini", "gpt-5-nano"],
        &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("presence_penalty", WHILE_REASONING),
            ("frequency_penalty", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
            ("stop", NO_WORD.recorded(&["gpt-5", "gpt-5-mini", "gpt-5-nano"])),
        ],
    )
    .but(&["gpt-5-chat", "gpt-5-search", "gpt-5."]),
    chat(&["gpt-5.", "gpt-5-search"], SAMPLED_AT_REST).but(CHATS),
    chat(O, UNSAMPLED),
    chat(
        &["gpt-6"],
        &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("presence_penalty", WHILE_REASONING),
            ("frequency_penalty", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
        ],
    ),
    chat(&["gpt-4", "gpt-3.5", "chatgpt-4o"], &[("reasoning_effort", NO_THOUGHT)]),
    responses(O, &[("temperature", NO_WORD), ("top_p", NO_WORD), ("logprobs", NO_WORD), ("top_logprobs", NO_WORD)]),
    responses(
        &["gpt-5", "gpt-6"],
        &[
            ("temperature", WHILE_REASONING),
            ("top_p", WHILE_REASONING),
            ("logprobs", WHILE_REASONING),
            ("top_logprobs", WHILE_REASONING),
        ],
    )
    .but(CHATS),
    responses(&["gpt-5-chat", "o3-deep-research", "o4-mini-deep-research"], &[("tool_choice", NO_CHOICE)]),
    responses(CHATS, &[("reasoning_effort", NO_THOUGHT), ("reasoning_shown", NO_THOUGHT)]),
    responses(&["gpt-4", "gpt-3.5"], &[("reasoning_effort", NO_THOUGHT), ("reasoning_shown", NO_THOUGHT)]),
    converse(ASTRA, on_converse!("additionalModelRequestFields.reasoning.effort", LOW_TO_MAX)),
    converse(&["gpt-5.6", "gpt-6"], on_converse!("additionalModelRequestFields.reasoning.effort", NO | LOW_TO_MAX)),
    converse(OSS, on_converse!("additionalModelRequestFields.reasoning_effort", LOW_TO_HIGH)),
];
