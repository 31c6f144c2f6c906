//! Writes Gemini's replies around their contents.

use super::end::WORDS;
use super::keys as k;
use crate::{
    model::head::{MODEL_VERSION, RESPONSE_ID},
    value::{Host, Sink, Text, door::keys},
    wire::{
        response::{
            Amount, Around, Count, Draft, FailureRow, FailureRows, FailureWords, Passed, ReplyKeys, ResponseRule,
            Texts, TooLongWords, UsageRule,
        },
        stream::out::{self, empty, map, number, one, text, value},
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
    keys: ReplyKeys {
        read: "candidates usageMetadata usage_metadata modelVersion model_version responseId response_id createTime \
               create_time content finishReason finish_reason index",
        passed: &[(Passed::Repeats, "tokenCount token_count"), (Passed::Headers, "sdkHttpResponse sdk_http_response")],
    },
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    bad_call: Some("MALFORMED_FUNCTION_CALL"),
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
    error_forms: &[&[".error.message"]],
    names_request: false,
    too_long: TooLongWords::COUNTED,
    tier: None,
    required: &[],
    echoes: &[],
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
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    one(out, &k::CANDIDATES, |out| {
        match draft.message() {
            Some(content) => value(out, &k::CONTENT, content),
            None => map(out, &k::CONTENT, |out| {
                out::word(out, &k::ROLE, &k::MODEL);
                empty(out, &k::PARTS);
            }),
        }
        text(out, &k::FINISH_REASON, &draft.closing.word);
        number(out, &k::INDEX, 0);
    });
    draft.closing.write_usage(out);
    tail(&draft.around, out);
}

/// Writes the keys behind the candidates, which every chunk repeats.
pub(super) fn tail<H: Host, K: Sink<H>>(around: &Around<H>, out: &mut K) {
    around.model(&MODEL_VERSION, out);
    if around.has_id {
        text(out, &RESPONSE_ID, &around.id);
    }
}

pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    text(out, &k::TEXT, said);
    out.key(&k::THOUGHT);
    out.bool(true);
}

/// `{"error": {"code", "message", "status"}}`, also as a chunk.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    map(out, &k::ERROR, |out| {
        number(out, &k::CODE, words.status.into());
        text(out, &k::MESSAGE, &words.message);
        text(out, &k::STATUS, &words.kind);
    });
}
