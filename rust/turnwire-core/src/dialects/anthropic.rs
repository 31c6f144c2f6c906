//! Anthropic Messages: `{"system"?, "messages": […], "tools"?, "tool_choice"?}`.

use self::keys as k;
use crate::{
    report::Severity,
    rules::{
        Alphabet, Asked, BLOCKS, CacheMark, CacheRule, ChangeRule, Chosen, CitationRule, CompactionRule, ExtraKeys,
        Family, IdRule, InTexts, LastWord, LaterRule, LaterTools, Limits, MarkForm, MarkRule, Marks, MediaClass,
        MediaInResult, MediaRule, NameRule, Needs, Once, PaperRule, PassageRule, PlainDocument, RanRule, ReasoningRule,
        ReferenceRule, Rules, ServedRule, SharedBlock, Signs, Slot, Slots, Spelling, Spot, SystemPlace, Tell,
        UpdateForm, UpdateRule, ValueRule, bound, limits::ToolRule, ran_rule::RemadeRule,
    },
    value::Key,
};
mod block_rules;
mod end;
mod keys;
mod needs;
mod read;
mod remade;
mod reply;
mod response;
mod served;
mod stream;
mod stream_out;
mod tell;
mod tools;
mod write;

pub(crate) struct Anthropic;

/// Messages API: the SDK's types, and what the server refuses beyond them. Current models take no assistant turn at the end.
const LIMITS: Limits = Limits {
    // Some models answer requests with a blank text before a call, and all of them one with an empty system text.
    blank_beside: Severity::Warning,
    blank_system: Severity::Info,
    id: IdRule {
        max: usize::MAX,
        exact: None,
        alphabet: Alphabet::WORD,
        optional: false,
        once: Once::InPayload,
        form: Severity::Error,
    },
    name: NameRule { max: 128, ..BLOCKS.name },
    tool: ToolRule::CLAUDE,
    media: MediaRule {
        documents: &["application/pdf"],
        urls: &[MediaClass::Image, MediaClass::Document],
        named: &[MediaClass::Document],
        in_texts: InTexts::WithImages,
        plain: PlainDocument::Document,
        ..BLOCKS.media
    },
    media_in_result: MediaInResult::UnlessFailed,
    marks: Some(Marks::anywhere(MarkForm::Control)),
    tools_required: true,
    checks_prefix: bound::claude,
    later: LaterRule { text: true, tools: LaterTools::Shown, models: bound::claude_later },
    ends_with_assistant: LastWord::OnServer,
    family: Family::Claude,
    prefill: true,
    ..BLOCKS
};

/// vLLM, SGLang, llama.cpp, Ollama, MiniMax, GLM and Kimi, by their sources and error texts: MiniMax refuses system text in the
/// list; unsigned thinking becomes the model's reasoning; Ollama takes images as base64 only.
const COMPATIBLE: Limits = Limits {
    system: SystemPlace::Beside,
    reasoning: ReasoningRule::Unsigned(None),
    checks_prefix: bound::no_model,
    later: LaterRule::NONE,
    family: Family::Any,
    media: MediaRule {
        documents: &[],
        urls: &[],
        plain: PlainDocument::Text,
        in_texts: InTexts::Nothing,
        ..LIMITS.media
    },
    beta_keys: false,
    ..LIMITS
};
/// DeepSeek's guide to its Messages: no images and no documents. V4 wants thinking back on every assistant turn, and refuses a forced
/// choice of tools while it thinks (9router#2397, DeepSeek-Reasonix#8902).
const DEEPSEEK: Limits = Limits {
    reasoning: ReasoningRule::Unsigned(Some(" ")),
    chooses_thinking: &[Chosen::Auto, Chosen::None],
    media: MediaRule { plain: PlainDocument::Text, ..MediaRule::NONE },
    media_in_result: MediaInResult::Never,
    ..COMPATIBLE
};

/// Messages reference, with the keys of a reply that is sent back unchanged. System text is beside the list or inside
/// it, but never its first element.
const SIGNS: Signs = &[&[
    (Spot::Body, "system messages tools tool_choice anthropic_version stop_sequences output_config mcp_servers"),
    (Spot::Tool, "input_schema"),
    (Spot::ProviderTool, "name"),
    (Spot::Key, "content stop_reason stop_sequence"),
    (Spot::Role, "system user assistant"),
    (Spot::Type, "message"),
    (Spot::Content, "text list"),
    (Spot::Block, "text image document search_result thinking redacted_thinking tool_use tool_result"),
    (Spot::Block, "server_tool_use web_search_tool_result web_fetch_tool_result code_execution_tool_result"),
    (Spot::Block, "advisor_tool_result"),
    (Spot::Block, "bash_code_execution_tool_result text_editor_code_execution_tool_result"),
    (
        Spot::Block,
        "tool_search_tool_result tool_reference mcp_tool_use mcp_tool_result mcp_tool_listing container_upload",
    ),
    (Spot::Block, "browser_state compaction fallback tool_addition tool_removal"),
    (Spot::Mark, "cache_control citations signature thinking:adaptive thinking:budget_tokens model:claude"),
    (Spot::Mark, "output_config clear_at"),
    (Spot::Text, "text"),
    (Spot::Source, "source"),
    (Spot::Result, "tool_use_id"),
]];

