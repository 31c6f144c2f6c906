//! What the Messages API's blocks and tools hold that only the provider runs: its SDK's types.

use crate::rules::{
    block_rule::Shape,
    value_rule::{KeyRule, KeyValue},
};

const TEXT: KeyValue = KeyValue::Word;
/// A mark for the prompt cache.
pub(super) const CACHE: KeyValue = KeyValue::Maybe(&KeyValue::Fields(
    &[("type", KeyValue::OneOf(&["ephemeral"]))],
    &[("ttl", KeyValue::OneOf(&["5m", "1h"]))],
));
const CALL: &[KeyRule] = &[("id", TEXT), ("name", TEXT), ("input", KeyValue::Map)];
/// What a result says is an object of some type, and its own business.
const SAID: &[KeyRule] = &[("tool_use_id", TEXT), ("content", KeyValue::Shaped(OUTCOMES))];
const FILES: KeyValue = KeyValue::ListOf(&KeyValue::Fields(
    &[("type", KeyValue::OneOf(&["code_execution_output", "bash_code_execution_output"])), ("file_id", TEXT)],
    &[],
));
const RAN: &[KeyRule] = &[("return_code", KeyValue::Number), ("stdout", TEXT), ("stderr", TEXT), ("content", FILES)];
const MAYBE_TEXT: KeyValue = KeyValue::Maybe(&TEXT);
/// Where a document is from.
const SOURCE: KeyValue = KeyValue::Shaped(&[
    Shape {
        types: "base64",
        needs: &[("data", TEXT), ("media_type", KeyValue::OneOf(&["application/pdf"]))],
        may: &[],
    },
    Shape { types: "text", needs: &[("data", TEXT), ("media_type", KeyValue::OneOf(&["text/plain"]))], may: &[] },
    Shape {
        types: "content",
        needs: &[("content", KeyValue::Either(&[TEXT, KeyValue::ListOf(&KeyValue::Map)]))],
        may: &[],
    },
    Shape { types: "url", needs: &[("url", TEXT)], may: &[] },
    Shape { types: "file", needs: &[("file_id", TEXT)], may: &[] },
]);
/// What was fetched.
const DOCUMENT: KeyValue = KeyValue::Fields(
    &[("type", KeyValue::OneOf(&["document"])), ("source", SOURCE)],
    &[
        ("cache_control", CACHE),
        ("citations", KeyValue::Maybe(&KeyValue::Fields(&[], &[("enabled", KeyValue::Flag)]))),
        ("context", MAYBE_TEXT),
        ("title", MAYBE_TEXT),
    ],
);
/// What a search has found.
const HIT: KeyValue = KeyValue::Fields(
    &[("type", KeyValue::OneOf(&["web_search_result"])), ("encrypted_content", TEXT), ("title", TEXT), ("url", TEXT)],
    &[("page_age", MAYBE_TEXT)],
);
/// A text of what is searched.
const PASSAGE: KeyValue =
    KeyValue::Fields(&[("type", KeyValue::OneOf(&["text"])), ("text", TEXT)], &[("cache_control", CACHE)]);
const FAILED: &[KeyRule] = &[("error_code", TEXT)];
/// The outcomes of what the provider ran, by their types.
const OUTCOMES: &[Shape] = &[
    Shape { types: "code_execution_result bash_code_execution_result", needs: RAN, may: &[] },
    Shape {
        types: "text_editor_code_execution_view_result",
        needs: &[("content", TEXT), ("file_type", TEXT)],
        may: &[],
    },
    Shape { types: "text_editor_code_execution_create_result", needs: &[("is_file_update", KeyValue::Flag)], may: &[] },
    Shape {
        types: "encrypted_code_execution_result",
        needs: &[("return_code", KeyValue::Number), ("encrypted_stdout", TEXT), ("stderr", TEXT), ("content", FILES)],
        may: &[],
    },
    Shape {
        types: "web_fetch_result",
        needs: &[("url", TEXT), ("content", DOCUMENT)],
        may: &[("retrieved_at", MAYBE_TEXT)],
    },
    Shape {
        types: "tool_search_tool_search_result",
        needs: &[(
            "tool_references",
            KeyValue::ListOf(&KeyValue::Fields(
                &[("type", KeyValue::OneOf(&["tool_reference"])), ("tool_name", TEXT)],
                &[],
            )),
        )],
        may: &[],
    },
    Shape {
        types: "web_fetch_tool_result_error code_execution_tool_result_error bash_code_execution_tool_result_error \
                text_editor_code_execution_tool_result_error tool_search_tool_result_error advisor_tool_result_error",
        needs: FAILED,
        may: &[],
    },
];

