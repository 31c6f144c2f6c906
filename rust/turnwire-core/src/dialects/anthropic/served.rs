//! Describes the calls that Anthropic runs, and what is readable of their results.

use crate::rules::{Named, Readable, ServedCall, ServedRule};

const CALL: ServedCall = ServedCall { name: Named::Key("name"), input: "input", keys: "" };
const ID: &str = "tool_use_id";

pub(super) const SERVED: &[ServedRule] = &[
    ServedRule {
        types: "server_tool_use mcp_tool_use",
        flag: "",
        under_type: false,
        id: "id",
        call: Some(CALL),
        result: &[],
    },
    ServedRule {
        types: "web_search_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[Readable { at: "content", fields: "title url error_code" }],
    },
    ServedRule {
        types: "web_fetch_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[
            Readable { at: "content", fields: "content.title url error_code content.source@text.data" },
            Readable { at: "content.content.source.content", fields: "text" },
        ],
    },
    ServedRule {
        types: "code_execution_tool_result bash_code_execution_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[
            Readable { at: "content", fields: "stdout stderr return_code error_code" },
            // Files, which have only an id.
            Readable { at: "content.content", fields: "text" },
        ],
    },
    ServedRule {
        types: "text_editor_code_execution_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[
            Readable { at: "content", fields: "content error_code error_message" },
            Readable { at: "content.lines", fields: "text" },
        ],
    },
    ServedRule {
        types: "advisor_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[Readable { at: "content", fields: "text error_code" }],
    },
    ServedRule {
        types: "tool_search_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[
            Readable { at: "content.tool_references", fields: "tool_name" },
            Readable { at: "content", fields: "error_code" },
        ],
    },
    ServedRule {
        types: "mcp_tool_result",
        flag: "",
        under_type: false,
        id: ID,
        call: None,
        result: &[Readable { at: "content", fields: "text" }],
    },
];
