//! Vercel AI SDK's ModelMessage: a list of `{"role", "content"}`, results in messages of role `tool`, each with the type of
//! its output.
//!
//! `generateText` takes it, and `response.messages` returns it. Provider-run calls and results stay in the assistant's
//! message.

use crate::{
    rules::{
        ArgsForm, BlockRule, CHAT, CompactionRule, ExtraKeys, IdRule, JoinedTexts, JsonPlace, Judged, KeyRule, Limits,
        MarkForm, MarkRule, MediaClass, MediaInResult, MediaRule, MuteError, NameRule, Once, PartOrder, PlainDocument,
        ReasoningRule, ResultPlace, Rules, ServedRule, Signs, Slots, Spot, TypedUrls, UpdateForm, UpdateRule,
        ValueRule,
        carrier::Carriers,
        option_rule::{EFFORT, OptionRule},
    },
    value::Host,
    wire::{
        format::Reply,
        stream::{NoStream, NoWriter},
    },
};
mod approvals;
mod keys;
mod media;
mod options;
mod output;
mod read;
mod served;
mod write;

pub(super) use self::{
    options::{COMPACTION, UI, compacted, share_proofs},
    output::{any_of, reason_or_default},
    read::is_signed,
};

pub(crate) struct AiSdk;

/// The SDK's types accept almost anything, but `convertToLanguageModelPrompt` throws if a call has no result before the
/// next user or system message. The providers behind it check ids.
const LIMITS: Limits = Limits {
    id: IdRule { once: Once::InPayload, ..IdRule::ANY },
    name: NameRule::ANY,
    results: ResultPlace::AsTheyCome,
    results_named: true,
    error_flag: true,
    args: ArgsForm::Either,
    json: JsonPlace::Tagged,
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
    media_in_result: MediaInResult::UnlessFailed,
    media_of_all: true,
    order: PartOrder::Free,
    joined: JoinedTexts::System,
    reasoning: ReasoningRule::Replay,
    mute_error: MuteError::Kept,
    ..CHAT
};

const SIGNS: Signs = &[&[
    (Spot::Head, "system"),
    (Spot::Key, "content providerOptions"),
    (Spot::Role, "system user assistant tool"),
    (Spot::Content, "text list"),
    (Spot::Block, "text image file reasoning reasoning-file custom tool-call tool-result"),
    (Spot::Block, "tool-approval-request tool-approval-response"),
    (Spot::Text, "text"),
    (Spot::Mark, "image image:data mediaType"),
]];

const OPTIONS: KeyRule = ("providerOptions", ValueRule::Map);

/// Google's signature of a call or a text.
const SIGNATURES: &[&[&str]] = &[
    &["providerOptions", "google", "thoughtSignature"],
    &["providerOptions", "vertex", "thoughtSignature"],
    &["providerOptions", "googleVertex", "thoughtSignature"],
];

impl Rules for AiSdk {
    const NAME: &'static str = "ai-sdk";
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots::BARE_LIST;
    const SERVED: &'static [ServedRule] = served::SERVED;
    const OPTIONS: Option<&'static OptionRule> = Some(&options::MODEL);
    const COMPACTION: Option<&'static CompactionRule> = Some(&COMPACTION);
    const UPDATE: Option<&'static UpdateRule> = Some(&UpdateRule {
        form: UpdateForm::Option(EFFORT),
        profiles: &[""],
        effort: &["effort"],
        lowest: "",
        until: "",
        alone: false,
        behind_user: false,
    });
    const CARRIERS: Carriers = Carriers { signatures: SIGNATURES, ..Carriers::NONE };
    const MARKS: &'static MarkRule =
        &MarkRule { reads: &[MarkForm::Control, MarkForm::Point, MarkForm::Breakpoint], on_messages: true };
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[OPTIONS],
        part: &[OPTIONS, ("providerExecuted", ValueRule::Flag), ("dynamic", ValueRule::Flag)],
        inner: Some(&[OPTIONS]),
        // The results of `generateText` have it, but a message must not.
        reply_only: &["providerMetadata"],
        echoed: &[],
        assistant_blocks: "custom reasoning-file tool-approval-request",
        user_blocks: "tool-approval-response",
        among_results: "tool-approval-response",
        blocks: &[
            BlockRule { types: "compaction", needs: &[("text", ValueRule::Word)], may: &[] },
            BlockRule { types: "custom", needs: &[("kind", ValueRule::Word)], may: &[OPTIONS] },
            BlockRule {
                types: "reasoning-file",
                needs: &[("data", ValueRule::Any), ("mediaType", ValueRule::Word)],
                may: &[OPTIONS],
            },
            BlockRule {
                types: "tool-approval-request",
                needs: &[("approvalId", ValueRule::Word), ("toolCallId", ValueRule::Word)],
                may: &[],
            },
            BlockRule {
                types: "tool-approval-response",
                needs: &[("approvalId", ValueRule::Word), ("approved", ValueRule::Flag)],
                may: &[("reason", ValueRule::Word)],
            },
            BlockRule {
                types: "tool-call",
                needs: &[("toolCallId", ValueRule::Word), ("toolName", ValueRule::Word), ("input", ValueRule::Any)],
                may: &[OPTIONS],
            },
            BlockRule {
                types: "tool-result",
                needs: &[("toolCallId", ValueRule::Word), ("toolName", ValueRule::Word), ("output", ValueRule::Map)],
                may: &[OPTIONS],
            },
        ],
        any: false,
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Reply for AiSdk {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
