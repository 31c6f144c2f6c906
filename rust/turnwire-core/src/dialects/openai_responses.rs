//! OpenAI Responses: `{"instructions"?, "input": […] or text, "tools"?, "tool_choice"?}`, a flat list of items.

use self::keys as k;
use crate::{
    report::Severity,
    rules::{
        AnswerRule, Asked, CHAT, CallForm, Checks, CompactionRule, DeferredRule, ExtraKeys, Files, IdRule, JoinedTexts,
        LaterRule, LaterTools, Limits, MarkForm, MarkRule, Marks, MediaClass, MediaInResult, MediaRule, MessageId,
        Once, PartOrder, PlainDocument, PlainOutput, ReasoningRule, Rules, STORED_ELSEWHERE, ServedRule, Signs, Slot,
        Slots, Spelling, Spot, Tell, Thoughts, UpdateForm, UpdateRule, ValueRule, bound, carrier::Maker,
        limits::ToolRule,
    },
    value::Key,
};
mod answers;
mod block_rules;
mod end;
mod forms;
mod items;
mod keys;
mod read;
mod reasoning;
mod reply;
mod response;
mod served;
mod stream;
mod stream_out;
mod tell;
mod tools;
mod write;

pub(crate) struct OpenAiResponses;

/// Responses reference. By the servers' own error texts, a call's id has at most 64 characters and is unique, and
/// reasoning needs the item that follows it.
const LIMITS: Limits = Limits {
    // OpenAI answers requests with items whose keys are null, and with an empty list of tools. Azure refuses the former.
    no_tools: Severity::Info,
    lone_choice: Severity::Error,
    false_strict: Severity::Error,
    id: IdRule { max: 64, once: Once::InPayload, ..IdRule::ANY },
    free_text: true,
    tools_max: 128,
    tool: ToolRule::RESPONSES,
    media: MediaRule {
        documents: &[""],
        urls: &[MediaClass::Image, MediaClass::Document],
        files: Some(Files {
            holder: "openai",
            elsewhere: STORED_ELSEWHERE,
            classes: &[MediaClass::Image, MediaClass::Document],
            as_address: false,
        }),
        named: &[MediaClass::Document],
        detail: true,
        plain: PlainDocument::Text,
        ..CHAT.media
    },
    media_in_result: MediaInResult::Always,
    message_id: MessageId::Own,
    order: PartOrder::Apart,
    joined: JoinedTexts::System,
    reasoning: ReasoningRule::Replay,
    thoughts: Thoughts::Block,
    joins_assistant: true,
    binds_reasoning: Some("id"),
    marks: Some(Marks::BREAKPOINTS),
    checks_prefix: bound::gpt,
    later: LaterRule { text: true, tools: LaterTools::Item, ..LaterRule::NONE },
    ..CHAT
};

/// vLLM, SGLang, llama.cpp, Ollama and LM Studio, by their sources and error texts: "Encrypted content is not supported." (vLLM),
/// "Cannot determine type of 'item'" for a message without its type, and reasoning with content (llama.cpp).
const COMPATIBLE: Limits = Limits {
    free_text: false,
    reasoning: ReasoningRule::Text,
    typed_items: true,
    binds_reasoning: None,
    checks_prefix: bound::no_model,
    marks: None,
    later: LaterRule { text: true, tools: LaterTools::Listed, ..LaterRule::NONE },
    media: MediaRule { documents: &[], urls: &[MediaClass::Image], files: None, ..LIMITS.media },
    media_in_result: MediaInResult::Never,
    ..LIMITS
};

/// Responses reference: input items, their parts, flat tools.
const SIGNS: Signs = &[&[
    (Spot::Body, "input instructions previous_response_id conversation max_output_tokens tools tool_choice"),
    (Spot::Tool, "parameters"),
    (Spot::Mark, "call_id choice:auto choice:none choice:required"),
    (Spot::ProviderTool, "name"),
    (Spot::Head, "system"),
    (Spot::Key, "content call_id encrypted_content phase"),
    (Spot::Role, "system developer user assistant"),
    (
        Spot::Type,
        "message reasoning item_reference compaction compaction_trigger additional_tools configuration_update",
    ),
    (Spot::Type, "function_call function_call_output custom_tool_call custom_tool_call_output"),
    (Spot::Type, "web_search_call file_search_call image_generation_call code_interpreter_call"),
    (Spot::Type, "computer_call computer_call_output tool_search_call tool_search_output program program_output"),
    (Spot::Type, "local_shell_call local_shell_call_output shell_call shell_call_output"),
    (Spot::Type, "apply_patch_call apply_patch_call_output"),
    (Spot::Type, "mcp_call mcp_list_tools mcp_approval_request mcp_approval_response"),
    (Spot::Content, "text list"),
    (Spot::Block, "input_text input_image input_file output_text refusal"),
    (Spot::Block, "summary_text reasoning_text"),
]];

