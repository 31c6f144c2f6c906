//! Writes replies of the family around their messages, by the OpenAI SDK's types.

use super::end::WORDS;
use super::keys as k;
use crate::{
    value::{Host, Key, Sink, Value, door::keys},
    wire::{
        response::{
            Amount, Around, Count, Draft, FailureRow, FailureRows, FailureWords, Passed, ReplyKeys, Required,
            ResponseRule, Sentence, Texts, TooLongWords, UsageRule,
        },
        stream::{
            Map,
            out::{map, null, number, one, text, text_or_null, value, word},
            whole::{self, changed},
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
    keys: ReplyKeys {
        read: "id created model choices usage index message finish_reason x_groq.usage error",
        passed: &[(Passed::Kind, "object")],
    },
    texts: Texts::One,
    answers: false,
    words: WORDS,
    bad_call: None,
    usage: USAGE_RULE,
    failures: FAILURES,
    error_forms: &[&[".error.message"]],
    names_request: false,
    too_long: TOO_LONG,
    tier: Some(&k::SERVICE_TIER),
    required: &[Required::Seconds(&k::CREATED), Required::Model(&k::MODEL)],
    echoes: &[],
};

/// Clients look for the code or for these words.
pub(crate) const TOO_LONG: TooLongWords = TooLongWords {
    numbers: Sentence(
        "This model's maximum context length is {M} tokens. However, your messages resulted in {N} tokens.",
        "maximum context length",
    ),
    most: Sentence("This model's maximum context length is {M} tokens. {S}", "maximum context length"),
    bare: Sentence("The input exceeds the maximum context length. {S}", "maximum context length"),
    both: Sentence(
        "This model's maximum context length is {M} tokens. However, you requested {T} tokens ({N} in the messages, {A} in the \
         completion).",
        "maximum context length",
    ),
    ..TooLongWords::NONE
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

/// Writes a reply of one choice, whose message has another key beside its content.
pub(crate) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, beside: Option<(&'static Key, Value<H>)>, out: &mut K) {
    head(&draft.around, &CHAT_COMPLETION, out);
    one(out, &k::CHOICES, |out| {
        number(out, &k::INDEX, 0);
        value(out, &k::MESSAGE, &message(draft, beside));
        text(out, &k::FINISH_REASON, &draft.closing.word);
    });
    draft.closing.write_usage(out);
    draft.closing.write_tier(out);
}

/// Writes the keys before the choices, which every chunk repeats.
pub(super) fn head<H: Host, K: Sink<H>>(around: &Around<H>, object: &'static Key, out: &mut K) {
    text(out, &k::ID, &around.id);
    word(out, &k::OBJECT, object);
    around.required(out);
}

/// The message, or an empty one, with the reasoning and another key beside its content.
pub(crate) fn message<H: Host>(draft: &Draft<H>, beside: Option<(&'static Key, Value<H>)>) -> Value<H> {
    let thoughts = draft.thoughts.iter().map(|(key, text)| (*key, Value::Text(text.share())));
    let changes = thoughts.chain(beside).collect();
    if let Some(message) = draft.message() {
        return changed(message, changes);
    }
    let mut silent = Map::default();
    silent.put(&k::ROLE, whole::word(&k::ASSISTANT));
    silent.put(&k::CONTENT, whole::word(&k::EMPTY));
    changed(&silent.value(), changes)
}

/// `{"error": {"message", "type", "param", "code"}}`, also as a chunk.
pub(crate) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    map(out, &k::ERROR, |out| described(words, out));
}

/// The error, key by key.
pub(crate) fn described<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    text(out, &k::MESSAGE, &words.message);
    text(out, &k::TYPE, &words.kind);
    match words.param {
        Some(param) => word(out, &k::PARAM, param),
        None => null(out, &k::PARAM),
    }
    text_or_null(out, &k::CODE, words.code.as_ref());
}
