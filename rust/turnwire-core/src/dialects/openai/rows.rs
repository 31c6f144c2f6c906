//! Lists what each server of the format takes, one row each: OpenAI itself, other vendors, gateways, and servers on one's own
//! machine. What a row says of a server is from the server's source, its vendor's SDK or page, or its error texts.

use super::keys as k;
use crate::{
    dialects::chat::keys::{REASONING_ITEMS, THINKING_BLOCKS},
    report::Severity,
    rules::{
        Alphabet, ArgsForm, CHAT, CarriedKeys, Carries, Chosen, Files, IdRule, LaterRule, LaterTools, Limits, MarkForm,
        Marks, MediaClass, MediaRule, Once, OneText, PlainDocument, ReasoningRule, STORED_ELSEWHERE, SilentCalls,
        StrictFlag, SystemPlace, Thoughts,
        carrier::Maker,
        limits::ToolRule,
        settings::{
            Cell, Kind, RowSettings, at, effort_words,
            levels::{self, HIGH, LOW, LOW_TO_HIGH, LOW_TO_MAX, MAX, MINIMAL},
            own,
            row_settings::REFUSES,
        },
    },
};

/// Groq's reference of Chat Completions: what only its servers have.
const OWN_OF_GROQ: [(&str, Cell); 5] = [
    ("reasoning_format", own(&["reasoning_format", "include_reasoning"])),
    ("server_search", own(&["search_settings", "include_domains", "exclude_domains"])),
    ("server_tools", own(&["compound_custom", "disable_tool_validation"])),
    ("documents", own(&["documents"])),
    ("citations", own(&["citation_options"])),
];

/// The same and more.
macro_rules! with_groq {
    ($($more:expr),+) => {
        &[OWN_OF_GROQ[0], OWN_OF_GROQ[1], OWN_OF_GROQ[2], OWN_OF_GROQ[3], OWN_OF_GROQ[4], $($more),+]
    };
}

/// The older key for the length of a reply, where servers do not read the newer one.
const MAX_TOKENS: (&str, Cell) = ("max_tokens", at(&["max_tokens"], Kind::Integer(1.0, 9_007_199_254_740_991.0)));

/// Words for how much the model thinks.
macro_rules! effort {
    ($own:expr) => {
        ("reasoning_effort", at(&["reasoning_effort"], effort_words!(levels::SCALE, $own)))
    };
}
/// The user of a request, under the older key: they refuse the newer one.
const USER: (&str, Cell) = ("end_user", at(&["user"], Kind::Text(usize::MAX)));
/// A setting that the server does not have.
const fn without(name: &'static str) -> (&'static str, Cell) {
    (name, at(&[], Kind::Refused(REFUSES)))
}
/// Whether the model thinks, as a word.
const fn thinking(words: Kind) -> (&'static str, Cell) {
    ("reasoning_mode", at(&["thinking.type"], words))
}
const ON_OFF: Kind = Kind::Words(&[("enabled", "enabled"), ("disabled", "disabled"), ("enabled", "adaptive")]);
/// Kimi's error text: `thinking` and `reasoning_effort` do not go together (nanobot#3939).
const THINKING_OF_KIMI: (&str, Cell) =
    ("reasoning_mode", at(&["thinking.type"], ON_OFF).excludes(&["reasoning_effort"]));
const ADAPTIVE_OFF: Kind = Kind::Words(&[("adaptive", "adaptive"), ("disabled", "disabled"), ("adaptive", "enabled")]);
/// Every row, by the name of its profile.
pub(super) const ALL: &[(&str, Limits)] = &[
    ("", WITH_FILES),
    ("deepseek", DEEPSEEK),
    ("kimi", KIMI),
    ("qwen", QWEN),
    ("openrouter", OPENROUTER),
    ("groq", GROQ),
    ("compatible", COMPATIBLE),
    ("local", LOCAL),
    ("plain", PLAIN),
    ("gemini", GEMINI),
    ("litellm", LITELLM),
    ("xai", XAI),
    ("glm", GLM),
    ("minimax", MINIMAX),
    ("cerebras", CEREBRAS),
    ("fireworks", FIREWORKS),
    ("perplexity", PERPLEXITY),
];

