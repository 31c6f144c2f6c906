//! OpenAI Chat Completions and every server that speaks it: `{"messages": […], "tools"?, "tool_choice"?}`.

mod parse;
mod render;

use super::{
    Dialect, KeyValue, WireKeys,
    chat::{
        self, ARGUMENTS, CONTENT, Chat, DETAIL, Draft, EMPTY, FORMAT, FUNCTION, ID, NAME, REFUSAL, REPLY_KEYS, ROLE,
        SLOTS, TEXT, TOOL_CALL_ID, URL,
        growing::{AUDIO, FUNCTION_CALL, REASONING, REASONING_CONTENT, REASONING_DETAILS},
        parse::{Answer, Keys},
    },
    limits::{Alphabet, IdRule, Limits, MediaRule, PlainDocument, ReasoningRule},
    outline::{Item, Message, Outcome, Shown},
    rows::CHAT,
    shape::Shape,
    signs::{SHARED, Signs, Spot, Words},
    slots::Slots,
    write::Writer,
};
use crate::{
    error::Error,
    handle::Host,
    media::MediaClass,
    node::NodeKind,
    part::{Flaw, Kind, Parts},
    path::{Path, Trail},
    reply::Said,
    tool::{Choice, Tool},
    turn::{Role, Turn},
    value::{Key, Sink, Source, keys, tree::Tree},
};

pub(crate) struct OpenAi;

keys! {
    INPUT_AUDIO = "input_audio";
    DATA = "data";
    FILE = "file";
    FILE_DATA = "file_data";
    FILE_ID = "file_id";
    FILENAME = "filename";
    MP3 = "mp3";
    WAV = "wav";
}

/// Chat Completions reference; ids of at most 40 characters by the servers' own error text.
const LIMITS: Limits = Limits {
    id: IdRule { max: 40, exact: None, alphabet: Alphabet::ANY, optional: false, once: false, not: "" },
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

impl Dialect for OpenAi {
    const NAME: &'static str = "openai";
    const SIGNS: Signs = SIGNS;
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[("openai:openrouter", OPENROUTER)];
    const SLOTS: Slots = SLOTS;
    const KEYS: WireKeys = WireKeys {
        turn: &[("name", KeyValue::Text(chat::is_author))],
        part: &[
            ("detail", KeyValue::OneOf(&["auto", "low", "high", "original"])),
            ("prompt_cache_breakpoint", KeyValue::Holds(&[("mode", KeyValue::OneOf(&["explicit"]))])),
        ],
        tool: &[("strict", KeyValue::Maybe(&KeyValue::Flag)), ("format", KeyValue::Map)],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        blocks: &[],
        // A gateway has tools of its own.
        tools: &[Shape { types: "openrouter:", needs: &[], may: &[] }],
        any: false,
        reply: REPLY_KEYS,
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[
        ("", LIMITS),
        ("deepseek", WITH_REASONING_CONTENT),
        ("kimi", WITH_REASONING_CONTENT),
        ("qwen", REPLAYS_REASONING),
        ("openrouter", REPLAYS_REASONING),
        ("groq", REPLAYS_REASONING),
    ];
    const REPLY: &'static [&'static [&'static Key]] = &[&[&chat::reply::CHOICES]];
    type Stream<H: Host> = chat::stream::Stream<H>;

    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        chat::parse::turn::<Self, S>(element, at, turn)
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        chat::tool::read::<Self, S>(tool, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        chat::tool::read_choice::<Self, S>(choice, at)
    }
    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut Said<H>) -> Result<(), Error> {
        chat::reply::reply::<Self, H>(payload, said)
    }
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        chat::render::message::<Self, H, K>(w, message)
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        chat::tool::write::<Self, H, K>(w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
        chat::tool::write_choice::<Self, H, K>(w, choice);
    }
}

impl Chat for OpenAi {
    const ROLES: &'static [(&'static str, Role)] = &[
        ("system", Role::System),
        ("developer", Role::Developer),
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("tool", Role::Tool),
        ("function", Role::Tool),
    ];
    const NEEDS_SCHEMA: bool = false;
    const THOUGHTS: &'static [&'static Key] = &[&REASONING_CONTENT, &REASONING, &REASONING_DETAILS];
    const NULLABLE: &'static [&'static Key] = &[&CONTENT, &REFUSAL, &AUDIO, &FUNCTION_CALL];
    const ALLOWS_TOOLS: bool = true;

    fn beside<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        parse::beside(keys, parts)
    }
    fn result<S: Source>(keys: &mut Keys<'_, S>) -> Result<Answer<S::H>, Error> {
        parse::result(keys)
    }
    fn part<S: Source>(kind: &str, draft: &mut Draft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        parse::part(kind, draft)
    }
    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        render::spoken(w, message)
    }
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        render::answer(w, item, outcome)
    }
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        render::media(w, item, shown);
    }
}
