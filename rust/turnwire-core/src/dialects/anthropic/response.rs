//! What Anthropic's replies say beside their content.

use super::reply::{
    CACHE_CREATION_INPUT_TOKENS, CACHE_READ_INPUT_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, OUTPUT_TOKENS_DETAILS,
    THINKING_TOKENS, USAGE,
};
use crate::wire::response::{
    end::{
        EndWord::{Fails, Nearest, Says},
        EndWords,
    },
    failure::{FailureRow, FailureRows},
    rule::ResponseRule,
    usage::{Amount, Count, UsageRule},
};

/// The SDK's `StopReason` and `Usage`: clients read the counts without asking whether they are there.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "msg_",
    end: "stop_reason",
    words: EndWords {
        stop: Says("end_turn"),
        tool_calls: Says("tool_use"),
        length: Says("max_tokens"),
        refusal: Says("refusal"),
        filtered: Nearest("refusal"),
        paused: Says("pause_turn"),
        error: Fails,
    },
    usage: UsageRule {
        key: Some(&USAGE),
        needed: true,
        counts: &[
            Count::needed(&INPUT_TOKENS, Amount::Fresh),
            Count::maybe(&CACHE_CREATION_INPUT_TOKENS, Amount::Written),
            Count::maybe(&CACHE_READ_INPUT_TOKENS, Amount::Cached),
            Count::needed(&OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&THINKING_TOKENS, Amount::Reasoning).within(&OUTPUT_TOKENS_DETAILS),
        ],
    },
    failures: FAILURES,
};

/// The reference's page on errors.
const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request_error", ""),
    FailureRow(400, "invalid_request_error", ""),
    FailureRow(401, "authentication_error", ""),
    FailureRow(402, "billing_error", ""),
    FailureRow(403, "permission_error", ""),
    FailureRow(404, "not_found_error", ""),
    FailureRow(409, "conflict_error", ""),
    FailureRow(413, "request_too_large", ""),
    FailureRow(429, "rate_limit_error", ""),
    FailureRow(529, "overloaded_error", ""),
    FailureRow(504, "timeout_error", ""),
    FailureRow(500, "api_error", ""),
];
