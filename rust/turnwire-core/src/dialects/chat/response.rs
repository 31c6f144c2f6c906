//! What replies of the family say beside their messages, in the words of the OpenAI SDK.

use super::reply::{
    CACHE_WRITE_TOKENS, CACHED_TOKENS, COMPLETION_TOKENS, COMPLETION_TOKENS_DETAILS, PROMPT_TOKENS,
    PROMPT_TOKENS_DETAILS, REASONING_TOKENS, USAGE,
};
use crate::{
    value::door::keys,
    wire::response::{
        end::{
            EndWord::{Fails, Nearest, Says},
            EndWords,
        },
        failure::{FailureRow, FailureRows},
        rule::ResponseRule,
        usage::{Amount, Count, UsageRule},
    },
};

keys! {
    TOTAL_TOKENS = "total_tokens";
}

pub(crate) const RULE: ResponseRule = ResponseRule {
    id: "chatcmpl-",
    end: "choices.0.finish_reason",
    words: EndWords {
        stop: Says("stop"),
        tool_calls: Says("tool_calls"),
        length: Says("length"),
        refusal: Says("stop"),
        filtered: Says("content_filter"),
        paused: Nearest("stop"),
        error: Fails,
    },
    usage: USAGE_RULE,
    failures: FAILURES,
};

/// All counts include what they consist of.
pub(crate) const USAGE_RULE: UsageRule = UsageRule {
    key: Some(&USAGE),
    needed: false,
    counts: &[
        Count::needed(&PROMPT_TOKENS, Amount::Input),
        Count::needed(&COMPLETION_TOKENS, Amount::Output),
        Count::needed(&TOTAL_TOKENS, Amount::Total),
        Count::maybe(&CACHED_TOKENS, Amount::Cached).within(&PROMPT_TOKENS_DETAILS),
        Count::maybe(&CACHE_WRITE_TOKENS, Amount::Written).within(&PROMPT_TOKENS_DETAILS),
        Count::maybe(&REASONING_TOKENS, Amount::Reasoning).within(&COMPLETION_TOKENS_DETAILS),
    ],
};

/// OpenAI's guide to its errors, and bodies of its servers.
pub(crate) const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request_error", ""),
    FailureRow(400, "invalid_request_error", "context_length_exceeded"),
    FailureRow(401, "authentication_error", "invalid_api_key"),
    FailureRow(429, "insufficient_quota", "insufficient_quota"),
    FailureRow(403, "permission_error", ""),
    FailureRow(404, "invalid_request_error", "model_not_found"),
    FailureRow(409, "conflict_error", ""),
    FailureRow(413, "invalid_request_error", "request_too_large"),
    FailureRow(429, "rate_limit_error", "rate_limit_exceeded"),
    FailureRow(503, "server_error", "server_is_overloaded"),
    FailureRow(504, "timeout_error", ""),
    FailureRow(500, "server_error", "server_error"),
];
