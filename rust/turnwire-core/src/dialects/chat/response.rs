//! Writes replies of the family around their messages, by the OpenAI SDK's types.

use super::{
    end::WORDS,
    keys::{
        ASSISTANT, CACHE_WRITE_TOKENS, CACHED_TOKENS, CHOICES, CODE, COMPLETION_TOKENS, COMPLETION_TOKENS_DETAILS,
        CONTENT, CREATED, EMPTY, ERROR, FINISH_REASON, ID, INDEX, MESSAGE, MODEL, OBJECT, PARAM, PROMPT_TOKENS,
        PROMPT_TOKENS_DETAILS, REASONING_TOKENS, ROLE, TOTAL_TOKENS, TYPE, USAGE,
    },
};
use crate::{
    value::{Host, Key, Text, Value, door::keys},
    wire::{
        response::{Amount, Count, Draft, FailureRow, FailureRows, ResponseRule, Texts, UsageRule, draft::text},
        stream::{
            Map,
            whole::{changed, number, word},
        },
    },
};

keys! {
    NUM_CACHED_TOKENS = "num_cached_tokens";
    PROMPT_CACHE_HIT_TOKENS = "prompt_cache_hit_tokens";
    PROMPT_CACHE_MISS_TOKENS = "prompt_cache_miss_tokens";
    CHAT_COMPLETION = "chat.completion";
}

pub(crate) const RULE: ResponseRule = ResponseRule {
    id: "chatcmpl-",
    end: ".choices[0].finish_reason",
    // The fingerprint and the tier matter only to the servers.
    known: "id object created model choices usage system_fingerprint service_tier index message finish_reason \
            native_finish_reason provider x_groq error",
    texts: Texts::One,
    answers: false,
    words: WORDS,
    usage: USAGE_RULE,
    failures: FAILURES,
};

/// Each count includes its details.
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
    also: &[
        // DeepSeek, Kimi and Mistral have their own keys.
        Count::maybe(&PROMPT_CACHE_HIT_TOKENS, Amount::Cached),
        Count::maybe(&CACHED_TOKENS, Amount::Cached),
        Count::maybe(&NUM_CACHED_TOKENS, Amount::Cached),
        Count::maybe(&PROMPT_CACHE_MISS_TOKENS, Amount::Fresh),
    ],
};

/// OpenAI's guide to its errors, and bodies of its servers.
pub(crate) const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request_error", ""),
    FailureRow(400, "invalid_request_error", "context_length_exceeded"),
    FailureRow(401, "authentication_error", "invalid_api_key"),
    FailureRow(429, "rate_limit_error", "rate_limit_exceeded"),
    FailureRow(429, "insufficient_quota", "insufficient_quota"),
    FailureRow(403, "permission_error", ""),
    FailureRow(404, "invalid_request_error", "model_not_found"),
    FailureRow(409, "conflict_error", ""),
    FailureRow(413, "invalid_request_error", "request_too_large"),
    FailureRow(503, "server_error", "server_is_overloaded"),
    FailureRow(504, "timeout_error", ""),
    FailureRow(500, "server_error", "server_error"),
];

/// Writes a reply of one choice, with nothing beside its content.
pub(crate) fn write<H: Host>(rule: &ResponseRule, draft: &mut Draft<'_, H>) -> Value<H> {
    let message = message(draft, Vec::new());
    choices(rule, draft, message)
}

/// Writes a reply of one choice.
pub(crate) fn choices<H: Host>(rule: &ResponseRule, draft: &mut Draft<'_, H>, message: Value<H>) -> Value<H> {
    let mut choice = Map::default();
    choice.put(&INDEX, number(0));
    choice.put(&MESSAGE, message);
    choice.put(&FINISH_REASON, text(draft.word));
    let mut reply = Map::default();
    reply.put(&ID, draft.id(rule.id));
    reply.put(&OBJECT, word(&CHAT_COMPLETION));
    let created = draft.created(&CREATED);
    reply.put(&CREATED, created);
    let model = draft.model(&MODEL);
    reply.put(&MODEL, model);
    reply.put(&CHOICES, Value::List([choice.value()].into()));
    draft.usage(&mut reply);
    reply.value()
}

/// The message, or an empty one, with the keys beside its content.
pub(crate) fn message<H: Host>(draft: &mut Draft<'_, H>, beside: Vec<(&'static Key, Value<H>)>) -> Value<H> {
    let message = draft.message().unwrap_or_else(|| {
        let mut silent = Map::default();
        silent.put(&ROLE, word(&ASSISTANT));
        silent.put(&CONTENT, word(&EMPTY));
        silent.value()
    });
    changed(&message, beside)
}

/// `{"error": {"message", "type", "param", "code"}}`
pub(crate) fn failure<H: Host>(message: Text<H>, row: FailureRow) -> Value<H> {
    let mut body = Map::default();
    body.put(&ERROR, described(Map::default(), message, row).value());
    body.value()
}

/// The error, key by key.
pub(crate) fn described<H: Host>(mut error: Map<H>, message: Text<H>, FailureRow(_, kind, code): FailureRow) -> Map<H> {
    error.put(&MESSAGE, Value::Text(message));
    error.put(&TYPE, text(kind));
    error.put(&PARAM, Value::Null);
    error.put(&CODE, if code.is_empty() { Value::Null } else { text(code) });
    error
}
