//! Bedrock Converse: `{"system"?, "messages": […], "toolConfig"?}`, blocks without a type.

use self::keys as k;
use crate::{
    report::Severity,
    rules::{
        Alphabet, BLOCKS, BlockRule, CacheMark, CacheRule, Chosen, CitationRule, ExtraKeys, Family, IdRule, InTexts,
        JsonPlace, LaterRule, Limits, MarkForm, MarkRule, Marks, MediaClass, MediaInResult, MediaRule, NameRule, Once,
        PaperRule, PassageRule, PlainDocument, Rules, SharedBlock, Signs, Slot, Slots, Spelling, Spot, Tell, TypedUrls,
        ValueRule, bound, limits::ToolRule,
    },
    value::Key,
};
mod blobs;
mod block_rules;
mod cache;
mod end;
mod keys;
mod media;
mod part;
mod read;
mod reply;
mod response;
mod stream;
mod stream_out;
mod tell;
mod tools;
mod write;

pub(crate) struct Bedrock;

/// Service model of Converse, and what the servers refuse beyond it. Turns alternate strictly, the results of an
/// exchange share one message, and JSON in a result is an object. Claude refuses a repeated id and a final assistant
/// turn.
const LIMITS: Limits = Limits {
    marks: Some(Marks::anywhere(MarkForm::Point)),
    // Claude on Bedrock answered requests with a blank text behind a document.
    blank_beside: Severity::Warning,
    id: IdRule {
        max: 64,
        exact: None,
        alphabet: &Alphabet::of(b"_.:-"),
        optional: false,
        once: Once::InPayload,
        form: Severity::Error,
    },
    nine: bound::mistral,
    alternates: true,
    checks_prefix: bound::claude,
    later: LaterRule { text: true, models: bound::claude_later, ..LaterRule::NONE },
    family: Family::Claude,
    prefill: true,
    tool: ToolRule::CONVERSE,
    json: JsonPlace::ObjectInResult,
    media: MediaRule {
        audio: &[
            "audio/mpeg",
            "audio/mp3",
            "audio/opus",
            "audio/wav",
            "audio/x-wav",
            "audio/wave",
            "audio/aac",
            "audio/flac",
            "audio/mp4",
            "audio/x-m4a",
            "audio/ogg",
            "audio/x-matroska",
            "audio/pcm",
            "audio/webm",
        ],
        video: &[
            "video/x-matroska",
            "video/quicktime",
            "video/mp4",
            "video/webm",
            "video/x-flv",
            "video/mpeg",
            "video/x-ms-wmv",
            "video/3gpp",
        ],
        documents: &[
            "application/pdf",
            "text/csv",
            "application/msword",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.ms-excel",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "text/html",
            "text/plain",
            "text/markdown",
        ],
        urls: &[MediaClass::Image, MediaClass::Document, MediaClass::Video, MediaClass::Audio],
        schemes: &["s3://"],
        address: Some(block_rules::is_bucket),
        typed_urls: TypedUrls::Always,
        named: &[MediaClass::Document],
        in_texts: InTexts::Only,
        plain: PlainDocument::Bytes,
        // Recorded: a name with an underscore was accepted.
        taken_in_names: &['_'],
        names: Some(NameRule { max: 200, alphabet: &Alphabet::of(b" -()[]"), first: Alphabet::ANY }),
        text_beside: true,
        ..BLOCKS.media
    },
    media_in_result: MediaInResult::Of(&[MediaClass::Image, MediaClass::Document, MediaClass::Video]),
    chooses: &[Chosen::Auto, Chosen::Required, Chosen::One],
    tools_required: true,
    ..BLOCKS
};

/// Models of the Nova family.
const NOVA: Limits =
    Limits { marks: None, tool: ToolRule::NOVA, checks_prefix: bound::no_model, family: Family::Any, ..LIMITS };

/// Service model of Converse.
const SIGNS: Signs = &[&[
    (Spot::Body, "messages system toolConfig inferenceConfig guardrailConfig additionalModelRequestFields"),
    (Spot::Tool, "toolSpec cachePoint systemTool"),
    (Spot::Key, "content"),
    (Spot::Role, "system user assistant"),
    (Spot::Content, "list"),
    (Spot::Bare, "text image document video audio toolUse toolResult reasoningContent cachePoint"),
    (Spot::Bare, "guardContent citationsContent searchResult toolAddition toolRemoval"),
    (Spot::Mark, "model:claude"),
]];

impl Rules for Bedrock {
    const NAME: &'static str = "bedrock";
    const PROVIDER: &'static str = "bedrock";
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::MESSAGES)]),
        list_or_text: false,
        singles: false,
        system: Some(Slot(&[Spelling::at(&k::SYSTEM)])),
        tools: Some(Slot(&[Spelling::inside(&k::TOOL_CONFIG, &k::TOOLS, "toolConfig.tools")])),
        choice: Some(Slot(&[Spelling::inside(&k::TOOL_CONFIG, &k::TOOL_CHOICE, "toolConfig.toolChoice")])),
        continues: &[],
        beside_tools: &[],
    };
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[],
        row: &[],
        part: block_rules::KEYS,
        inner: None,
        tool: &[("strict", ValueRule::Flag)],
        most: Some(("cachePoint", 4)),
        assistant_blocks: "",
        user_blocks: "searchResult",
        among_results: "",
        system_blocks: "cachePoint",
        result_blocks: "json text image document video searchResult",
        blocks: &[],
        members: block_rules::BLOCKS,
        tools: &[BlockRule { types: "cachePoint systemTool", needs: &[], may: &[] }],
        around: Some(&[]),
        beta: &[],
        carried: &[],
        two_spellings: false,
        any: false,
        // Of a call and its result.
        reply_only: &["type"],
        echoed: &[],
    };
    const SHARED: &'static [SharedBlock] = block_rules::SHARED;
    const OTHERS_THINK: Option<fn(&str) -> bool> = Some(bound::takes_thoughts);
    const CITES: Option<&'static CitationRule> = Some(&block_rules::CITES);
    const BLOBS: bool = true;
    const PAPER: Option<&'static PaperRule> = Some(&PaperRule { context: "context", keys: &["context", "citations"] });
    /// Service model: only Claude takes it.
    const PASSAGE: Option<&'static PassageRule> =
        Some(&PassageRule { name: "searchResult", under_name: true, typed: false, of_family: true });
    const MARKS: &'static MarkRule = &MarkRule { reads: &[MarkForm::Point], on_messages: false };
    const CACHE: Option<&'static CacheRule> = Some(&CacheRule {
        mark: CacheMark::Block(&k::CACHE_POINT),
        kind: &k::DEFAULT,
        blocks: &["text", "image", "document", "searchResult", "toolUse", "toolResult"],
        tool: &k::TOOL_SPEC,
        hidden: None,
        on_reasoning: true,
    });
    const TELL: Option<Tell> = Some(tell::elements);
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS), ("nova", NOVA)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&k::OUTPUT, &k::STOP_REASON]];
    const REPLY_MESSAGE: &'static str = ".output.message";
}
