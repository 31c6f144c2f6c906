//! Writes Converse's replies around their messages.

use super::end::WORDS;
use super::keys as k;
use crate::{
    value::{Host, Text, Value, door::keys},
    wire::{
        response::{Amount, Count, Draft, FailureRow, FailureRows, ResponseRule, Texts, UsageRule, draft::text},
        stream::{
            Map,
            whole::{number, word},
        },
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
    known: "output stopReason usage metrics performanceConfig serviceTier ResponseMetadata",
    texts: Texts::Free,
    answers: false,
    words: WORDS,
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
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let message = draft.message().unwrap_or_else(|| {
        let mut silent = Map::default();
        silent.put(&k::ROLE, word(&k::ASSISTANT));
        silent.put(&k::CONTENT, Value::List([].into()));
        silent.value()
    });
    let mut output = Map::default();
    output.put(&k::MESSAGE, message);
    let mut reply = Map::default();
    reply.put(&k::OUTPUT, output.value());
    reply.put(&k::STOP_REASON, text(draft.word));
    draft.usage(&mut reply);
    let mut metrics = Map::default();
    metrics.put(&k::LATENCY_MS, number(0));
    draft.made_up.push(k::LATENCY_MS.name);
    reply.put(&k::METRICS, metrics.value());
    reply.value()
}

pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut words = Map::default();
    words.put(&k::TEXT, Value::Text(thought));
    let mut reasoning = Map::default();
    reasoning.put(&k::REASONING_TEXT, words.value());
    let mut block = Map::default();
    block.put(&k::REASONING_CONTENT, reasoning.value());
    block.value()
}

/// `{"__type", "message"}`: clients read the type here if the response has no header `x-amzn-errortype`.
pub(super) fn failure<H: Host>(message: Text<H>, FailureRow(_, kind, _): FailureRow, _: u16) -> Value<H> {
    let mut body = Map::default();
    body.put(&AWS_TYPE, text(kind));
    body.put(&k::MESSAGE, Value::Text(message));
    body.value()
}