impl Rules for OpenAiResponses {
    const LIMITS_CHOICE: fn(&Limits) -> bool = |_| true;
    const MAKER: Option<Maker> = Some(Maker::OpenAi);
    const NAME: &'static str = "openai-responses";
    const PROVIDER: &'static str = "openai";
    const ENDPOINT: &'static str = "/responses";
    const SIGNS: Signs = SIGNS;
    const SAYS: &'static [&'static str] = &["content"];
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::INPUT)]),
        list_or_text: true,
        singles: false,
        system: Some(Slot(&[Spelling::at(&k::INSTRUCTIONS)])),
        tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
        choice: Some(Slot(&[Spelling::at(&k::TOOL_CHOICE)])),
        continues: &[&k::PREVIOUS_RESPONSE_ID, &k::CONVERSATION],
        beside_tools: &[],
    };
    const SERVED: &'static [ServedRule] = served::SERVED;
    const PLAIN_OUTPUTS: &'static [PlainOutput] = served::PLAIN_OUTPUTS;
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[
            ("caller", items::CALLER),
            ("id", ValueRule::Text(items::no_id)),
            ("namespace", ValueRule::Word),
            ("phase", items::PHASE),
            ("status", items::STATE),
        ],
        row: &[],
        part: &[
            ("acknowledged_safety_checks", ValueRule::Maybe(&block_rules::CHECKS)),
            ("annotations", ValueRule::ListOf(&ValueRule::Map)),
            ("async", ValueRule::Flag),
            ("caller", items::CALLER),
            ("detail", ValueRule::OneOf(&["low", "high", "auto", "original"])),
            ("environment", ValueRule::Maybe(&ValueRule::Map)),
            ("id", ValueRule::Text(items::no_id)),
            ("logprobs", ValueRule::ListOf(&ValueRule::Map)),
            ("max_output_length", block_rules::MAYBE_NUMBER),
            ("namespace", ValueRule::Word),
            ("pending_safety_checks", block_rules::CHECKS),
            ("prompt_cache_breakpoint", block_rules::BREAKPOINT),
            ("status", items::STATE),
        ],
        inner: None,
        tool: &[
            block_rules::CALLERS,
            ("async", ValueRule::Flag),
            ("defer_loading", ValueRule::Flag),
            ("format", ValueRule::Map),
            ("output_schema", ValueRule::Maybe(&ValueRule::Map)),
            ("strict", ValueRule::Maybe(&ValueRule::Flag)),
        ],
        most: None,
        assistant_blocks: "",
        user_blocks: "",
        among_results: "",
        system_blocks: "",
        members: &[],
        result_blocks: "",
        around: None,
        blocks: block_rules::ITEMS,
        tools: block_rules::TOOLS,
        beta: &[],
        carried: &[],
        two_spellings: false,
        any: false,
        reply_only: &["created_by", "parsed", "parsed_arguments"],
        echoed: &[],
    };
    const PROFILES: &'static [(&'static str, Limits)] = &[("", LIMITS), ("compatible", COMPATIBLE)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] = &[&[&k::OUTPUT, &k::OBJECT], &[&k::OUTPUT, &k::STATUS]];
    const ANSWERS: &'static [AnswerRule] = answers::ANSWERS;
    const MARKS: &'static MarkRule = &MarkRule { reads: &[MarkForm::Breakpoint], on_messages: false };
    const FORMS: &'static [CallForm] = &CallForm::ALL;
    /// <https://developers.openai.com/api/docs/guides/async-tool-calling>
    const WAITS: &'static str = "async";
    const SOLE_ANSWERS: bool = true;
    const UPDATE: Option<&'static UpdateRule> = Some(&UpdateRule {
        form: UpdateForm::Item("configuration_update"),
        profiles: &[""],
        effort: &["reasoning", "effort"],
        lowest: "",
        until: "",
        alone: true,
        behind_user: false,
    });
    /// The server's error text: "Missing namespace for function_call 'f'. It does not exist in the default namespace."
    const DEFERRED: Option<&'static DeferredRule> = Some(&DeferredRule {
        flag: "defer_loading",
        shown: ("tool_search_output", "tools"),
        added: "additional_tools",
        place: "namespace",
    });
    const TELL: Option<Tell> = Some(tell::elements);
    const SYSTEM_BINDS: Checks = bound::gpt_instructions;
    const REPLY_MESSAGE: &'static str = ".output";
    const REPLIES_IN_ITEMS: bool = true;
    /// If the caller asked for the compaction, the user's texts before it are kept.
    /// <https://developers.openai.com/api/docs/guides/compaction>
    const COMPACTION: Option<&'static CompactionRule> = Some(&CompactionRule {
        kind: "compaction",
        summary: None,
        covers_users: false,
        asked: Some(Asked::Last("input", "compaction_trigger")),
    });
}