impl Rules for Anthropic {
    const NAME: &'static str = "anthropic";
    const PROVIDER: &'static str = "anthropic";
    const ENDPOINT: &'static str = "/messages";
    const SIGNS: Signs = SIGNS;
    const SLOTS: Slots = Slots {
        list: Slot(&[Spelling::at(&k::MESSAGES)]),
        list_or_text: false,
        singles: false,
        system: Some(Slot(&[Spelling::at(&k::SYSTEM)])),
        tools: Some(Slot(&[Spelling::at(&k::TOOLS)])),
        choice: Some(Slot(&[Spelling::at(&k::TOOL_CHOICE)])),
        continues: &[&k::THREAD],
        beside_tools: &[],
    };
    const SERVED: &'static [ServedRule] = served::SERVED;
    const KEYS: ExtraKeys = ExtraKeys {
        turn: &[],
        row: &[],
        part: &[
            ("cache_control", block_rules::CACHE),
            ("caller", ValueRule::Map),
            ("citations", ValueRule::Maybe(&ValueRule::Either(&[ValueRule::List, ValueRule::Map]))),
            ("context", ValueRule::Maybe(&ValueRule::Word)),
            ("toolset_name", ValueRule::Maybe(&ValueRule::Word)),
            ("transformations", ValueRule::Maybe(&ValueRule::Map)),
        ],
        inner: Some(&[]),
        tool: &[
            ("allowed_callers", ValueRule::List),
            ("cache_control", block_rules::CACHE),
            ("defer_loading", ValueRule::Flag),
            ("eager_input_streaming", ValueRule::Maybe(&ValueRule::Flag)),
            ("input_examples", ValueRule::List),
            ("strict", ValueRule::Flag),
        ],
        most: Some(("cache_control", 4)),
        assistant_blocks: "server_tool_use",
        user_blocks: "document search_result container_upload",
        among_results: "",
        system_blocks: "",
        members: &[],
        result_blocks: "",
        around: None,
        blocks: block_rules::BLOCKS,
        tools: block_rules::TOOLS,
        // The pages on tool use and prompt caching.
        beta: &[
            "allowed_callers",
            "caller",
            "clear_at",
            "defer_loading",
            "eager_input_streaming",
            "input_examples",
            "output_config",
            "toolset_name",
            "transformations",
        ],
        carried: &[],
        two_spellings: false,
        any: false,
        reply_only: &[
            "container",
            "context_management",
            "diagnostics",
            "id",
            "index",
            "model",
            "parsed_output",
            "stop_details",
            "stop_reason",
            "stop_sequence",
            "type",
            "usage",
        ],
        echoed: &[],
    };
    const SHARED: &'static [SharedBlock] = block_rules::SHARED;
    const CITES: Option<&'static CitationRule> = Some(&block_rules::CITES);
    const PAPER: Option<&'static PaperRule> = Some(&PaperRule { context: "context", keys: &["context", "citations"] });
    const PASSAGE: Option<&'static PassageRule> =
        Some(&PassageRule { name: "search_result", under_name: false, typed: true, of_family: false });
    const MARKS: &'static MarkRule = &MarkRule { reads: &[MarkForm::Control], on_messages: true };
    const CACHE: Option<&'static CacheRule> = Some(&CacheRule {
        mark: CacheMark::Key(&k::CACHE_CONTROL),
        kind: &k::EPHEMERAL,
        blocks: &["text", "image", "document", "search_result", "tool_use", "tool_result"],
        tool: &k::NAME,
        hidden: Some(&k::DEFER_LOADING),
        on_reasoning: false,
    });
    /// The server's error text: "unexpected `tool_use_id` found in `web_search_tool_result` blocks … Each … must have a
    /// corresponding `server_tool_use` block before it."
    const REMADE: Option<&'static RemadeRule> = Some(&remade::REMADE);
    const RAN: Option<&'static RanRule> = Some(&RanRule {
        call: "server_tool_use",
        results: "web_search_tool_result web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result \
                  text_editor_code_execution_tool_result tool_search_tool_result advisor_tool_result",
        answers: "tool_use_id",
        caller: ("caller", "tool_id"),
    });
    /// The server's error text: "Tool reference 'X' not found in available tools". Members of toolsets are not in the request.
    const REFERENCES: Option<&'static ReferenceRule> = Some(&ReferenceRule {
        block: "tool_reference",
        name: "tool_name",
        listed: ("tool_search_tool_result", ["content", "tool_references"]),
        brought: ("tool_definition", "definition"),
        changes: ChangeRule {
            blocks: ["tool_addition", "tool_removal"],
            key: "tool",
            named: ("tool_reference", "name"),
        },
        unnamed: "toolset",
        server: "mcp_servers",
    });
    const NEEDS: Option<&'static Needs> = Some(&needs::NEEDS);
    /// The docstring of its SDK: "A message with neither content nor output_config fields is rejected."
    const UPDATE: Option<&'static UpdateRule> = Some(&UpdateRule {
        form: UpdateForm::Key("output_config"),
        profiles: &["", "2023-06-01"],
        effort: &["effort"],
        lowest: "low",
        until: "clear_at",
        alone: false,
        behind_user: true,
    });
    const TELL: Option<Tell> = Some(tell::elements);
    /// The older API version accepts settings that the newest refuses.
    const PROFILES: &'static [(&'static str, Limits)] =
        &[("", LIMITS), ("2023-06-01", LIMITS), ("compatible", COMPATIBLE), ("deepseek", DEEPSEEK)];
    const REPLY_SIGNS: &'static [&'static [&'static Key]] =
        &[&[&k::ROLE, &k::CONTENT, &k::STOP_REASON], &[&k::TYPE, &k::ROLE, &k::CONTENT, &k::USAGE]];
    /// <https://platform.claude.com/docs/en/build-with-claude/compaction>
    const COMPACTION: Option<&'static CompactionRule> = Some(&CompactionRule {
        kind: "compaction",
        summary: Some("content"),
        covers_users: true,
        asked: Some(Asked::Key("compaction", "summarize")),
    });
}
