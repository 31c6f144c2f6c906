//! Lists the items that ask the client for something, and the items that answer them.

use crate::rules::{AnswerRule, Open};

const BY_CALL_ID: &[(&str, &str)] = &[("call_id", "call_id")];

pub(super) const ANSWERS: &[AnswerRule] = &[
    AnswerRule {
        call: "tool_search_call",
        result: "tool_search_output",
        names: BY_CALL_ID,
        hosted: Some((&["execution"], "server")),
        open: Open::Answered("tool_search_output", r#""execution":"client","status":"completed","tools":[]"#),
    },
    AnswerRule {
        call: "shell_call",
        result: "shell_call_output",
        names: BY_CALL_ID,
        hosted: Some((&["environment", "type"], "container_reference")),
        open: Open::Answered(
            "shell_call_output",
            r#""output":[{"stdout":"","stderr":$,"outcome":{"type":"exit","exit_code":1}}]"#,
        ),
    },
    // The SDK's type of the answer knows no `call_id`. OpenAI's guide and other SDKs send it.
    AnswerRule {
        call: "local_shell_call",
        result: "local_shell_call_output",
        names: &[("call_id", "call_id"), ("id", "call_id"), ("id", "id")],
        hosted: None,
        open: Open::Answered("function_call_output", r#""output":$"#),
    },
    AnswerRule {
        call: "apply_patch_call",
        result: "apply_patch_call_output",
        names: BY_CALL_ID,
        hosted: None,
        open: Open::Answered("apply_patch_call_output", r#""status":"failed","output":$"#),
    },
    // The answer is a screenshot, which nobody can make up.
    AnswerRule {
        call: "computer_call",
        result: "computer_call_output",
        names: BY_CALL_ID,
        hosted: None,
        open: Open::Goes,
    },
    AnswerRule {
        call: "mcp_approval_request",
        result: "mcp_approval_response",
        names: &[("approval_request_id", "id")],
        hosted: None,
        open: Open::Stays,
    },
];
