//! OpenAI Chat Completions and every server that speaks it: `{"messages": […], "tools"?, "tool_choice"?}`.

use self::keys as k;
use super::chat::{
    Chat, ECHOED, Member, REPLY_KEYS, SLOTS,
    keys::{CHOICES, REASONING_DETAILS, REASONING_ITEMS, THINKING_BLOCKS},
    member::Usual,
    part::{Answer, PartDraft},
    read::is_author,
    reply, stream, stream_out,
};
use crate::{
    model::{Flaw, Kind, Parts, ReplyParts, Role},
    report::{Error, Severity},
    rules::{
        ArgsForm, BlockRule, CHAT, ExtraKeys, Files, IdRule, KeyRule, LaterRule, LaterTools, Limits, MarkForm,
        MarkRule, Marks, MediaClass, MediaRule, Once, OneText, PlainDocument, ReasoningRule, RowLayout, Rules, SHARED,
        STORED_ELSEWHERE, Signs, Slot, Slots, Spelling, Spot, Tell, Thoughts, UpdateForm, UpdateRule, ValueRule, Words,
        carrier::{Carriers, Holds, Maker},
        limits::ToolRule,
    },
    value::{Host, Key, Sink, Source, Tree},
    wire::{
        plan::{Item, Message, Outcome, Shown},
        read::Keys,
        response::Draft,
        write::Writer,
    },
};
mod keys;
mod read;
mod response;
mod tell;
mod write;

pub(crate) struct OpenAi;

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
        files: Some(Files { holder: "openai", elsewhere: STORED_ELSEWHERE, classes: &[MediaClass::Document] }),
        ..LIMITS.media
    },
    id: IdRule { form: Severity::Error, ..LIMITS.id },
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

/// DeepSeek and Kimi refuse an assistant message without `reasoning_content` once thinking is on.
const THINKS: Limits = Limits {
    reasoning: ReasoningRule::Key("reasoning_content"),
    thoughts: Thoughts::Key(&k::REASONING_CONTENT),
    ..LIMITS
};
/// Kimi's error texts: "text content is empty", also beside calls, and "must not be empty".
/// It loads no image from the web, only data and its own files, and takes neither sound nor documents.
const KIMI: Limits = Limits {
    blank_text: false,
    blank_replays: false,
    media: MediaRule { schemes: &["ms://"], audio: &[], documents: &[], files: Some(Files::NONE), ..WITH_FILMS },
    ..THINKS
};
/// DeepSeek's error texts: "unknown variant `developer`", and "invalid type: sequence, expected a string" for the list of an
/// assistant or a tool. A user may send a list, of texts only: "unknown variant `image_url`, expected `text`". "Invalid 'tools': empty array."
const DEEPSEEK: Limits = Limits {
    developer: false,
    one_text: OneText::Replies,
    media: MediaRule { plain: PlainDocument::Text, files: Some(Files::NONE), ..MediaRule::NONE },
    no_tools: Severity::Error,
    ..THINKS
};

/// OpenRouter, Qwen and others accept their reasoning back, and also a message without it. In replies they show it under
/// two keys.
const REPLAYS_REASONING: Limits =
    Limits { reasoning: ReasoningRule::Replay, thoughts: Thoughts::Key(&k::REASONING_CONTENT), ..LIMITS };
