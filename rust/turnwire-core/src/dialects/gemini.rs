//! Gemini generateContent: `{"systemInstruction"?, "contents": […], "tools"?, "toolConfig"?}`, in the spellings of proto JSON.

use self::keys as k;
use crate::{
    rules::{
        Alphabet, BLOCKS, ExtraKeys, Files, IdRule, JsonPlace, Judged, Limits, MediaClass, MediaInResult, MediaRule,
        MuteError, NameRule, PlainDocument, ReasoningRule, ResultKeys, ResultPlace, Rules, STORED_ELSEWHERE,
        ServedRule, Signs, Slot, Slots, Spelling, Spot, TypedUrls, carrier::Carriers, limits::ToolRule,
    },
    value::Key,
};
mod block_rules;
mod end;
mod keys;
mod media;
mod part;
mod read;
mod reply;
mod response;
mod served;
mod several;
mod spelling;
mod stream;
mod stream_out;
mod tools;
mod write;

pub(crate) struct Gemini;

/// generateContent reference and the file formats that it names. Calls have ids only since Gemini 3, so position and
/// name pair calls and results. One content has all results and nothing else. Vertex refuses empty text, the Gemini API
/// does not. A URL needs its type. Recorded: Gemini 3 accepts the calls of a step in several contents. Thought
/// signatures: Gemini 3 needs one on the first call of each step of the current turn, and accepts this stand-in for
/// calls that it did not make.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, ..IdRule::ANY },
    tool: ToolRule::GEMINI,
    // Vertex's page about function calling.
    tools_max: 128,
    name: NameRule { max: 128, alphabet: &Alphabet::of(b"_.:-"), first: Alphabet::FIRST },
    results: ResultPlace::AloneAfterRun,
    results_in_call_order: true,
    results_named: true,
    mute_error: MuteError::Told,
    blank_replays: true,
    trailing_space: true,
    json: JsonPlace::OneObject(&RESULT_KEYS),
    media: MEDIA,
    media_in_result: MediaInResult::Only(&["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"]),
    media_of_all: true,
    reasoning: ReasoningRule::Signature("skip_thought_signature_validator"),
    joins_assistant: true,
    ..BLOCKS
};

/// The reference has `output` and `error`; most clients write `result`, and so do Google's examples.
static RESULT_KEYS: ResultKeys = ResultKeys { said: &[&k::RESULT, &k::OUTPUT], failed: &k::ERROR };

pub(super) const MEDIA: MediaRule = MediaRule {
    images: &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
    audio: &[
        "audio/wav",
        "audio/x-wav",
        "audio/mp3",
        "audio/mpeg",
        "audio/aiff",
        "audio/aac",
        "audio/ogg",
        "audio/flac",
        "audio/m4a",
        "audio/mp4",
        "audio/opus",
        "audio/pcm",
        "audio/webm",
    ],
    video: &[
        "video/mp4",
        "video/mpeg",
        "video/mov",
        "video/quicktime",
        "video/avi",
        "video/x-flv",
        "video/flv",
        "video/mpg",
        "video/webm",
        "video/wmv",
        "video/3gpp",
    ],
    // Every other text file is written as plain text.
    documents: &["application/pdf", "text/plain"],
    at_home: &["application/json", "application/rtf", "application/x-javascript", "application/x-python", "text/plain"],
    urls: &MediaClass::ALL,
    files: Some(Files { holder: "google", elsewhere: STORED_ELSEWHERE, classes: &MediaClass::ALL, as_address: true }),
    // Vertex reads Cloud Storage.
    schemes: &["https://", "http://", "gs://"],
    typed_urls: TypedUrls::Always,
    named: &MediaClass::ALL,
    plain: PlainDocument::Text,
    judged: Judged::Either,
    ..MediaRule::NONE
};

/// Gemini 2 accepts no media in a result, needs no signature, and needs all calls of a step in one content.
const LIMITS_2: Limits = Limits {
    media_in_result: MediaInResult::Never,
    reasoning: ReasoningRule::Replay,
    results: ResultPlace::Alone,
    ..LIMITS
};

/// generateContent reference, both spellings of proto JSON; older clients write the role `function`.
const SIGNS: Signs = &[&[
    (Spot::Body, "contents systemInstruction system_instruction tools toolConfig tool_config"),
    (Spot::Body, "generationConfig generation_config safetySettings safety_settings cachedContent"),
    (Spot::Tool, "functionDeclarations function_declarations googleSearch google_search"),
    (Spot::Tool, "codeExecution code_execution urlContext url_context"),
    (Spot::Key, "parts"),
    (Spot::Untyped, "part"),
    (Spot::Role, "user model function"),
    (Spot::Block, "executableCode executable_code codeExecutionResult code_execution_result"),
    (Spot::Block, "toolCall tool_call toolResponse tool_response"),
]];

impl Rules for Gemini {
    const LIMITS_CHOICE: fn(&Limits) -> bool = |_| true;
    const CARRIERS: Carriers = Carriers {
        keys: &[],
        among_contents: None,
        signatures: &[&["thoughtSignature"], &["thought_signature"]],
        in_id: "",
    };
    const NAME: &'static str = "gemini";
    const PROVIDER: &'static str = "google";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = &["parts"];
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::CONTENTS)]),
        list_or_text: true,
        singles: true,
        system: Some(Slot(&[Spelling::at(&k::SYSTEM_INSTRUCTION), Spelling::at(&k::SYSTEM_INSTRUCTION_SNAKE)])),
        tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
        choice: Some(Slot(&[
            Spelling::inside(&k::TOOL_CONFIG, &k::FUNCTION_CALLING_CONFIG, "toolConfig.functionCallingConfig"),
            Spelling::inside(&k::TOOL_CONFIG, &k::FUNCTION_CALLING_CONFIG_SNAKE, "toolConfig.function_calling_config"),
            Spelling::inside(
                &k::TOOL_CONFIG_SNAKE,
                &k::FUNCTION_CALLING_CONFIG_SNAKE,
                "tool_config.function_calling_config",
            ),
            Spelling::inside(&k::TOOL_CONFIG_SNAKE, &k::FUNCTION_CALLING_CONFIG, "tool_config.functionCallingConfig"),
        ])),
        continues: &[],
        beside_tools: &[],
    };
    const SERVED: &'static [ServedRule] = served::SERVED;
    const KEYS: ExtraKeys = block_rules::KEYS;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS), ("2", LIMITS_2)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] =
        &[&[&k::CANDIDATES], &[&k::PROMPT_FEEDBACK], &[&k::PROMPT_FEEDBACK_SNAKE]];
    const REPLY_MESSAGE: &'static str = ".candidates[0].content";
}
