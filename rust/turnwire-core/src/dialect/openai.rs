//! OpenAI Chat Completions and every server that speaks it: `{"messages": […], "tools"?, "tool_choice"?}`.

mod parse;
mod render;
mod reply;
mod stream;
mod tool;

use super::{
    Dialect, KeyValue, WireKeys,
    limits::{Alphabet, IdRule, Limits, MediaRule, PlainDocument, ReasoningRule},
    outline::Message,
    rows::CHAT,
    signs::{SHARED, Signs, Spot, Words},
    slots::{Slot, Slots, Spelling},
    write::Writer,
};
use crate::{
    error::Error,
    handle::Host,
    media::MediaClass,
    path::{Path, Trail},
    reply::Said,
    tool::{Choice, Tool},
    turn::Turn,
    value::{Key, Sink, Source, keys, tree::Tree},
};

pub(crate) struct OpenAi;

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
    INPUT_AUDIO = "input_audio";
    DATA = "data";
    FORMAT = "format";
    FILE = "file";
    FILE_DATA = "file_data";
    FILE_ID = "file_id";
    FILENAME = "filename";
    REASONING_CONTENT = "reasoning_content";
    REASONING = "reasoning";
    REASONING_DETAILS = "reasoning_details";
    AUDIO = "audio";
    TOOL_CALLS = "tool_calls";
    FUNCTION_CALL = "function_call";
    TOOL_CALL_ID = "tool_call_id";
    ID = "id";
    INDEX = "index";
    FUNCTION = "function";
    CUSTOM = "custom";
    INPUT = "input";
    ARGUMENTS = "arguments";
    DESCRIPTION = "description";
    PARAMETERS = "parameters";
    SYSTEM = "system";
    DEVELOPER = "developer";
    USER = "user";
    ASSISTANT = "assistant";
    TOOL = "tool";
    AUTO = "auto";
    REQUIRED = "required";
    NONE = "none";
    MP3 = "mp3";
    WAV = "wav";
    EMPTY = "";
}

/// Chat Completions reference; ids of at most 40 characters by the servers' own error text.
const LIMITS: Limits = Limits {
    id: IdRule { max: 40, exact: None, alphabet: Alphabet::ANY, optional: false, once: false },
    free_text: true,
    tools_max: 128,
    refusals: true,
    media: MediaRule {
        audio: &["audio/mp3", "audio/mpeg", "audio/wav", "audio/x-wav", "audio/wave"],
        documents: &[""],
        named: &[MediaClass::Document],
        detail: true,
        plain: PlainDocument::Text,
        ..CHAT.media
    },
    ..CHAT
};

/// DeepSeek and Kimi refuse an assistant message without `reasoning_content` once thinking is on.
const WITH_REASONING_CONTENT: Limits = Limits { reasoning: ReasoningRule::Key("reasoning_content"), ..LIMITS };

/// OpenRouter, Groq, Qwen and others give their reasoning back and take a message without.
const REPLAYS_REASONING: Limits = Limits { reasoning: ReasoningRule::Replay, ..LIMITS };

/// Chat Completions reference; the keys of reasoning are those of compatible servers.
const WORDS: Words = &[
    (Spot::Body, "tool_choice functions max_completion_tokens stream_options"),
    (Spot::Tool, "custom"),
    (Spot::Key, "content tool_calls tool_call_id function_call refusal audio"),
    (Spot::Key, "reasoning_content reasoning reasoning_details"),
    (Spot::Role, "developer function"),
    (Spot::Content, "text list"),
    (Spot::Block, "text image_url input_audio file refusal"),
    (Spot::Text, "text"),
    (Spot::Call, "custom"),
];

const SIGNS: Signs = &[SHARED, WORDS];

/// OpenRouter hands the cache marks of a prompt on to those who know them.
const OPENROUTER: Signs = &[SHARED, WORDS, &[(Spot::Mark, "cache_control")]];

/// What the servers take as the name of an author: `^[^\s<|\\/>]+$` in their own error text.
fn is_author(name: &str) -> bool {
    !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || "<|\\/>".contains(letter))
}

impl Dialect for OpenAi {
    const NAME: &'static str = "openai";
    const SIGNS: Signs = SIGNS;
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[("openai:openrouter", OPENROUTER)];
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&MESSAGES)]),
        list_or_text: false,
        system: None,
        tools: Some(Slot(&[Spelling::at(&TOOLS)])),
        choice: Some(Slot(&[Spelling::at(&TOOL_CHOICE)])),
        continues: &[],
    };
    const KEYS: WireKeys = WireKeys {
        turn: &[("name", KeyValue::Text(is_author))],
        part: &[
            ("detail", KeyValue::OneOf(&["auto", "low", "high", "original"])),
            ("prompt_cache_breakpoint", KeyValue::Any),
        ],
        tool: &[("strict", KeyValue::Any), ("format", KeyValue::Map)],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        any: false,
        reply: &[
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
        ],
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[
        ("", LIMITS),
        ("deepseek", WITH_REASONING_CONTENT),
        ("kimi", WITH_REASONING_CONTENT),
        ("qwen", REPLAYS_REASONING),
        ("openrouter", REPLAYS_REASONING),
        ("groq", REPLAYS_REASONING),
    ];
    const REPLY: &'static [&'static [&'static Key]] = &[&[&reply::CHOICES]];
    type Stream<H: Host> = stream::Stream<H>;

    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        parse::turn(element, at, turn)
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tool::read(tool, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        tool::read_choice(choice, at)
    }
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut Said<H>) -> Result<(), Error> {
        reply::reply(payload, said)
    }
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        render::message(w, message)
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tool::write(w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
        tool::write_choice(w, choice);
    }
}