/// Marks and the like, which any block may have, are judged as keys of a part: they can go alone.
pub(super) const BLOCKS: &[Shape] = &[
    Shape { types: "server_tool_use", needs: CALL, may: &[] },
    Shape {
        types: "mcp_tool_use",
        needs: &[("id", TEXT), ("name", TEXT), ("input", KeyValue::Map), ("server_name", TEXT)],
        may: &[],
    },
    Shape {
        types: "web_search_tool_result",
        needs: &[
            ("tool_use_id", TEXT),
            ("content", KeyValue::Either(&[KeyValue::ListOf(&HIT), KeyValue::Fields(FAILED, &[])])),
        ],
        may: &[],
    },
    Shape {
        types: "web_fetch_tool_result advisor_tool_result code_execution_tool_result bash_code_execution_tool_result \
                text_editor_code_execution_tool_result tool_search_tool_result",
        needs: SAID,
        may: &[],
    },
    Shape {
        types: "mcp_tool_result",
        needs: &[("tool_use_id", TEXT)],
        may: &[("content", KeyValue::Either(&[TEXT, KeyValue::List])), ("is_error", KeyValue::Flag)],
    },
    Shape { types: "container_upload", needs: &[("file_id", TEXT)], may: &[] },
    Shape { types: "tool_reference", needs: &[("tool_name", TEXT)], may: &[] },
    Shape {
        types: "search_result",
        needs: &[("source", TEXT), ("title", TEXT), ("content", KeyValue::ListOf(&PASSAGE))],
        may: &[],
    },
    Shape { types: "redacted_thinking", needs: &[("data", TEXT)], may: &[] },
];

const NAMES: KeyValue = KeyValue::Maybe(&KeyValue::ListOf(&TEXT));
const COUNT: KeyValue = KeyValue::Maybe(&KeyValue::Count);
/// What any tool of the provider's may say of itself.
const OF_TOOL: &[KeyRule] = &[
    ("allowed_callers", KeyValue::List),
    ("allowed_domains", NAMES),
    ("blocked_domains", NAMES),
    ("cache_control", CACHE),
    ("caching", KeyValue::Maybe(&KeyValue::Map)),
    ("citations", KeyValue::Maybe(&KeyValue::Map)),
    ("configs", KeyValue::Maybe(&KeyValue::Map)),
    ("default_config", KeyValue::Map),
    ("defer_loading", KeyValue::Flag),
    ("display_number", COUNT),
    ("enable_zoom", KeyValue::Flag),
    ("input_examples", KeyValue::List),
    ("max_characters", COUNT),
    ("max_content_tokens", COUNT),
    ("max_tokens", COUNT),
    ("max_uses", COUNT),
    ("response_inclusion", TEXT),
    ("strict", KeyValue::Flag),
    ("tools", KeyValue::Maybe(&KeyValue::List)),
    ("url_sources", KeyValue::Maybe(&KeyValue::Map)),
    ("use_cache", KeyValue::Flag),
    ("user_location", KeyValue::Maybe(&KeyValue::Fields(&[("type", KeyValue::OneOf(&["approximate"]))], &[]))),
];

pub(super) const TOOLS: &[Shape] = &[
    Shape { types: "computer_toolset_ browser_toolset_", needs: &[], may: OF_TOOL },
    Shape { types: "mcp_toolset", needs: &[("mcp_server_name", TEXT)], may: OF_TOOL },
    Shape {
        types: "computer_",
        needs: &[
            ("name", KeyValue::OneOf(&["computer"])),
            ("display_width_px", KeyValue::Count),
            ("display_height_px", KeyValue::Count),
        ],
        may: OF_TOOL,
    },
    Shape { types: "bash_", needs: &[("name", KeyValue::OneOf(&["bash"]))], may: OF_TOOL },
    Shape {
        types: "text_editor_",
        needs: &[("name", KeyValue::OneOf(&["str_replace_editor", "str_replace_based_edit_tool"]))],
        may: OF_TOOL,
    },
    Shape { types: "memory_", needs: &[("name", KeyValue::OneOf(&["memory"]))], may: OF_TOOL },
    Shape { types: "code_execution_", needs: &[("name", KeyValue::OneOf(&["code_execution"]))], may: OF_TOOL },
    Shape { types: "web_search_", needs: &[("name", KeyValue::OneOf(&["web_search"]))], may: OF_TOOL },
    Shape { types: "web_fetch_", needs: &[("name", KeyValue::OneOf(&["web_fetch"]))], may: OF_TOOL },
    Shape { types: "advisor_", needs: &[("name", KeyValue::OneOf(&["advisor"])), ("model", TEXT)], may: OF_TOOL },
    Shape {
        types: "tool_search_tool_bm25 tool_search_tool_bm25_",
        needs: &[("name", KeyValue::OneOf(&["tool_search_tool_bm25"]))],
        may: OF_TOOL,
    },
    Shape {
        types: "tool_search_tool_regex tool_search_tool_regex_",
        needs: &[("name", KeyValue::OneOf(&["tool_search_tool_regex"]))],
        may: OF_TOOL,
    },
];
