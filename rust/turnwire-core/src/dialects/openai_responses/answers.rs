//! Lists the items that are answered by other items, and are no calls of the client.

use crate::rules::AnswerRule;

pub(super) const ANSWERS: &[AnswerRule] = &[
    AnswerRule {
        call: "mcp_approval_request",
        result: "mcp_approval_response",
        name: "approval_request_id",
        id: "id",
        may_wait: true,
    },
    // Those of a container: the client's are calls.
    AnswerRule { call: "shell_call", result: "shell_call_output", name: "call_id", id: "call_id", may_wait: false },
];
