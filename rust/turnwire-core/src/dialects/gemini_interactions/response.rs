//! Writes replies of Interactions around their steps: a status and the usage.

use super::end::WORDS;
use super::keys as k;
use crate::{
    model::head::{MODEL, date},
    value::{Host, Sink, Text, door::keys},
    wire::{
        response::{
            Amount, Around, Count, Draft, FailureRow, FailureRows, FailureWords, Passed, ReplyKeys, ResponseRule,
            Texts, TooLongWords, UsageRule,
        },
        stream::out::{list, map, one, text, word},
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
    keys: ReplyKeys {
        read: "id status steps outputs usage model created error",
        passed: &[
            (Passed::Kind, "object role"),
            (Passed::Echo, "agent agent_config cached_content environment generation_config input labels"),
            (Passed::Echo, "previous_interaction_id response_format response_mime_type response_modalities"),
            (Passed::Echo, "safety_settings store system_instruction tools webhook_config"),
            (Passed::Time, "updated"),
            (Passed::Repeats, "output_audio output_image output_text output_video"),
        ],
    },
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    bad_call: None,
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
    error_forms: &[&[".error.message"], &[".errors[0].message"]],
    names_request: false,
    too_long: TooLongWords::COUNTED,
    tier: None,
    required: &[],
    echoes: &[],
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

/// The SDK's `Interaction`.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    interaction(&draft.around, out, |out| {
        text(out, &k::STATUS, &draft.closing.word);
        draft.closing.write_usage(out);
        list(out, &k::STEPS, &draft.messages);
        if let Some(words) = &draft.failure {
            one(out, &k::ERRORS, |out| error(words, out));
        }
    });
}

/// Writes an interaction, which must only have a status. The times are those of the source.
pub(super) fn interaction<H: Host, K: Sink<H>>(around: &Around<H>, out: &mut K, said: impl FnOnce(&mut K)) {
    text(out, &k::ID, &around.id);
    said(out);
    if let Some(seconds) = around.created {
        let created = Text::own(&date::written(seconds));
        text(out, &k::CREATED, &created);
        text(out, &UPDATED, &created);
    }
    word(out, &k::OBJECT, &k::INTERACTION);
    around.model(&MODEL, out);
}

fn error<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    text(out, &k::MESSAGE, &words.message);
    text(out, &k::CODE, &words.kind);
}

/// `{"error": {"message", "code"}}`, also as an event.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    map(out, &k::ERROR, |out| error(words, out));
}

pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::THOUGHT);
    one(out, &k::SUMMARY, |out| content(said, out));
}

/// A text, as a block or as a piece of one.
pub(super) fn content<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::TEXT);
    text(out, &k::TEXT, said);
}
