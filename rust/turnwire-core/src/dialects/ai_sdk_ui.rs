//! Vercel AI SDK's UIMessage: a list of `{"id", "role", "parts"}`, where one part holds a call and its result.
//!
//! `useChat` holds it in the browser, and servers store it. An assistant's message lasts until the next user message.
//! Parts of type `step-start` begin its steps. A reply is what the SDK passes to `onFinish` (the message, and why it
//! ended), or the chunks of a UI message stream.

use self::keys as k;
use crate::{
    dialects::ai_sdk::{COMPACTION, UI},
    rules::{
        ArgsForm, BlockRule, CHAT, CompactionRule, ExtraKeys, IdRule, JsonPlace, Judged, KeyRule, Limits, MarkForm,
        MarkRule, MediaClass, MediaRule, MessageId, MuteError, NameRule, Once, PartOrder, PlainDocument, ReasoningRule,
        ResultPlace, Rules, ServedRule, Signs, Slots, Spot, Thoughts, TypedUrls, ValueRule, carrier::Carriers,
        option_rule::OptionRule,
    },
    value::Key,
};
mod end;
mod form;
mod keys;
mod read;
mod reply;
mod response;
mod served;
mod stream;
mod stream_out;
mod tool;
mod write;

pub(crate) struct AiSdkUi;

/// The SDK's `validateUIMessages` takes any text and any value. The provider behind it needs an answer to each call.
const LIMITS: Limits = Limits {
    id: IdRule { once: Once::InPayload, ..IdRule::ANY },
    name: NameRule::ANY,
    results: ResultPlace::WithCall,
    error_flag: true,
    args: ArgsForm::Either,
    json: JsonPlace::OneValue,
    media: MediaRule {
        images: &[""],
        audio: &[""],
        video: &[""],
        documents: &[""],
        urls: &MediaClass::ALL,
        schemes: &[],
        typed_urls: TypedUrls::Optional,
        named: &MediaClass::ALL,
        plain: PlainDocument::Bytes,
        judged: Judged::Never,
        ..MediaRule::NONE
    },
    media_of_all: true,
    order: PartOrder::Free,
    message_id: MessageId::EveryMessage,
    reasoning: ReasoningRule::Replay,
    thoughts: Thoughts::Block,
    mute_error: MuteError::Kept,
    ..CHAT
};

const SIGNS: Signs = &[&[
    (Spot::Body, "messages"),
    (Spot::Head, "system"),
    (Spot::Key, "parts"),
    (Spot::Role, "system user assistant"),
    (Spot::Block, "text reasoning file source-url source-document step-start reasoning-file custom"),
    (Spot::Block, "dynamic-tool tool- data-"),
    (Spot::Text, "text"),
    (Spot::Mark, "id mediaType"),
]];

/// The type of the part that begins a step.
const MARK: &str = "step-start";
/// Provider data beside a part.
const BY_PROVIDER: KeyRule = ("providerMetadata", ValueRule::Map);

const APPROVAL_RULE: ValueRule =
    ValueRule::Fields(&[("id", ValueRule::Word)], &[("approved", ValueRule::Flag), ("reason", ValueRule::Word)]);

/// Google's signature of a call or a text.
const SIGNATURES: &[&[&str]] = &[
    &["providerMetadata", "google", "thoughtSignature"],
    &["providerMetadata", "vertex", "thoughtSignature"],
    &["providerMetadata", "googleVertex", "thoughtSignature"],
    &["callProviderMetadata", "google", "thoughtSignature"],
    &["callProviderMetadata", "vertex", "thoughtSignature"],
    &["callProviderMetadata", "googleVertex", "thoughtSignature"],
];

impl Rules for AiSdkUi {
    const NAME: &'static str = "ai-sdk-ui";
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots::LIST_OR_BODY;
    const SERVED: &'static [ServedRule] = served::SERVED;
    const OPTIONS: Option<&'static OptionRule> = Some(&UI);
    const COMPACTION: Option<&'static CompactionRule> = Some(&COMPACTION);
    const CARRIERS: Carriers = Carriers { signatures: SIGNATURES, ..Carriers::NONE };
    const MARKS: &'static MarkRule =
        &MarkRule { reads: &[MarkForm::Control, MarkForm::Point, MarkForm::Breakpoint], on_messages: true };
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[("metadata", ValueRule::Any)],
        part: &[
            BY_PROVIDER,
            ("callProviderMetadata", ValueRule::Map),
            ("resultProviderMetadata", ValueRule::Map),
            ("toolMetadata", ValueRule::Map),
            ("providerReference", ValueRule::Map),
            ("providerExecuted", ValueRule::Flag),
            ("preliminary", ValueRule::Flag),
            ("approval", APPROVAL_RULE),
            ("rawInput", ValueRule::Any),
            ("state", ValueRule::Word),
            ("title", ValueRule::Word),
            ("filename", ValueRule::Word),
            ("id", ValueRule::Word),
        ],
        blocks: &[
            BlockRule { types: MARK, needs: &[], may: &[] },
            BlockRule {
                types: "source-url",
                needs: &[("sourceId", ValueRule::Word), ("url", ValueRule::Word)],
                may: &[("title", ValueRule::Word), BY_PROVIDER],
            },
            BlockRule {
                types: "source-document",
                needs: &[("sourceId", ValueRule::Word), ("mediaType", ValueRule::Word), ("title", ValueRule::Word)],
                may: &[("filename", ValueRule::Word), BY_PROVIDER],
            },
            BlockRule {
                types: "reasoning-file",
                needs: &[("url", ValueRule::Word), ("mediaType", ValueRule::Word)],
                may: &[BY_PROVIDER],
            },
            BlockRule { types: "compaction", needs: &[("text", ValueRule::Word)], may: &[] },
            BlockRule { types: "custom", needs: &[("kind", ValueRule::Word)], may: &[BY_PROVIDER] },
            BlockRule { types: "data-", needs: &[("data", ValueRule::Any)], may: &[("id", ValueRule::Word)] },
            BlockRule {
                types: "tool- dynamic-tool",
                needs: &[("toolCallId", ValueRule::Word), ("state", ValueRule::Word)],
                may: &[],
            },
        ],
        any: false,
        ..ExtraKeys::ANY
    };
    const STEP_MARK: &'static str = MARK;
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&k::RESPONSE_MESSAGE], &[&k::TYPE, &k::MESSAGE_ID]];
    const REPLY_MESSAGE: &'static str = ".responseMessage";
}
