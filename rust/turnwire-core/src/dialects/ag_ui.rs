//! AG-UI: `{"messages": […], "tools"?}` of a run, calls under `toolCalls`, reasoning and activities as messages of their own.
//!
//! Each message has an id. The other keys of a `RunAgentInput` (`threadId`, `state`, `context`, …) are its caller's. A reply
//! is a run: a list of events, or a stream of them.

use self::keys as k;
use crate::{
    rules::{
        BlockRule, CHAT, ExtraKeys, IdRule, JoinedTexts, Judged, Limits, MediaClass, MediaInResult, MediaRule,
        MessageId, MuteError, NameRule, Once, PlainDocument, ReasoningRule, Rules, Signs, Slot, Slots, Spelling, Spot,
        Thoughts, TypedUrls, ValueRule, limits::ToolRule,
    },
    value::Key,
};
mod end;
mod keys;
mod read;
mod reply;
mod response;
mod stream;
mod stream_out;
mod write;

pub(crate) struct AgUi;

/// The protocol's schema 1.0. It has no rules for calls and results. But the provider behind it needs each result
/// directly after the message with its call.
const LIMITS: Limits = Limits {
    id: IdRule { once: Once::InPayload, ..IdRule::ANY },
    name: NameRule::ANY,
    tool: ToolRule::ANY,
    error_flag: true,
    error_repeats: true,
    media: MediaRule {
        images: &[""],
        audio: &[""],
        video: &[""],
        documents: &[""],
        urls: &MediaClass::ALL,
        schemes: &[],
        typed_urls: TypedUrls::Optional,
        plain: PlainDocument::Bytes,
        judged: Judged::Never,
        ..MediaRule::NONE
    },
    media_in_result: MediaInResult::Always,
    message_id: MessageId::EveryMessage,
    reasoning: ReasoningRule::Replay,
    thoughts: Thoughts::Block,
    chooses: &[],
    mute_error: MuteError::Kept,
    joined: JoinedTexts::SystemAndAssistant,
    ..CHAT
};

const SIGNS: Signs = &[&[
    (Spot::Body, "messages tools threadId runId forwardedProps parentRunId protocolVersion"),
    (Spot::Tool, "parameters"),
    (Spot::Head, "system"),
    (Spot::Key, "content toolCalls toolCallId encryptedValue activityType subagentRunId"),
    (Spot::Role, "developer system user assistant tool reasoning activity"),
    (Spot::Content, "text list"),
    (Spot::Block, "text image audio video document binary activity"),
    (Spot::Text, "text"),
    (Spot::Source, "value"),
    (Spot::Call, "function"),
    (Spot::Args, "text"),
    (Spot::Mark, "id mimeType name"),
]];

impl Rules for AgUi {
    const NAME: &'static str = "ag-ui";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = &["content", "toolCalls"];
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::MESSAGES)]),
        list_or_text: false,
        singles: false,
        system: None,
        tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
        choice: None,
        continues: &[],
        beside_tools: &[],
    };
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[
            ("encryptedValue", ValueRule::Maybe(&ValueRule::Word)),
            ("metadata", ValueRule::Maybe(&ValueRule::Any)),
            ("name", ValueRule::Maybe(&ValueRule::Word)),
            ("subagentRunId", ValueRule::Maybe(&ValueRule::Word)),
        ],
        part: &[
            ("encryptedValue", ValueRule::Maybe(&ValueRule::Word)),
            ("metadata", ValueRule::Any),
            ("type", ValueRule::Never),
        ],
        inner: Some(&[("provider", ValueRule::Maybe(&ValueRule::Word))]),
        among_results: "activity",
        blocks: &[BlockRule {
            types: "activity",
            needs: &[("activityType", ValueRule::Word), ("content", ValueRule::Map)],
            may: &[],
        }],
        tools: &[BlockRule { types: "function", needs: &[], may: &[] }],
        any: false,
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] =
        &[&[&k::TYPE, &k::THREAD_ID, &k::RUN_ID], &[&k::MESSAGES, &k::OUTCOME]];
    const REPLY_MESSAGE: &'static str = ".messages";
    const REPLIES_IN_ITEMS: bool = true;
}
