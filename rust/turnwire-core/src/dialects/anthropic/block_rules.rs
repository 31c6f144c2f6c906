//! Describes the provider-run blocks and tools of the Messages API, by its SDK's types.

use crate::rules::{BlockRule, CitationRule, KeyRule, Shared, SharedBlock, ValueRule, carrier::CLAUDE};

const TEXT: ValueRule = ValueRule::Word;
/// A mark for the prompt cache.
pub(super) const CACHE: ValueRule = ValueRule::Maybe(&ValueRule::Fields(
    &[("type", ValueRule::OneOf(&["ephemeral"]))],
    &[("ttl", ValueRule::OneOf(&["5m", "1h"]))],
));
const CALL: &[KeyRule] = &[("id", TEXT), ("name", TEXT), ("input", ValueRule::Map)];
/// The content of a result is an object with a type; its other keys are not checked.
const SAID: &[KeyRule] = &[("tool_use_id", TEXT), ("content", ValueRule::Shaped(OUTCOMES))];
const FILES: ValueRule = ValueRule::ListOf(&ValueRule::Fields(
    &[("type", ValueRule::OneOf(&["code_execution_output", "bash_code_execution_output"])), ("file_id", TEXT)],
    &[],
));
const RAN: &[KeyRule] = &[("return_code", ValueRule::Number), ("stdout", TEXT), ("stderr", TEXT), ("content", FILES)];
const MAYBE_TEXT: ValueRule = ValueRule::Maybe(&TEXT);
/// The source of a document.
const SOURCE: ValueRule = ValueRule::Shaped(&[
    BlockRule {
        types: "base64",
        needs: &[("data", TEXT), ("media_type", ValueRule::OneOf(&["application/pdf"]))],
        may: &[],
    },
    BlockRule { types: "text", needs: &[("data", TEXT), ("media_type", ValueRule::OneOf(&["text/plain"]))], may: &[] },
    BlockRule {
        types: "content",
        needs: &[("content", ValueRule::Either(&[TEXT, ValueRule::ListOf(&ValueRule::Map)]))],
        may: &[],
    },
    BlockRule { types: "url", needs: &[("url", TEXT)], may: &[] },
    BlockRule { types: "file", needs: &[("file_id", TEXT)], may: &[] },
]);
/// A fetched document.
const DOCUMENT: ValueRule = ValueRule::Fields(
    &[("type", ValueRule::OneOf(&["document"])), ("source", SOURCE)],
    &[
        ("cache_control", CACHE),
        ("citations", ValueRule::Maybe(&ValueRule::Fields(&[], &[("enabled", ValueRule::Flag)]))),
        ("context", MAYBE_TEXT),
        ("title", MAYBE_TEXT),
    ],
);
/// A search hit.
const HIT: ValueRule = ValueRule::Fields(
    &[("type", ValueRule::OneOf(&["web_search_result"])), ("encrypted_content", TEXT), ("title", TEXT), ("url", TEXT)],
    &[("page_age", MAYBE_TEXT)],
);
/// A text to be searched.
const PASSAGE: ValueRule =
    ValueRule::Fields(&[("type", ValueRule::OneOf(&["text"])), ("text", TEXT)], &[("cache_control", CACHE)]);
const FAILED: &[KeyRule] = &[("error_code", TEXT)];
/// The results of provider-run tools, by their types.
const OUTCOMES: &[BlockRule] = &[
    BlockRule { types: "code_execution_result bash_code_execution_result", needs: RAN, may: &[] },
    BlockRule {
        types: "text_editor_code_execution_view_result",
        needs: &[("content", TEXT), ("file_type", TEXT)],
        may: &[],
    },
    BlockRule {
        types: "text_editor_code_execution_create_result",
        needs: &[("is_file_update", ValueRule::Flag)],
        may: &[],
    },
    BlockRule {
        types: "encrypted_code_execution_result",
        needs: &[("return_code", ValueRule::Number), ("encrypted_stdout", TEXT), ("stderr", TEXT), ("content", FILES)],
        may: &[],
    },
    BlockRule {
        types: "web_fetch_result",
        needs: &[("url", TEXT), ("content", DOCUMENT)],
        may: &[("retrieved_at", MAYBE_TEXT)],
    },
    BlockRule {
        types: "tool_search_tool_search_result",
        needs: &[(
            "tool_references",
            ValueRule::ListOf(&ValueRule::Fields(
                &[("type", ValueRule::OneOf(&["tool_reference"])), ("tool_name", TEXT)],
                &[],
            )),
        )],
        may: &[],
    },
    BlockRule {
        types: "web_fetch_tool_result_error code_execution_tool_result_error bash_code_execution_tool_result_error \
                text_editor_code_execution_tool_result_error tool_search_tool_result_error advisor_tool_result_error",
        needs: FAILED,
        may: &[],
    },
];

