//! Writes Converse's replies around their messages.

use super::end::WORDS;
use super::keys as k;
use crate::{
    value::{Host, Sink, Text, door::keys},
    wire::{
        response::{
            Amount, Around, Closing, Count, Draft, FailureRow, FailureRows, FailureWords, Passed, ReplyKeys, Required,
            ResponseRule, Sentence, Texts, TooLongWords, UsageRule,
        },
        stream::out::{empty, map, text, value, word},
    },
};

keys! {
    TOTAL_TOKENS = "totalTokens";
    AWS_TYPE = "__type";
}

/// The service model's `StopReason` and `TokenUsage`; three of its counts are required.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: ".stopReason",
    keys: ReplyKeys {
        read: "output stopReason usage",
        passed: &[
            (Passed::Time, "metrics"),
            (Passed::Echo, "performanceConfig"),
            (Passed::Headers, "ResponseMetadata"),
        ],
    },
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    bad_call: None,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: true,
        counts: &[
            Count::needed(&k::INPUT_TOKENS, Amount::Fresh),
            Count::needed(&k::OUTPUT_TOKENS, Amount::Output),
            Count::needed(&TOTAL_TOKENS, Amount::Total),
            Count::maybe(&k::CACHE_READ_INPUT_TOKENS, Amount::Cached),
            Count::maybe(&k::CACHE_WRITE_INPUT_TOKENS, Amount::Written),
        ],
        also: &[],
    },
    failures: FAILURES,
    error_forms: &[&[".message"], &[".Message"]],
    names_request: false,
    too_long: TOO_LONG,
    tier: None,
    required: &[Required::Zero(&k::LATENCY_MS)],
    echoes: &[],
};

/// What Claude's models say here.
const TOO_LONG: TooLongWords = TooLongWords {
    bare: Sentence("Input is too long for requested model. {S}", "input is too long"),
    both: Sentence::OVER_LIMIT,
    ..TooLongWords::NONE
};

/// The exceptions of the service model.
const FAILURES: FailureRows = &[
    FailureRow(400, "ValidationException", ""),
    FailureRow(400, "ValidationException", ""),
    FailureRow(403, "UnrecognizedClientException", ""),
    FailureRow(429, "ThrottlingException", ""),
    FailureRow(400, "ServiceQuotaExceededException", ""),
    FailureRow(403, "AccessDeniedException", ""),
    FailureRow(404, "ResourceNotFoundException", ""),
    FailureRow(400, "ConflictException", ""),
    FailureRow(413, "ValidationException", ""),
    FailureRow(503, "ServiceUnavailableException", ""),
    FailureRow(408, "ModelTimeoutException", ""),
    FailureRow(500, "InternalServerException", ""),
];

/// The service model's `ConverseResponse`. It requires the latency, which is unknown.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    map(out, &k::OUTPUT, |out| match draft.message() {
        Some(message) => value(out, &k::MESSAGE, message),
        None => map(out, &k::MESSAGE, |out| {
            word(out, &k::ROLE, &k::ASSISTANT);
            empty(out, &k::CONTENT);
        }),
    });
    text(out, &k::STOP_REASON, &draft.closing.word);
    cost(&draft.around, &draft.closing, out);
}

/// Writes the tokens and the latency.
pub(super) fn cost<H: Host, K: Sink<H>>(around: &Around<H>, closing: &Closing<H>, out: &mut K) {
    closing.write_usage(out);
    map(out, &k::METRICS, |out| around.required(out));
}

pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    map(out, &k::REASONING_CONTENT, |out| map(out, &k::REASONING_TEXT, |out| text(out, &k::TEXT, said)));
}

/// `{"__type", "message"}`: clients read the type here if the response has no header `x-amzn-errortype`.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    text(out, &AWS_TYPE, &words.kind);
    text(out, &k::MESSAGE, &words.message);
}
