//! Describes the calls that Google runs, and what is readable of their results.

use crate::rules::{Named, Readable, ServedCall, ServedRule};

pub(super) const SERVED: &[ServedRule] = &[
    ServedRule {
        types: "executableCode executable_code",
        flag: "",
        under_type: true,
        id: "",
        call: Some(ServedCall { name: Named::Word("code_execution"), input: "", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "codeExecutionResult code_execution_result",
        flag: "",
        under_type: true,
        id: "",
        call: None,
        result: &[Readable { at: "", fields: "outcome!OUTCOME_OK output" }],
    },
    ServedRule {
        types: "toolCall",
        flag: "",
        under_type: true,
        id: "id",
        call: Some(ServedCall { name: Named::Key("toolType"), input: "args", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "tool_call",
        flag: "",
        under_type: true,
        id: "id",
        call: Some(ServedCall { name: Named::Key("tool_type"), input: "args", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "toolResponse tool_response",
        flag: "",
        under_type: true,
        id: "id",
        call: None,
        result: &[Readable { at: "response", fields: "*" }],
    },
];