/// Marks that only texts have.
const OF_TEXTS: Marks = Marks { beside: false, calls: false, in_results: true, ..Marks::anywhere(MarkForm::Control) };

/// Chat Completions reference; ids of at most 40 characters by OpenAI's own error text. Other servers take longer ones.
const LIMITS: Limits = Limits {
    id: IdRule { max: 40, once: Once::InStep, form: Severity::Warning, ..IdRule::ANY },
    free_text: true,
    tools_max: 128,
    later: LaterRule { text: true, tools: LaterTools::Listed, ..LaterRule::NONE },
    tool: ToolRule::OPENAI,
    refusals: true,
    media: MediaRule {
        audio: &["audio/mp3", "audio/mpeg", "audio/wav", "audio/x-wav", "audio/wave"],
        // The guide to file inputs. Some servers take less.
        documents: &["application/pdf"],
        named: &[MediaClass::Document],
        detail: true,
        plain: PlainDocument::Text,
        ..CHAT.media
    },
    ..CHAT
};

/// OpenAI itself stores files, for both of its formats. Here they are documents. Its own SDK's replies are sent back whole:
/// `annotations`, `parsed`, `index` and the like are in requests that it answered. Its error texts: "[] is too short -
/// 'tools'" and "'tool_choice' is only allowed when 'tools' are specified".
const WITH_FILES: Limits = Limits {
    media: MediaRule {
        files: Some(Files {
            holder: "openai",
            elsewhere: STORED_ELSEWHERE,
            classes: &[MediaClass::Document],
            as_address: false,
        }),
        ..LIMITS.media
    },
    id: IdRule { form: Severity::Error, ..LIMITS.id },
    marks: Some(Marks::BREAKPOINTS),
    reply_keys: Severity::Info,
    no_tools: Severity::Error,
    lone_choice: Severity::Error,
    false_strict: Severity::Error,
    ..LIMITS
};

/// Servers that take films, by their data or their address.
const WITH_FILMS: MediaRule = MediaRule {
    video: &["video/mp4", "video/mpeg", "video/quicktime", "video/webm", "video/x-msvideo"],
    urls: &[MediaClass::Image, MediaClass::Video],
    ..LIMITS.media
};

/// Servers that take only the function tools of the reference, and no role `developer`.
const FUNCTIONS: Limits = Limits { developer: false, free_text: false, ..LIMITS };

/// Images and films, and no documents or sound.
const FILMS: MediaRule = MediaRule { audio: &[], documents: &[], ..WITH_FILMS };
/// Images alone.
const PICTURES: MediaRule = MediaRule { audio: &[], documents: &[], ..LIMITS.media };

/// Kimi's error texts: "text content is empty", also beside calls, and "must not be empty". It refuses an assistant message
/// without `reasoning_content` once thinking is on. It loads no image from the web, only data and its own files.
const KIMI: Limits = Limits {
    reasoning: ReasoningRule::Key("reasoning_content", ""),
    thoughts: Thoughts::Key(&k::REASONING_CONTENT),
    tool: ToolRule::MOONSHOT,
    chooses_thinking: &[Chosen::Auto, Chosen::None],
    blank_text: false,
    blank_replays: false,
    media: MediaRule { schemes: &["ms://"], files: Some(Files::NONE), ..FILMS },
    settings: RowSettings { cells: &[MAX_TOKENS, effort!(LOW | HIGH | MAX), THINKING_OF_KIMI], ..RowSettings::NONE },
    ..FUNCTIONS
};
/// DeepSeek's error texts: "unknown variant `developer`", and "invalid type: sequence, expected a string" for the list of an
/// assistant or a tool. "Invalid 'tools': empty array." It refuses an assistant message without `reasoning_content` while it
/// thinks, and V4 Pro an empty one: hermes-agent#17341 and #18263 measured that a space is taken everywhere. Its
/// models that do not see refuse images (DeepSeek-Reasonix#7859); for the others, say `openai:deepseek+media=image`.
const DEEPSEEK: Limits = Limits {
    reasoning: ReasoningRule::Key("reasoning_content", " "),
    thoughts: Thoughts::Key(&k::REASONING_CONTENT),
    one_text: OneText::Replies,
    // V4 thinks by default, and then refuses them (DeepSeek-V3#1376, any-llm#1384).
    chooses_thinking: &[Chosen::Auto],
    media: MediaRule { plain: PlainDocument::Text, files: Some(Files::NONE), ..MediaRule::NONE },
    settings: RowSettings {
        formats: &["text", "json_object"],
        cells: &[MAX_TOKENS, effort!(LOW_TO_MAX), thinking(ON_OFF)],
        ..RowSettings::NONE
    },
    no_tools: Severity::Error,
    ..FUNCTIONS
};

