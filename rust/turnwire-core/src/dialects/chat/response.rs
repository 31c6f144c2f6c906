//! Writes replies of the family around their messages, by the OpenAI SDK's types.

use super::end::WORDS;
use super::keys as k;
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
    key: Some(&k::USAGE),
    needed: false,
    counts: &[
        Count::needed(&k::PROMPT_TOKENS, Amount::Input),
        Count::needed(&k::COMPLETION_TOKENS, Amount::Output),
        Count::needed(&k::TOTAL_TOKENS, Amount::Total),
        Count::maybe(&k::CACHED_TOKENS, Amount::Cached).within(&k::PROMPT_TOKENS_DETAILS),
        Count::maybe(&k::CACHE_WRITE_TOKENS, Amount::Written).within(&k::PROMPT_TOKENS_DETAILS),
        Count::maybe(&k::REASONING_TOKENS, Amount::Reasoning).within(&k::COMPLETION_TOKENS_DETAILS),
    ],
    also: &[
        // DeepSeek, Kimi and Mistral have their own keys.
        Count::maybe(&PROMPT_CACHE_HIT_TOKENS, Amount::Cached),
        Count::maybe(&k::CACHED_TOKENS, Amount::Cached),
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
    let message = message(draft, None);
    choices(rule, draft, message)
}

/// Writes a reply of one choice.
pub(crate) fn choices<H: Host>(rule: &ResponseRule, draft: &mut Draft<'_, H>, message: Value<H>) -> Value<H> {
    let mut choice = Map::default();
    choice.put(&k::INDEX, number(0));
    choice.put(&k::MESSAGE, message);
    choice.put(&k::FINISH_REASON, text(draft.word));
    let mut reply = Map::default();
    reply.put(&k::ID, draft.id(rule.id));
    reply.put(&k::OBJECT, word(&CHAT_COMPLETION));
    let created = draft.created(&k::CREATED);
    reply.put(&k::CREATED, created);
    let model = draft.model(&k::MODEL);
    reply.put(&k::MODEL, model);
    reply.put(&k::CHOICES, Value::List([choice.value()].into()));
    draft.usage(&mut reply);
    reply.value()
}

/// The message, or an empty one, with the reasoning and another key beside its content.
pub(crate) fn message<H: Host>(draft: &mut Draft<'_, H>, beside: Option<(&'static Key, Value<H>)>) -> Value<H> {
    let thoughts = draft.thoughts.take().map(|(key, text)| (key, Value::Text(text)));
    let message = draft.message().unwrap_or_else(|| {
        let mut silent = Map::default();
        silent.put(&k::ROLE, word(&k::ASSISTANT));
        silent.put(&k::CONTENT, word(&k::EMPTY));
        silent.value()
    });
    changed(&message, thoughts.into_iter().chain(beside).collect())
}

/// `{"error": {"message", "type", "param", "code"}}`
pub(crate) fn failure<H: Host>(message: Text<H>, row: FailureRow) -> Value<H> {
    let mut body = Map::default();
    body.put(&k::ERROR, described(Map::default(), message, row).value());
    body.value()
}

/// The error, key by key.
pub(crate) fn described<H: Host>(mut error: Map<H>, message: Text<H>, FailureRow(_, kind, code): FailureRow) -> Map<H> {
    error.put(&k::MESSAGE, Value::Text(message));
    error.put(&k::TYPE, text(kind));
    error.put(&k::PARAM, Value::Null);
    error.put(&k::CODE, if code.is_empty() { Value::Null } else { text(code) });
    error
}