/// Keys that any block may have, such as cache marks, are checked as keys of a part, so that they can be dropped alone.
pub(super) const BLOCKS: &[BlockRule] = &[
    BlockRule { types: "server_tool_use", needs: CALL, may: &[] },
    BlockRule {
        types: "mcp_tool_use",
        needs: &[("id", TEXT), ("name", TEXT), ("input", ValueRule::Map), ("server_name", TEXT)],
        may: &[],
    },
    BlockRule {
        types: "web_search_tool_result",
        needs: &[
            ("tool_use_id", TEXT),
            ("content", ValueRule::Either(&[ValueRule::ListOf(&HIT), ValueRule::Fields(FAILED, &[])])),
        ],
        may: &[],
    },
    BlockRule {
        types: "web_fetch_tool_result advisor_tool_result code_execution_tool_result bash_code_execution_tool_result \
                text_editor_code_execution_tool_result tool_search_tool_result",
        needs: SAID,
        may: &[],
    },
    BlockRule {
        types: "mcp_tool_result",
        needs: &[("tool_use_id", TEXT)],
        may: &[("content", ValueRule::Either(&[TEXT, ValueRule::List])), ("is_error", ValueRule::Flag)],
    },
    BlockRule { types: "container_upload", needs: &[("file_id", TEXT)], may: &[] },
    BlockRule { types: "tool_reference", needs: &[("tool_name", TEXT)], may: &[] },
    BlockRule {
        types: "search_result",
        needs: &[("source", TEXT), ("title", TEXT), ("content", ValueRule::ListOf(&PASSAGE))],
        may: &[],
    },
    BlockRule { types: "redacted_thinking", needs: &[("data", TEXT)], may: &[] },
    BlockRule {
        types: "compaction",
        needs: &[],
        may: &[
            // The summary; a compaction without one has failed.
            ("content", ValueRule::Maybe(&ValueRule::Text(|text| !text.is_empty()))),
            ("encrypted_content", MAYBE_TEXT),
            ("signature", MAYBE_TEXT),
            ("tool_changes", ValueRule::Maybe(&ValueRule::ListOf(&ValueRule::Shaped(TOOL_CHANGES)))),
        ],
    },
    // A boundary between two models, without content.
    BlockRule { types: "fallback", needs: &[("from", MODEL), ("to", MODEL)], may: &[] },
    BlockRule {
        types: "mcp_tool_listing",
        needs: &[("mcp_server_name", TEXT), ("tools", ValueRule::ListOf(&ValueRule::Map))],
        may: &[],
    },
    BlockRule { types: "tool_addition", needs: &[("tool", ValueRule::Shaped(ADDED))], may: &[] },
    BlockRule { types: "tool_removal", needs: &[("tool", ValueRule::Shaped(REFERENCES))], may: &[] },
    BlockRule {
        types: "browser_state",
        needs: &[("tabs", ValueRule::ListOf(&TAB))],
        may: &[("state_changes", ValueRule::Maybe(&ValueRule::SomeOf(&ValueRule::Map)))],
    },
];

const MODEL: ValueRule = ValueRule::Fields(&[("model", TEXT)], &[]);
const TAB: ValueRule =
    ValueRule::Fields(&[("tab_id", TEXT), ("title", TEXT), ("url", TEXT)], &[("active", ValueRule::Flag)]);
/// A tool that is declared elsewhere: one tool, one of a server, or all of a server.
const REFERENCE: BlockRule = BlockRule { types: "tool_reference", needs: &[("name", TEXT)], may: &[] };
const OF_SERVER: BlockRule =
    BlockRule { types: "mcp_tool_reference", needs: &[("server_name", TEXT), ("name", TEXT)], may: &[] };
const SET: BlockRule = BlockRule { types: "mcp_toolset_reference", needs: &[("server_name", TEXT)], may: &[] };
const REFERENCES: &[BlockRule] = &[REFERENCE, OF_SERVER, SET];
/// A tool that can be added, also as its whole definition.
const ADDED: &[BlockRule] = &[
    REFERENCE,
    OF_SERVER,
    SET,
    BlockRule { types: "tool_definition", needs: &[("definition", ValueRule::Map)], may: &[] },
];
/// Additions and removals, as a compaction lists them.
const TOOL_CHANGES: &[BlockRule] = &[
    BlockRule { types: "tool_addition", needs: &[("tool", ValueRule::Shaped(ADDED))], may: &[] },
    BlockRule { types: "tool_removal", needs: &[("tool", ValueRule::Shaped(REFERENCES))], may: &[] },
];

