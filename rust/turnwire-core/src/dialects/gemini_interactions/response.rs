//! Writes replies of Interactions around their steps: a status and the usage.

use super::end::WORDS;
use super::keys as k;
use crate::{
    model::head::MODEL,
    value::{Host, Text, Value, door::keys},
    wire::{
        response::{Amount, Count, Draft, FailureRow, FailureRows, ResponseRule, Texts, UsageRule, draft::text},
        stream::{Map, whole::word},
    },
};

keys! {
    TOOL_USE_TOKENS = "total_tool_use_tokens";
    UPDATED = "updated";
}

/// The SDK's `Interaction` and `Usage`. It has no word for a refusal or a withheld answer.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "v1_",
    end: ".status",
    known: "id status steps outputs usage object model agent agent_config created updated role service_tier errors cached_content continuation_ids environment environment_id generation_config input labels output_audio output_image output_text output_video previous_interaction_id response_format response_mime_type response_modalities safety_settings store system_instruction tools webhook_config",
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::maybe(&k::TOTAL_TOKENS, Amount::Total),
            Count::maybe(&k::INPUT_TOKENS, Amount::Input),
            Count::maybe(&k::CACHED_TOKENS, Amount::Cached),
            Count::maybe(&k::OUTPUT_TOKENS, Amount::Said),
            Count::maybe(&k::THOUGHT_TOKENS, Amount::Reasoning),
        ],
        also: &[Count::maybe(&TOOL_USE_TOKENS, Amount::Tools)],
    },
    failures: FAILURES,
};

/// Google's codes are HTTP's own words. Its guide shows `gateway_timeout`, and its servers send `invalid_request`.
const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request", ""),
    FailureRow(400, "invalid_request", ""),
    FailureRow(401, "unauthorized", ""),
    FailureRow(429, "too_many_requests", ""),
    FailureRow(429, "too_many_requests", ""),
    FailureRow(403, "forbidden", ""),
    FailureRow(404, "not_found", ""),
    FailureRow(409, "conflict", ""),
    FailureRow(413, "content_too_large", ""),
    FailureRow(503, "service_unavailable", ""),
    FailureRow(504, "gateway_timeout", ""),
    FailureRow(500, "internal_server_error", ""),
];

/// The SDK's `Interaction`, which requires only the status. The times are those of the source.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let mut reply = Map::default();
    reply.put(&k::ID, draft.id(RULE.id));
    reply.put(&k::STATUS, text(draft.word));
    draft.usage(&mut reply);
    if draft.created.is_some() {
        let created = draft.created_date(&k::CREATED);
        reply.put(&k::CREATED, created.share());
        reply.put(&UPDATED, created);
    }
    reply.put(&k::STEPS, Value::List(std::mem::take(&mut draft.messages).into()));
    if let Some(failure) = draft.failure.take() {
        let (row, _) = failure.row(RULE.failures);
        reply.put(&k::ERRORS, Value::List([error(failure.message, row)].into()));
    }
    reply.put(&k::OBJECT, word(&k::INTERACTION));
    if let Some(model) = &draft.model {
        reply.put(&MODEL, Value::Text(model.share()));
    }
    reply.value()
}

fn error<H: Host>(message: Text<H>, FailureRow(_, code, _): FailureRow) -> Value<H> {
    let mut error = Map::default();
    error.put(&k::MESSAGE, Value::Text(message));
    error.put(&k::CODE, text(code));
    error.value()
}

/// `{"error": {"message", "code"}}`
pub(super) fn failure<H: Host>(message: Text<H>, row: FailureRow) -> Value<H> {
    let mut body = Map::default();
    body.put(&k::ERROR, error(message, row));
    body.value()
}

pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut summary = Map::default();
    summary.put(&k::TYPE, word(&k::TEXT));
    summary.put(&k::TEXT, Value::Text(thought));
    let mut step = Map::default();
    step.put(&k::TYPE, word(&k::THOUGHT));
    step.put(&k::SUMMARY, Value::List([summary.value()].into()));
    step.value()
}
