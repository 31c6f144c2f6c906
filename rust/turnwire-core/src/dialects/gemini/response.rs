//! Writes Gemini's replies around their contents.

use super::end::WORDS;
use super::keys as k;
use crate::{
    model::head::{MODEL_VERSION, RESPONSE_ID},
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
    PROMPT_TOKENS_SNAKE = "prompt_token_count";
    TOOL_USE_TOKENS = "toolUsePromptTokenCount";
    TOOL_USE_TOKENS_SNAKE = "tool_use_prompt_token_count";
    CANDIDATES_TOKENS_SNAKE = "candidates_token_count";
    THOUGHTS_TOKENS_SNAKE = "thoughts_token_count";
    CACHED_TOKENS_SNAKE = "cached_content_token_count";
    TOTAL_TOKENS_SNAKE = "total_token_count";
}

/// The SDK's `FinishReason`. A reply with calls ends with STOP too.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: ".candidates[0].finishReason",
    known: "candidates usageMetadata modelVersion responseId createTime content finishReason index usage_metadata model_version response_id create_time finish_reason tokenCount avgLogprobs sdkHttpResponse",
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::maybe(&k::PROMPT_TOKENS, Amount::Input),
            Count::maybe(&k::CANDIDATES_TOKENS, Amount::Said),
            Count::maybe(&k::TOTAL_TOKENS, Amount::Total),
            Count::maybe(&k::CACHED_TOKENS, Amount::Cached),
            Count::maybe(&k::THOUGHTS_TOKENS, Amount::Reasoning),
        ],
        also: &[
            Count::maybe(&TOOL_USE_TOKENS, Amount::Tools),
            Count::maybe(&PROMPT_TOKENS_SNAKE, Amount::Input),
            Count::maybe(&CANDIDATES_TOKENS_SNAKE, Amount::Said),
            Count::maybe(&TOTAL_TOKENS_SNAKE, Amount::Total),
            Count::maybe(&CACHED_TOKENS_SNAKE, Amount::Cached),
            Count::maybe(&THOUGHTS_TOKENS_SNAKE, Amount::Reasoning),
            Count::maybe(&TOOL_USE_TOKENS_SNAKE, Amount::Tools),
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
    FailureRow(429, "RESOURCE_EXHAUSTED", ""),
    FailureRow(403, "PERMISSION_DENIED", ""),
    FailureRow(404, "NOT_FOUND", ""),
    FailureRow(409, "ABORTED", ""),
    FailureRow(413, "INVALID_ARGUMENT", ""),
    FailureRow(503, "UNAVAILABLE", ""),
    FailureRow(504, "DEADLINE_EXCEEDED", ""),
    FailureRow(500, "INTERNAL", ""),
];

/// The SDK's `GenerateContentResponse`, which has no required key.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let content = draft.message().unwrap_or_else(|| {
        let mut silent = Map::default();
        silent.put(&k::ROLE, word(&k::MODEL));
        silent.put(&k::PARTS, Value::List([].into()));
        silent.value()
    });
    let mut candidate = Map::default();
    candidate.put(&k::CONTENT, content);
    candidate.put(&k::FINISH_REASON, text(draft.word));
    candidate.put(&k::INDEX, number(0));
    let mut reply = Map::default();
    reply.put(&k::CANDIDATES, Value::List([candidate.value()].into()));
    draft.usage(&mut reply);
    if let Some(model) = &draft.model {
        reply.put(&MODEL_VERSION, Value::Text(model.share()));
    }
    if draft.has_id {
        reply.put(&RESPONSE_ID, draft.id(RULE.id));
    }
    reply.value()
}

pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut part = Map::default();
    part.put(&k::TEXT, Value::Text(thought));
    part.put(&k::THOUGHT, Value::Bool(true));
    part.value()
}

/// `{"error": {"code", "message", "status"}}`
pub(super) fn failure<H: Host>(message: Text<H>, FailureRow(_, kind, _): FailureRow, status: u16) -> Value<H> {
    let mut error = Map::default();
    error.put(&k::CODE, number(status.into()));
    error.put(&k::MESSAGE, Value::Text(message));
    error.put(&k::STATUS, text(kind));
    let mut body = Map::default();
    body.put(&k::ERROR, error.value());
    body.value()
}