/// It fetches documents, too, and holds no files.
const OPENROUTER: Limits = Limits {
    thoughts: Thoughts::Key(&k::REASONING),
    details: true,
    media: MediaRule {
        urls: &[MediaClass::Image, MediaClass::Video, MediaClass::Document],
        files: Some(Files::NONE),
        ..WITH_FILMS
    },
    ..REPLAYS_REASONING
};
/// Qwen's error text: "The "function.arguments" parameter of the code model must be in JSON format." It refuses files. Its error
/// text: "Supported values are: 'text','image_url','video_url' and 'video'", of which the last is a list of frames.
const QWEN: Limits = Limits {
    args: ArgsForm::JsonText,
    media: MediaRule { documents: &[], frames: true, files: Some(Files::NONE), ..WITH_FILMS },
    ..REPLAYS_REASONING
};
/// Groq's error texts: "property 'reasoning_content' is unsupported", as its own key is `reasoning`, and "value must be a string"
/// for the system's, the assistant's and a tool's content. Of media it takes images.
const GROQ: Limits = Limits {
    reasoning: ReasoningRule::Own("reasoning"),
    thoughts: Thoughts::Key(&k::REASONING),
    one_text: OneText::AllButUser,
    media: MediaRule { audio: &[], documents: &[], ..LIMITS.media },
    media: MediaRule { audio: &[], documents: &[], files: Some(Files::NONE), ..LIMITS.media },
    reply_keys: Severity::Error,
    ..LIMITS
};
/// Unlisted servers, which may accept what any of the others accepts. vLLM, llama.cpp and MiniMax parse arguments, and refuse the
/// request if they are not JSON. Many chat templates then read them as an object: "Can only get item pairs from a mapping."
/// vLLM refuses an empty list of tools.
const COMPATIBLE: Limits = Limits {
    args: ArgsForm::ObjectText,
    media: MediaRule {
        files: WITH_FILES.media.files,
        urls: &[MediaClass::Image, MediaClass::Video, MediaClass::Audio],
        ..WITH_FILMS
    },
    no_tools: Severity::Error,
    ..REPLAYS_REASONING
};

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
    (Spot::Args, "text object"),
    (Spot::Mark, "choice:auto choice:none choice:required name tool:openrouter video_url audio_url frames"),
    // Compatible servers also take these.
    (Spot::Setting, "top_k min_p repetition_penalty thinking"),
];

/// LiteLLM's keys, OpenRouter's list of details, and Google's signature as its own endpoint and gateways have it.
const CARRIERS: Carriers = Carriers {
    keys: &[
        ("thinking_blocks", Holds::Blocks(Maker::Claude)),
        ("reasoning_items", Holds::Blocks(Maker::OpenAi)),
        ("reasoning_details", Holds::Details),
    ],
    among_contents: Some(Maker::Mistral),
    signatures: &[
        &["extra_content", "google", "thought_signature"],
        &["provider_specific_fields", "thought_signature"],
        &["provider_specific_fields", "thought_signatures"],
        &["function", "provider_specific_fields", "thought_signature"],
        &["thought_signature"],
    ],
    in_id: "__thought__",
};

const SIGNS: Signs = &[SHARED, WORDS];

/// OpenRouter passes cache marks on to providers that know them.
const OPENROUTER_SIGNS: Signs = &[SHARED, WORDS, &[(Spot::Mark, "cache_control")]];

/// The keys of Google's signature with nothing else in them.
const CARRIED: &[KeyRule] = &[
    ("extra_content", ValueRule::Fields(&[("google", SIGNED)], &[])),
    ("provider_specific_fields", SIGNED),
    ("provider_specific_fields", ValueRule::Fields(&[("thought_signatures", LIST)], &[])),
    ("thought_signature", TEXT),
];
const TEXT: ValueRule = ValueRule::Word;
const LIST: ValueRule = ValueRule::SomeOf(&ValueRule::Word);
const SIGNED: ValueRule = ValueRule::Fields(&[("thought_signature", TEXT)], &[]);

