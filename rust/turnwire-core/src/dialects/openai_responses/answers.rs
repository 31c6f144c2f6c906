//! Lists the items that ask the client for something other than the result of a call, and the items that answer them.

use crate::rules::AnswerRule;

pub(super) const ANSWERS: &[AnswerRule] = &[AnswerRule {
    call: "mcp_approval_request",
    result: "mcp_approval_response",
    name: "approval_request_id",
    id: "id",
}];