/// OpenRouter and others accept their reasoning back, and also a message without it. In replies they show it under
/// two keys.
const REPLAYS_REASONING: Limits =
    Limits { reasoning: ReasoningRule::Replay, thoughts: Thoughts::Key(&k::REASONING_CONTENT), ..LIMITS };
/// OpenRouter's SDK types.
const OPENROUTER: Limits = Limits {
    free_text: false,
    thoughts: Thoughts::Key(&k::REASONING),
    carries: Carries::Details,
    // On whole messages, but for the system's and the user's parts.
    marks: Some(Marks { beside: false, on_messages: true, ..Marks::anywhere(MarkForm::Control) }),
    // It fetches documents, too, and holds no files.
    media: MediaRule {
        urls: &[MediaClass::Image, MediaClass::Video, MediaClass::Document],
        files: Some(Files::NONE),
        ..WITH_FILMS
    },
    // It writes each word as the model's own server has it.
    settings: RowSettings { cells: &[effort!(levels::NONE | MINIMAL | LOW_TO_MAX)], ..RowSettings::NONE },
    ..REPLAYS_REASONING
};
/// Qwen's error text: "The "function.arguments" parameter of the code model must be in JSON format." It refuses files, and a
/// list without a user's message (agentscope-java#613). "Supported values are: 'text','image_url','video_url' and 'video'", of
/// which the last is a list of frames.
const QWEN: Limits = Limits {
    developer: false,
    free_text: false,
    args: ArgsForm::JsonText,
    chooses_thinking: &[Chosen::Auto, Chosen::None],
    user_needed: true,
    media: MediaRule { frames: true, files: Some(Files::NONE), ..FILMS },
    marks: Some(OF_TEXTS),
    settings: RowSettings {
        formats: &["text", "json_object"],
        cells: &[
            MAX_TOKENS,
            without("reasoning_effort"),
            ("reasoning_mode", at(&["enable_thinking"], Kind::Switch("enabled", "disabled"))),
            ("reasoning_budget", at(&["thinking_budget"], Kind::Integer(1.0, 9_007_199_254_740_991.0))),
            without("frequency_penalty"),
        ],
        ..RowSettings::NONE
    },
    ..REPLAYS_REASONING
};
/// Groq's error texts: "property 'reasoning_content' is unsupported", as its own key is `reasoning`, and "value must be a string"
/// for the system's, the assistant's and a tool's content. Of media it takes images: its documents are JSON.
const GROQ: Limits = Limits {
    free_text: false,
    reasoning: ReasoningRule::Own("reasoning"),
    thoughts: Thoughts::Key(&k::REASONING),
    one_text: OneText::AllButUser,
    media: MediaRule { files: Some(Files::NONE), ..PICTURES },
    settings: RowSettings {
        refuses: &["metadata", "prediction", "prompt_cache_key", "safety_identifier", "store", "verbosity"],
        format_with_tools: false,
        cells: with_groq!(effort!(levels::NONE | LOW_TO_HIGH), USER),
        ..RowSettings::NONE
    },
    closed: true,
    reply_keys: Severity::Error,
    ..LIMITS
};
/// Unlisted servers, which may accept what any of the others accepts. vLLM, llama.cpp and MiniMax parse arguments, and refuse the
/// request if they are not JSON. Many chat templates then read them as an object: "Can only get item pairs from a mapping."
/// vLLM refuses an empty list of tools. GLM, MiniMax and Cloudflare refuse the role `developer`, LM Studio and MiniMax a tool
/// without parameters, llama.cpp and MiniMax tools with free text.
const COMPATIBLE: Limits = Limits {
    developer: false,
    free_text: false,
    args: ArgsForm::ObjectText,
    tool: ToolRule { needed: true, ..ToolRule::OPENAI },
    media: MediaRule {
        files: WITH_FILES.media.files,
        urls: &[MediaClass::Image, MediaClass::Video, MediaClass::Audio],
        ..WITH_FILMS
    },
    // A server of which nothing is known may have what Groq has.
    settings: RowSettings { cells: &OWN_OF_GROQ, ..RowSettings::NONE },
    no_tools: Severity::Error,
    ..REPLAYS_REASONING
};
/// Servers on one's own machine: vLLM, SGLang, llama.cpp, LM Studio, Ollama's `/v1`, MLX, TGI. The model's chat template decides,
/// so this is what strict templates take: "System message must be at the beginning." Ollama makes a message of each part
/// of a list, and loses the id of a result that is one; MLX takes lists only from users.
const LOCAL: Limits = Limits {
    system: SystemPlace::One,
    one_text: OneText::AllButUser,
    // Ollama reads no other key for the length, and every one of them reads this one.
    settings: RowSettings { cells: with_groq!(MAX_TOKENS), ..RowSettings::NONE },
    ..COMPATIBLE
};
/// A gateway of which nothing is known but that it is strict. Cloudflare's error texts: "is not one of ['system', …]", and a string
/// as content for every role; it wants an empty text beside calls (DevoxxGenie#1262).
const PLAIN: Limits = Limits {
    system: SystemPlace::One,
    alternates: true,
    one_text: OneText::All,
    silent_calls: SilentCalls::Empty,
    blank_text: false,
    blank_replays: false,
    id: IdRule { max: 9, exact: Some(9), alphabet: Alphabet::ALPHANUMERIC, ..LIMITS.id },
    args: ArgsForm::ObjectText,
    tool: ToolRule { needed: true, strict_flag: StrictFlag::LeftOut, ..ToolRule::OPENAI },
    chooses: &[Chosen::Auto, Chosen::None],
    media: MediaRule { plain: PlainDocument::Text, ..MediaRule::NONE },
    settings: RowSettings { cells: &[MAX_TOKENS], ..RowSettings::NONE },
    closed: true,
    reply_keys: Severity::Error,
    no_tools: Severity::Error,
    lone_choice: Severity::Error,
    ..FUNCTIONS
};
/// Google's endpoint, also Vertex's: ai.google.dev/gemini-api/docs/openai. The first call of each step of the current turn needs a signature
/// (langchain#37347, adk-python#4650). It refuses every key that it does not know.
const GEMINI: Limits = Limits {
    free_text: false,
    reasoning: ReasoningRule::Signature(SENTINEL),
    carries: Carries::Keys(&CarriedKeys {
        blocks: &[],
        signature: &[&k::EXTRA_CONTENT, &k::GOOGLE, &k::THOUGHT_SIGNATURE],
    }),
    media: MediaRule { documents: &[], ..LIMITS.media },
    settings: RowSettings {
        refuses: &["metadata", "prompt_cache_key", "safety_identifier", "store", "verbosity"],
        ..RowSettings::NONE
    },
    closed: true,
    reply_keys: Severity::Error,
    ..LIMITS
};
/// Google's documented stand-in for a signature.
const SENTINEL: &str = "skip_thought_signature_validator";
/// LiteLLM's proxy, which passes on the reasoning of each provider under keys of its own.
const LITELLM: Limits = Limits {
    reasoning: ReasoningRule::Own("reasoning_content"),
    thoughts: Thoughts::Key(&k::REASONING_CONTENT),
    carries: Carries::Keys(&CarriedKeys {
        blocks: &[(&THINKING_BLOCKS, Maker::Claude), (&REASONING_ITEMS, Maker::OpenAi)],
        signature: &[&k::PROVIDER_SPECIFIC_FIELDS, &k::THOUGHT_SIGNATURE],
    }),
    media: WITH_FILMS,
    marks: Some(Marks::anywhere(MarkForm::Control)),
    ..LIMITS
};
/// xAI refuses an empty message (hermes-agent#30310), and takes no reasoning back in chat. Images are its only media.
const XAI: Limits = Limits { blank_text: false, blank_replays: false, media: PICTURES, ..LIMITS };
/// Zhipu's error text: 1214 "Incorrect role information" for the role `developer` and for a list without a user's message
/// (PI-Desktop#30, opencode#2557). Its choice of tools is a word.
const GLM: Limits = Limits {
    user_needed: true,
    chooses: &[Chosen::Auto, Chosen::None, Chosen::Required],
    reasoning: ReasoningRule::Own("reasoning_content"),
    media: FILMS,
    marks: Some(OF_TEXTS),
    settings: RowSettings { cells: &[MAX_TOKENS, thinking(ON_OFF)], ..RowSettings::NONE },
    ..COMPATIBLE
};
/// MiniMax's error texts: "role param error", "function parameters is empty", "invalid tool type". Several system messages are
/// not supported (MiniMax-M2#51).
const MINIMAX: Limits = Limits {
    system: SystemPlace::One,
    media: FILMS,
    marks: Some(OF_TEXTS),
    settings: RowSettings { cells: &[MAX_TOKENS, thinking(ADAPTIVE_OFF)], ..RowSettings::NONE },
    ..COMPATIBLE
};
/// Cerebras: its SDK's types; "wrong_api_format" for keys that it does not know; tools that are strict and tools that are not
/// do not go together (Roo-Code#10334); older models refuse `null` beside calls (livekit#2403).
const CEREBRAS: Limits = Limits {
    silent_calls: SilentCalls::Empty,
    tool: ToolRule { strict_flag: StrictFlag::Alike, ..ToolRule::OPENAI },
    reasoning: ReasoningRule::Own("reasoning"),
    thoughts: Thoughts::Key(&k::REASONING),
    media: PICTURES,
    settings: RowSettings {
        refuses: &["metadata", "safety_identifier", "store", "verbosity"],
        format_with_tools: false,
        cells: &[effort!(levels::NONE | LOW_TO_HIGH), USER],
        ..RowSettings::NONE
    },
    closed: true,
    reply_keys: Severity::Error,
    ..FUNCTIONS
};
/// Fireworks: its SDK's types; "Extra inputs are not permitted, field: …", for the key `reasoning` too (pi#4514).
const FIREWORKS: Limits = Limits {
    free_text: false,
    reasoning: ReasoningRule::Own("reasoning_content"),
    thoughts: Thoughts::Key(&k::REASONING_CONTENT),
    media: FILMS,
    settings: RowSettings {
        refuses: &["safety_identifier", "store", "stream_options", "verbosity"],
        format_with_tools: false,
        cells: &[effort!(levels::NONE | LOW_TO_HIGH), USER],
        ..RowSettings::NONE
    },
    closed: true,
    reply_keys: Severity::Error,
    ..LIMITS
};
/// Perplexity: its SDK's types; user or tool must alternate with the assistant (api-discussion#265), behind the system's text.
const PERPLEXITY: Limits = Limits {
    system: SystemPlace::First,
    alternates: true,
    tool: ToolRule { needed: true, ..ToolRule::OPENAI },
    media: MediaRule { audio: &[], ..WITH_FILMS },
    settings: RowSettings { cells: &[MAX_TOKENS, effort!(MINIMAL | LOW_TO_HIGH)], ..RowSettings::NONE },
    ..FUNCTIONS
};
