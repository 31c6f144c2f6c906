//! Gemini Interactions: `{"system_instruction"?, "input": […] or text, "tools"?}`, a flat list of steps.
//!
//! The input may also be one content or a list of contents, all of them the user's.

use self::block_rules::SIGNED;
use self::keys as k;
use super::gemini;
use crate::{
    rules::{
        Alphabet, ArgsForm, CHAT, ExtraKeys, IdRule, JoinedTexts, JsonPlace, LastWord, Limits, MediaInResult,
        MediaRule, NameRule, Once, PartOrder, ReasoningRule, Rules, ServedRule, Signs, Slot, Slots, Spelling, Spot,
        SystemPlace, Thoughts, TypedUrls, ValueRule,
    },
    value::Key,
};
mod block_rules;
mod end;
mod keys;
mod read;
mod reply;
mod response;
mod served;
mod stream;
mod stream_out;
mod tools;
mod write;

pub(crate) struct GeminiInteractions;

/// The SDK's types and the Interactions guide. Names, media and schemas are those of generateContent, which the same
/// servers run. No source says how they treat empty text, so it is written as for generateContent.
const LIMITS: Limits = Limits {
    id: IdRule { once: Once::InPayload, ..IdRule::ANY },
    name: NameRule { max: 128, alphabet: &Alphabet::of(b"_.:-"), first: Alphabet::FIRST },
    error_flag: true,
    blank_text: false,
    ends_with_assistant: LastWord::NotAssistant,
    args: ArgsForm::Object,
    json: JsonPlace::ObjectAsResult,
    media: MediaRule { typed_urls: TypedUrls::Optional, named: &[], ..gemini::MEDIA },
    media_in_result: MediaInResult::Always,
    media_of_all: true,
    order: PartOrder::Free,
    joined: JoinedTexts::System,
    system: SystemPlace::Top,
    reasoning: ReasoningRule::Replay,
    thoughts: Thoughts::Block,
    joins_assistant: true,
    ..CHAT
};

/// The SDK's 23 steps, their contents, and the keys of a request.
const SIGNS: Signs = &[&[
    (Spot::Body, "input system_instruction generation_config previous_interaction_id continuation_token"),
    (Spot::Body, "response_modalities agent_config tools"),
    (Spot::Tool, "parameters"),
    (Spot::ProviderTool, "name"),
    (Spot::Key, "content call_id text"),
    (Spot::Type, "user_input model_output thought function_call function_result"),
    (Spot::Type, "code_execution_call code_execution_result google_search_call google_search_result"),
    (Spot::Type, "google_maps_call google_maps_result url_context_call url_context_result"),
    (Spot::Type, "file_search_call file_search_result retrieval_call retrieval_result"),
    (Spot::Type, "processing_call processing_result mcp_server_tool_call mcp_server_tool_result"),
    (Spot::Type, "tool_search_call tool_search_result"),
    (Spot::Type, "text image audio video document"),
    (Spot::Content, "list"),
    (Spot::Block, "text image audio video document function"),
    (Spot::Source, "none"),
    (Spot::Text, "text annotations"),
]];

impl Rules for GeminiInteractions {
    const LIMITS_CHOICE: fn(&Limits) -> bool = |_| true;
    const NAME: &'static str = "gemini-interactions";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = &["content"];
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::INPUT)]),
        list_or_text: true,
        singles: true,
        system: Some(Slot(&[Spelling::at(&k::SYSTEM_INSTRUCTION)])),
        tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
        choice: Some(Slot(&[Spelling::among_settings(
            &k::GENERATION_CONFIG,
            &k::TOOL_CHOICE,
            "generation_config.tool_choice",
        )])),
        continues: &[&k::PREVIOUS_INTERACTION_ID, &k::CONTINUATION_TOKEN],
        beside_tools: &[],
    };
    const SERVED: &'static [ServedRule] = served::SERVED;
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[("error", ValueRule::Map)],
        part: &[
            ("annotations", ValueRule::ListOf(&ValueRule::Map)),
            ("channels", ValueRule::Count),
            ("is_error", ValueRule::Maybe(&ValueRule::Flag)),
            ("name", ValueRule::Word),
            ("processing", ValueRule::Map),
            ("resolution", ValueRule::OneOf(&["low", "medium", "high", "ultra_high"])),
            ("sample_rate", ValueRule::Count),
            SIGNED,
        ],
        tool: &[("defer_loading", ValueRule::Flag), ("short_description", ValueRule::Word)],
        blocks: block_rules::STEPS,
        tools: block_rules::TOOLS,
        any: false,
        ..ExtraKeys::ANY
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&k::STEPS, &k::STATUS], &[&k::OUTPUTS, &k::STATUS]];
    const REPLY_MESSAGE: &'static str = ".steps";
    const REPLIES_IN_ITEMS: bool = true;
}
