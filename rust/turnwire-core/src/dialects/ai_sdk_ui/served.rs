//! Describes the calls that a provider ran for the AI SDK, and what is readable of their results.

use crate::rules::{Named, Readable, ServedCall, ServedRule};

pub(super) const SERVED: &[ServedRule] = &[
    ServedRule {
        types: "tool-*",
        flag: "providerExecuted",
        under_type: false,
        id: "toolCallId",
        call: Some(ServedCall { name: Named::Type("tool-", ""), input: "input", keys: "" }),
        result: &[Readable { at: "output", fields: "text *" }, Readable { at: "", fields: "errorText" }],
    },
    ServedRule {
        types: "dynamic-tool",
        flag: "providerExecuted",
        under_type: false,
        id: "toolCallId",
        call: Some(ServedCall { name: Named::Key("toolName"), input: "input", keys: "" }),
        result: &[Readable { at: "output", fields: "text *" }, Readable { at: "", fields: "errorText" }],
    },
];