const NAMES: ValueRule = ValueRule::Maybe(&ValueRule::ListOf(&TEXT));
const COUNT: ValueRule = ValueRule::Maybe(&ValueRule::Count);
/// Keys of every provider-run tool.
const OF_TOOL: &[KeyRule] = &[
    ("allowed_callers", ValueRule::List),
    ("allowed_domains", NAMES),
    ("blocked_domains", NAMES),
    ("cache_control", CACHE),
    ("caching", ValueRule::Maybe(&ValueRule::Map)),
    ("citations", ValueRule::Maybe(&ValueRule::Map)),
    ("configs", ValueRule::Maybe(&ValueRule::Map)),
    ("default_config", ValueRule::Map),
    ("defer_loading", ValueRule::Flag),
    ("display_number", COUNT),
    ("enable_zoom", ValueRule::Flag),
    ("input_examples", ValueRule::List),
    ("max_characters", COUNT),
    ("max_content_tokens", COUNT),
    ("max_tokens", COUNT),
    ("max_uses", COUNT),
    ("response_inclusion", TEXT),
    ("strict", ValueRule::Flag),
    ("tools", ValueRule::Maybe(&ValueRule::List)),
    ("url_sources", ValueRule::Maybe(&ValueRule::Map)),
    ("use_cache", ValueRule::Flag),
    ("user_location", ValueRule::Maybe(&ValueRule::Fields(&[("type", ValueRule::OneOf(&["approximate"]))], &[]))),
];

pub(super) const TOOLS: &[BlockRule] = &[
    BlockRule { types: "computer_toolset_ browser_toolset_", needs: &[], may: OF_TOOL },
    BlockRule { types: "mcp_toolset", needs: &[("mcp_server_name", TEXT)], may: OF_TOOL },
    BlockRule {
        types: "computer_",
        needs: &[
            ("name", ValueRule::OneOf(&["computer"])),
            ("display_width_px", ValueRule::Count),
            ("display_height_px", ValueRule::Count),
        ],
        may: OF_TOOL,
    },
    BlockRule { types: "bash_", needs: &[("name", ValueRule::OneOf(&["bash"]))], may: OF_TOOL },
    BlockRule {
        types: "text_editor_",
        needs: &[("name", ValueRule::OneOf(&["str_replace_editor", "str_replace_based_edit_tool"]))],
        may: OF_TOOL,
    },
    BlockRule { types: "memory_", needs: &[("name", ValueRule::OneOf(&["memory"]))], may: OF_TOOL },
    BlockRule { types: "code_execution_", needs: &[("name", ValueRule::OneOf(&["code_execution"]))], may: OF_TOOL },
    BlockRule { types: "web_search_", needs: &[("name", ValueRule::OneOf(&["web_search"]))], may: OF_TOOL },
    BlockRule { types: "web_fetch_", needs: &[("name", ValueRule::OneOf(&["web_fetch"]))], may: OF_TOOL },
    BlockRule { types: "advisor_", needs: &[("name", ValueRule::OneOf(&["advisor"])), ("model", TEXT)], may: OF_TOOL },
    BlockRule {
        types: "tool_search_tool_bm25 tool_search_tool_bm25_",
        needs: &[("name", ValueRule::OneOf(&["tool_search_tool_bm25"]))],
        may: OF_TOOL,
    },
    BlockRule {
        types: "tool_search_tool_regex tool_search_tool_regex_",
        needs: &[("name", ValueRule::OneOf(&["tool_search_tool_regex"]))],
        may: OF_TOOL,
    },
];

const REFERRED: &[(&str, &str)] = &[("type", "type"), ("name", "name"), ("server", "server_name")];
/// Claude's blocks that Converse has too.
pub(super) const SHARED: &[SharedBlock] = &[
    CLAUDE[0],
    CLAUDE[1],
    SharedBlock {
        what: Shared::ToolAddition,
        kind: "tool_addition",
        under: &["tool"],
        fields: REFERRED,
        needs: 1,
        coded: false,
    },
    SharedBlock {
        what: Shared::ToolRemoval,
        kind: "tool_removal",
        under: &["tool"],
        fields: REFERRED,
        needs: 1,
        coded: false,
    },
];

/// Places in a cited document.
pub(super) const CITES: CitationRule = CitationRule {
    nested: false,
    places: [
        ("char_location", ["document_index", "start_char_index", "end_char_index"]),
        ("page_location", ["document_index", "start_page_number", "end_page_number"]),
        ("content_block_location", ["document_index", "start_block_index", "end_block_index"]),
    ],
    found: ("search_result_location", "search_result_index"),
    key: "citations",
    web: "web_search_result_location",
    makes_web: false,
    reply_only: &["file_id"],
    // The page on moving to the API version of 2026-10-21.
    only_of_assistant: &[""],
};
