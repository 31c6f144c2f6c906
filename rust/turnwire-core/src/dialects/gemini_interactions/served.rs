//! Describes the calls that Google runs, and what is readable of their results.

use crate::rules::{Named, Readable, ServedCall, ServedRule};

pub(super) const SERVED: &[ServedRule] = &[
    ServedRule {
        types: "google_search_call code_execution_call url_context_call retrieval_call tool_search_call google_maps_call \
                file_search_call processing_call",
        flag: "",
        under_type: false,
        id: "id",
        call: Some(ServedCall { name: Named::Type("", "_call"), input: "arguments", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "mcp_server_tool_call",
        flag: "",
        under_type: false,
        id: "id",
        call: Some(ServedCall { name: Named::Key("name"), input: "arguments", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "google_search_result google_maps_result url_context_result file_search_result retrieval_result",
        flag: "",
        under_type: false,
        id: "call_id",
        call: None,
        result: &[Readable { at: "result", fields: "title name url status text" }],
    },
    ServedRule {
        types: "code_execution_result mcp_server_tool_result tool_search_result processing_result",
        flag: "",
        under_type: false,
        id: "call_id",
        call: None,
        result: &[Readable { at: "result", fields: "text *" }],
    },
];
