//! What Responses' replies say beside their items: a status, and why it is not completed.

use super::reply::{
    CACHE_WRITE_TOKENS, CACHED_TOKENS, INPUT_TOKENS, INPUT_TOKENS_DETAILS, OUTPUT_TOKENS, OUTPUT_TOKENS_DETAILS,
    REASONING_TOKENS, USAGE,
};
use crate::{
    dialects::chat::response::{FAILURES, TOTAL_TOKENS},
    wire::response::{
        end::{EndWord::Says, EndWords},
        rule::ResponseRule,
        usage::{Amount, Count, UsageRule},
    },
};

/// The SDK's `ResponseStatus` and `IncompleteDetails`, and its `ResponseUsage`, whose counts are all required.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "resp_",
    end: "status",
    words: EndWords {
        stop: Says("completed"),
        tool_calls: Says("completed"),
        length: Says("max_output_tokens"),
        refusal: Says("completed"),
        filtered: Says("content_filter"),
        paused: Says("in_progress"),
        error: Says("failed"),
    },
    usage: UsageRule {
        key: Some(&USAGE),
        needed: false,
        counts: &[
            Count::needed(&INPUT_TOKENS, Amount::Input),
            Count::needed(&CACHED_TOKENS, Amount::Cached).within(&INPUT_TOKENS_DETAILS),
            Count::needed(&CACHE_WRITE_TOKENS, Amount::Written).within(&INPUT_TOKENS_DETAILS),
            Count::needed(&OUTPUT_TOKENS, Amount::Output),
            Count::needed(&REASONING_TOKENS, Amount::Reasoning).within(&OUTPUT_TOKENS_DETAILS),
            Count::needed(&TOTAL_TOKENS, Amount::Total),
        ],
    },
    failures: FAILURES,
};
