//! Writes Anthropic's replies around their content.

use super::end::WORDS;
use super::keys as k;
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
        key: Some(&k::USAGE),
        needed: true,
        counts: &[
            Count::needed(&k::INPUT_TOKENS, Amount::Fresh),
            Count::maybe(&k::CACHE_CREATION_INPUT_TOKENS, Amount::Written),
            Count::maybe(&k::CACHE_READ_INPUT_TOKENS, Amount::Cached),
            Count::needed(&k::OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&k::THINKING_TOKENS, Amount::Reasoning).within(&k::OUTPUT_TOKENS_DETAILS),
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
    let content = message.as_ref().and_then(|message| Tree(message).get(&k::CONTENT));
    let content = listed(content, |said| {
        let mut block = Map::default();
        block.put(&k::TYPE, word(&k::TEXT));
        block.put(&k::TEXT, said);
        block.value()
    });
    let mut reply = Map::default();
    reply.put(&k::ID, draft.id(RULE.id));
    reply.put(&k::TYPE, word(&k::MESSAGE));
    reply.put(&k::ROLE, word(&k::ASSISTANT));
    let model = draft.model(&k::MODEL);
    reply.put(&k::MODEL, model);
    reply.put(&k::CONTENT, content);
    reply.put(&k::STOP_REASON, text(draft.word));
    reply.put(&k::STOP_SEQUENCE, Value::Null);
    if let Some(why) = draft.refusal.take() {
        let mut details = Map::default();
        details.put(&k::TYPE, word(&k::REFUSAL));
        details.put(&CATEGORY, Value::Null);
        details.put(&k::EXPLANATION, Value::Text(why));
        reply.put(&k::STOP_DETAILS, details.value());
    }
    draft.usage(&mut reply);
    reply.value()
}

/// The type requires the key of the signature, but only the provider's own models can sign.
pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&k::TYPE, word(&k::THINKING));
    block.put(&k::THINKING, Value::Text(thought));
    block.put(&k::SIGNATURE, text(""));
    block.value()
}

/// `{"type": "error", "error": {"type", "message"}}`
pub(super) fn failure<H: Host>(message: Text<H>, FailureRow(_, kind, _): FailureRow, _: u16) -> Value<H> {
    let mut error = Map::default();
    error.put(&k::TYPE, text(kind));
    error.put(&k::MESSAGE, Value::Text(message));
    let mut body = Map::default();
    body.put(&k::TYPE, word(&k::ERROR));
    body.put(&k::ERROR, error.value());
    body.value()
}
