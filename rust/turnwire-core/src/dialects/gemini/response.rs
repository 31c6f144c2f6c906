//! What Gemini's replies say beside their contents.

use super::reply::{CACHED_TOKENS, CANDIDATES_TOKENS, PROMPT_TOKENS, THOUGHTS_TOKENS, TOTAL_TOKENS, USAGE};
use crate::wire::response::{
    end::{
        EndWord::{Nearest, Says},
        EndWords,
    },
    failure::{FailureRow, FailureRows},
    rule::ResponseRule,
    usage::{Amount, Count, UsageRule},
};

/// The SDK's `FinishReason`; calls end with STOP, too.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: "candidates.0.finishReason",
    words: EndWords {
        stop: Says("STOP"),
        tool_calls: Says("STOP"),
        length: Says("MAX_TOKENS"),
        refusal: Nearest("SAFETY"),
        filtered: Says("SAFETY"),
        paused: Says("CONTINUATION"),
        error: Says("MALFORMED_RESPONSE"),
    },
    usage: UsageRule {
        key: Some(&USAGE),
        needed: false,
        counts: &[
            Count::maybe(&PROMPT_TOKENS, Amount::Input),
            Count::maybe(&CANDIDATES_TOKENS, Amount::Said),
            Count::maybe(&TOTAL_TOKENS, Amount::Total),
            Count::maybe(&CACHED_TOKENS, Amount::Cached),
            Count::maybe(&THOUGHTS_TOKENS, Amount::Reasoning),
        ],
    },
    failures: FAILURES,
};

/// Google's status codes.
const FAILURES: FailureRows = &[
    FailureRow(400, "INVALID_ARGUMENT", ""),
    FailureRow(400, "INVALID_ARGUMENT", ""),
    FailureRow(401, "UNAUTHENTICATED", ""),
    FailureRow(429, "RESOURCE_EXHAUSTED", ""),
    FailureRow(403, "PERMISSION_DENIED", ""),
    FailureRow(404, "NOT_FOUND", ""),
    FailureRow(409, "ABORTED", ""),
    FailureRow(413, "INVALID_ARGUMENT", ""),
    FailureRow(429, "RESOURCE_EXHAUSTED", ""),
    FailureRow(503, "UNAVAILABLE", ""),
    FailureRow(504, "DEADLINE_EXCEEDED", ""),
    FailureRow(500, "INTERNAL", ""),
];
