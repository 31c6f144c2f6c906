//! Describes the calls that OpenAI runs, and what is readable of their results.

use crate::rules::{Named, PlainOutput, Readable, ServedCall, ServedRule};

pub(super) const SERVED: &[ServedRule] = &[
    ServedRule {
        types: "web_search_call",
        flag: "",
        under_type: false,
        id: "",
        call: Some(ServedCall {
            name: Named::Type("", "_call"),
            input: "action",
            keys: "type query queries url pattern",
        }),
        result: &[Readable { at: "action.sources", fields: "title url" }],
    },
    ServedRule {
        types: "file_search_call",
        flag: "",
        under_type: false,
        id: "",
        call: Some(ServedCall { name: Named::Type("", "_call"), input: "", keys: "queries" }),
        result: &[Readable { at: "results", fields: "filename text" }],
    },
    ServedRule {
        types: "code_interpreter_call",
        flag: "",
        under_type: false,
        id: "",
        call: Some(ServedCall { name: Named::Type("", "_call"), input: "", keys: "code" }),
        result: &[Readable { at: "outputs", fields: "logs" }],
    },
    ServedRule {
        types: "mcp_call",
        flag: "",
        under_type: false,
        id: "",
        call: Some(ServedCall { name: Named::Key("name"), input: "arguments", keys: "" }),
        result: &[Readable { at: "", fields: "output error" }],
    },
    ServedRule {
        types: "shell_call",
        flag: "",
        under_type: false,
        id: "call_id",
        call: Some(ServedCall { name: Named::Type("", "_call"), input: "action", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "shell_call_output",
        flag: "",
        under_type: false,
        id: "call_id",
        call: None,
        result: &[Readable { at: "output", fields: "stdout stderr outcome.exit_code" }],
    },
];

/// What they have said. Nothing of it is signed.
pub(super) const PLAIN_OUTPUTS: &[PlainOutput] = &[
    PlainOutput { kind: "mcp_call", list: "", text: "output" },
    PlainOutput { kind: "code_interpreter_call", list: "outputs", text: "logs" },
    PlainOutput { kind: "file_search_call", list: "results", text: "text" },
];
