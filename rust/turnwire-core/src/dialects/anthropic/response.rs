//! Writes Anthropic's replies around their content.

use super::{
    end::WORDS,
    keys::{
        ASSISTANT, CACHE_CREATION_INPUT_TOKENS, CACHE_READ_INPUT_TOKENS, CONTENT, ERROR, EXPLANATION, ID, INPUT_TOKENS,
        MESSAGE, MODEL, OUTPUT_TOKENS, OUTPUT_TOKENS_DETAILS, ROLE, SIGNATURE, STOP_DETAILS, STOP_REASON,
        STOP_SEQUENCE, TEXT, THINKING, THINKING_TOKENS, TYPE, USAGE,
    },
};
use crate::{
    value::{Host, Source, Text, Tree, Value, door::keys},
    wire::{
        response::{
            Amount, Count, Draft, FailureRow, FailureRows, ResponseRule, Texts, UsageRule,
            draft::{listed, text},
        },
        stream::{Map, whole::word},
    },
};

keys! {
    REFUSAL = "refusal";
    CATEGORY = "category";
}

/// The SDK's `StopReason` and `Usage`. Clients read the counts without checking that they exist.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "msg_",
    end: ".stop_reason",
    known: "id type role model content stop_reason usage stop_details",
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    usage: UsageRule {
        key: Some(&USAGE),
        needed: true,
        counts: &[
            Count::needed(&INPUT_TOKENS, Amount::Fresh),
            Count::maybe(&CACHE_CREATION_INPUT_TOKENS, Amount::Written),
            Count::maybe(&CACHE_READ_INPUT_TOKENS, Amount::Cached),
            Count::needed(&OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&THINKING_TOKENS, Amount::Reasoning).within(&OUTPUT_TOKENS_DETAILS),
        ],
        also: &[],
    },
    failures: FAILURES,
};

/// The reference's page on errors.
const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request_error", ""),
    FailureRow(400, "invalid_request_error", ""),
    FailureRow(401, "authentication_error", ""),
    FailureRow(429, "rate_limit_error", ""),
    FailureRow(402, "billing_error", ""),
    FailureRow(403, "permission_error", ""),
    FailureRow(404, "not_found_error", ""),
    FailureRow(409, "conflict_error", ""),
    FailureRow(413, "request_too_large", ""),
    FailureRow(529, "overloaded_error", ""),
    FailureRow(504, "timeout_error", ""),
    FailureRow(500, "api_error", ""),
];

/// The SDK's `Message`: its content is a list, and no key is missing.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let message = draft.message();
    let content = message.as_ref().and_then(|message| Tree(message).get(&CONTENT));
    let content = listed(content, |said| {
        let mut block = Map::default();
        block.put(&TYPE, word(&TEXT));
        block.put(&TEXT, said);
        block.value()
    });
    let mut reply = Map::default();
    reply.put(&ID, draft.id(RULE.id));
    reply.put(&TYPE, word(&MESSAGE));
    reply.put(&ROLE, word(&ASSISTANT));
    let model = draft.model(&MODEL);
    reply.put(&MODEL, model);
    reply.put(&CONTENT, content);
    reply.put(&STOP_REASON, text(draft.word));
    reply.put(&STOP_SEQUENCE, Value::Null);
    if let Some(why) = draft.refusal.take() {
        let mut details = Map::default();
        details.put(&TYPE, word(&REFUSAL));
        details.put(&CATEGORY, Value::Null);
        details.put(&EXPLANATION, Value::Text(why));
        reply.put(&STOP_DETAILS, details.value());
    }
    draft.usage(&mut reply);
    reply.value()
}

/// The type requires the key of the signature, but only the provider's own models can sign.
pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&TYPE, word(&THINKING));
    block.put(&THINKING, Value::Text(thought));
    block.put(&SIGNATURE, text(""));
    block.value()
}

/// `{"type": "error", "error": {"type", "message"}}`
pub(super) fn failure<H: Host>(message: Text<H>, FailureRow(_, kind, _): FailureRow, _: u16) -> Value<H> {
    let mut error = Map::default();
    error.put(&TYPE, text(kind));
    error.put(&MESSAGE, Value::Text(message));
    let mut body = Map::default();
    body.put(&TYPE, word(&ERROR));
    body.put(&ERROR, error.value());
    body.value()
}
