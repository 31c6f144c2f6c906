//! Describes the calls that a provider ran for the AI SDK, and what is readable of their results.

use crate::rules::{Named, Readable, ServedCall, ServedRule};

pub(super) const SERVED: &[ServedRule] = &[
    ServedRule {
        types: "tool-call",
        flag: "providerExecuted",
        under_type: false,
        id: "toolCallId",
        call: Some(ServedCall { name: Named::Key("toolName"), input: "input", keys: "" }),
        result: &[],
    },
    ServedRule {
        types: "tool-result",
        flag: "",
        under_type: false,
        id: "toolCallId",
        call: None,
        result: &[Readable { at: "output.value", fields: "text *" }, Readable { at: "output", fields: "reason" }],
    },
];
