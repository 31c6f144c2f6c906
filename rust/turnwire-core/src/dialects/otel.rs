//! OpenTelemetry's GenAI messages: the requests in traces, `{"role", "parts"}` under `gen_ai.input.messages`.
//!
//! System text and tool definitions have separate attributes. It is stored, not sent.

use self::keys as k;
use crate::{
    rules::{
        ArgsForm, BlockRule, CHAT, ExtraKeys, IdRule, JsonPlace, Judged, Limits, MediaClass, MediaRule, MuteError,
        NameRule, Once, PartOrder, PlainDocument, ReasoningRule, ResultPlace, Rules, Signs, Slot, Slots, Spelling,
        Spot, TypedUrls, ValueRule,
    },
    value::Host,
    wire::{
        format::Reply,
        stream::{NoStream, NoWriter},
    },
};
mod keys;
mod media;
mod part;
mod read;
mod write;

pub(crate) struct Otel;

/// The schemas of OpenTelemetry's semantic conventions allow almost anything. If ids are missing, calls and results
/// pair by order.
const LIMITS: Limits = Limits {
    id: IdRule { optional: true, once: Once::InPayload, ..IdRule::ANY },
    name: NameRule::ANY,
    results: ResultPlace::OneTurn,
    results_in_call_order: true,
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
        plain: PlainDocument::Bytes,
        judged: Judged::Never,
        ..MediaRule::NONE
    },
    media_of_all: true,
    order: PartOrder::Free,
    chooses: &[],
    reasoning: ReasoningRule::Replay,
    joins_assistant: true,
    mute_error: MuteError::Kept,
    ..CHAT
};

/// The conventions' parts, and those that pydantic-ai wrote in 2025.
const SIGNS: Signs = &[&[
    (Spot::Body, "gen_ai.input.messages gen_ai.output.messages gen_ai.system_instructions gen_ai.tool.definitions"),
    (Spot::Key, "parts"),
    (Spot::Role, "system developer user assistant tool"),
    (Spot::Head, "system"),
    (Spot::Block, "text reasoning thinking tool_call tool_call_response server_tool_call server_tool_call_response"),
    (Spot::Block, "compaction blob file uri binary image-url audio-url video-url document-url refusal"),
    (Spot::Text, "content"),
]];

const ID_OR_NULL: (&str, ValueRule) = ("id", ValueRule::Maybe(&ValueRule::Word));

impl Rules for Otel {
    const NAME: &'static str = "otel";
    const STORED: bool = true;
    const SIGNS: Signs = SIGNS;
    /// Instrumentations record content only if they are told to.
    const RECORDED: &'static [&'static str] = &["arguments", "response", "result"];
    const SLOTS: Slots = Slots {
        // The model's output is a list of choices and not part of the request, so it is read only if it is alone.
        list: Slot(&[Spelling::at(&k::INPUT_MESSAGES), Spelling::at(&k::OUTPUT_MESSAGES)]),
        list_or_text: false,
        singles: false,
        system: Some(Slot(&[Spelling::at(&k::SYSTEM_INSTRUCTIONS)])),
        tools: Some(Slot(&[Spelling::at(&k::TOOL_DEFINITIONS)])),
        choice: None,
        continues: &[],
        beside_tools: &[],
    };
    const KEYS: ExtraKeys = ExtraKeys {
        assistant_blocks: "server_tool_call server_tool_call_response compaction",
        blocks: &[
            BlockRule {
                types: "server_tool_call",
                needs: &[("name", ValueRule::Word), ("server_tool_call", ValueRule::Map)],
                may: &[ID_OR_NULL],
            },
            BlockRule {
                types: "server_tool_call_response",
                needs: &[("server_tool_call_response", ValueRule::Map)],
                may: &[ID_OR_NULL],
            },
            BlockRule {
                types: "compaction",
                needs: &[],
                may: &[ID_OR_NULL, ("content", ValueRule::Maybe(&ValueRule::Word))],
            },
        ],
        any: true,
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
}

impl Reply for Otel {
    type Stream<H: Host> = NoStream<H>;
    type Out<H: Host> = NoWriter<H>;
}
