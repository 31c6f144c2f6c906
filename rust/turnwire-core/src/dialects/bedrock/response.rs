//! What Converse's replies say beside their messages.

use super::reply::{CACHE_READ_INPUT_TOKENS, CACHE_WRITE_INPUT_TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, USAGE};
use crate::{
    value::door::keys,
    wire::response::{
        end::{
            EndWord::{Nearest, Says},
            EndWords,
        },
        failure::{FailureRow, FailureRows},
        rule::ResponseRule,
        usage::{Amount, Count, UsageRule},
    },
};

keys! {
    TOTAL_TOKENS = "totalTokens";
}

/// The service model's `StopReason` and `TokenUsage`, of which three counts are required.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: "stopReason",
    words: EndWords {
        stop: Says("end_turn"),
        tool_calls: Says("tool_use"),
        length: Says("max_tokens"),
        refusal: Nearest("content_filtered"),
        filtered: Says("content_filtered"),
        paused: Nearest("end_turn"),
        error: Says("malformed_model_output"),
    },
    usage: UsageRule {
        key: Some(&USAGE),
        needed: true,
        counts: &[
            Count::needed(&INPUT_TOKENS, Amount::Fresh),
            Count::needed(&OUTPUT_TOKENS, Amount::Output),
            Count::needed(&TOTAL_TOKENS, Amount::Total),
            Count::maybe(&CACHE_READ_INPUT_TOKENS, Amount::Cached),
            Count::maybe(&CACHE_WRITE_INPUT_TOKENS, Amount::Written),
        ],
    },
    failures: FAILURES,
};

/// The exceptions of the service model.
const FAILURES: FailureRows = &[
    FailureRow(400, "ValidationException", ""),
    FailureRow(400, "ValidationException", ""),
    FailureRow(403, "UnrecognizedClientException", ""),
    FailureRow(400, "ServiceQuotaExceededException", ""),
    FailureRow(403, "AccessDeniedException", ""),
    FailureRow(404, "ResourceNotFoundException", ""),
    FailureRow(400, "ConflictException", ""),
    FailureRow(413, "ValidationException", ""),
    FailureRow(429, "ThrottlingException", ""),
    FailureRow(503, "ServiceUnavailableException", ""),
    FailureRow(408, "ModelTimeoutException", ""),
    FailureRow(500, "InternalServerException", ""),
];