impl Rules for OpenAi {
    const NAME: &'static str = "openai";
    const CARRIERS: Carriers = CARRIERS;
    /// OpenRouter has marks of whole messages, but for the system's and the user's parts. Qwen has those of texts.
    const MARKS: &'static MarkRule = &MarkRule {
        reads: &[MarkForm::Control, MarkForm::Breakpoint],
        on_messages: true,
        takes: &[
            ("", Marks::BREAKPOINTS),
            ("openrouter", Marks { beside: false, on_messages: true, ..Marks::anywhere(MarkForm::Control) }),
            ("qwen", Marks { beside: false, calls: false, in_results: true, ..Marks::anywhere(MarkForm::Control) }),
        ],
    };
    /// OpenRouter's, whose key lies in a system message.
    const UPDATE: Option<&'static UpdateRule> = Some(&UpdateRule {
        form: UpdateForm::Key("configuration_update"),
        profiles: &["openrouter"],
        effort: &["reasoning", "effort"],
        lowest: "",
        alone: true,
        behind_user: false,
    });
    const ENDPOINT: &'static str = "/chat/completions";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = super::chat::SAYS;
    const TELL: Option<Tell> = Some(tell::elements);
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[("openai:openrouter", OPENROUTER_SIGNS)];
    const ROWS: &'static RowLayout = &RowLayout::OPENAI;
    const SLOTS: Slots = Slots {
        tools: Some(Slot(&[Spelling::at(&k::TOOLS), Spelling::old(&k::FUNCTIONS)])),
        choice: Some(Slot(&[Spelling::at(&k::TOOL_CHOICE), Spelling::old(&k::FUNCTION_CALL)])),
        // The servers' error text: "'parallel_tool_calls' is only allowed when 'tools' are specified."
        beside_tools: &["parallel_tool_calls"],
        ..SLOTS
    };
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[("name", ValueRule::Text(is_author))],
        row: &[("weight", ValueRule::Bit)],
        part: &[
            ("prompt_cache_breakpoint", ValueRule::Fields(&[("mode", ValueRule::OneOf(&["explicit"]))], &[])),
            ("type", ValueRule::Never),
        ],
        inner: Some(&[("detail", ValueRule::OneOf(&["auto", "low", "high", "original"]))]),
        tool: &[("strict", ValueRule::Maybe(&ValueRule::Flag)), ("format", ValueRule::Map)],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        among_results: "",
        system_blocks: "",
        members: &[],
        result_blocks: "",
        around: None,
        blocks: &[],
        // A gateway has its own tools.
        tools: &[BlockRule { types: "openrouter:", needs: &[], may: &[] }],
        carried: CARRIED,
        two_spellings: false,
        any: false,
        reply_only: REPLY_KEYS,
        echoed: ECHOED,
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[
        ("", WITH_FILES),
        ("deepseek", DEEPSEEK),
        ("kimi", KIMI),
        ("qwen", QWEN),
        ("openrouter", OPENROUTER),
        ("groq", GROQ),
        ("compatible", COMPATIBLE),
    ];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&CHOICES]];
    const REPLY_MESSAGE: &'static str = ".choices[0].message";
}

impl Chat for OpenAi {
    const MEMBER: &'static Member = &Member {
        roles: &[
            ("system", Role::System),
            ("developer", Role::Developer),
            ("user", Role::User),
            ("assistant", Role::Assistant),
            ("tool", Role::Tool),
            ("function", Role::Tool),
        ],
        thoughts: &[&k::REASONING_CONTENT, &k::REASONING, &REASONING_DETAILS],
        carriers: &[&THINKING_BLOCKS, &REASONING_ITEMS],
        nullable: &[&k::CONTENT, &k::REFUSAL, &k::AUDIO, &k::FUNCTION_CALL],
        allows_tools: true,
        ..Member::STRICT
    };
    type Stream<H: Host> = stream::Choices<Self, H>;
    type Out<H: Host> = stream_out::Chunks<Self, H>;

    fn reply<H: Host>(payload: &Tree<'_, H>, said: &mut ReplyParts<H>) -> Result<(), Error> {
        reply::choices::<Self, H>(payload, said)
    }
    fn beside<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
        read::beside(keys, parts)
    }
    fn result<S: Source>(keys: &mut Keys<'_, S>, usual: Usual<S>) -> Result<Answer<S::H>, Error> {
        read::result(Self::reads(), keys, usual)
    }
    fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
        read::part(kind, draft)
    }
    fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        write::spoken(Self::writes(), w, message)
    }
    fn answer<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        item: &Item<'_, H>,
        outcome: &Outcome<'_, H>,
    ) -> Result<(), Error> {
        write::answer(Self::writes(), w, item, outcome)
    }
    fn response<H: Host, K: Sink<H>>(draft: Draft<H>, out: &mut K) {
        response::write(&draft, out);
    }
    fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
        write::media(w, item, shown);
    }
}
