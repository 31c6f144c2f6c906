//! Writes Anthropic's replies around their content.

use super::end::WORDS;
use super::keys as k;
use crate::{
    value::{Host, Sink, Source, Text, Tree, door::keys},
    wire::{
        response::{
            Amount, Around, Closing, Count, Draft, FailureRow, FailureRows, FailureWords, Passed, ReplyKeys, Required,
            ResponseRule, Sentence, Texts, TooLongWords, UsageRule, draft::listed,
        },
        stream::out::{map, null, text, text_or_null, value, word},
    },
};

keys! {
    CATEGORY = "category";
}

/// The SDK's `StopReason` and `Usage`. Clients read the counts without checking that they exist.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "msg_",
    end: ".stop_reason",
    keys: ReplyKeys {
        read: "id role model content stop_reason usage stop_details.explanation",
        passed: &[(Passed::Kind, "type stop_details.type")],
    },
    texts: Texts::Free,
    answers: false,
    words: WORDS,
    bad_call: None,
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
    error_forms: &[&[".type", ".error.type", ".error.message"]],
    names_request: true,
    too_long: TOO_LONG,
    tier: None,
    required: &[Required::Model(&k::MODEL)],
    echoes: &[],
};

/// Clients shorten their history by the first sentence, and ask for a smaller answer by the last.
const TOO_LONG: TooLongWords = TooLongWords {
    numbers: Sentence("prompt is too long: {N} tokens > {M} maximum", "prompt is too long"),
    bare: Sentence("prompt is too long: {S}", "prompt is too long"),
    both: Sentence::OVER_LIMIT,
    ..TooLongWords::NONE
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
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let content = draft.message().and_then(|message| Tree(message).get(&k::CONTENT));
    let content = listed(content, spoken);
    head(&draft.around, out);
    value(out, &k::CONTENT, &content);
    stop(Some(&draft.closing), out);
    if let Some(why) = &draft.refusal {
        map(out, &k::STOP_DETAILS, |out| {
            word(out, &k::TYPE, &k::REFUSAL);
            null(out, &CATEGORY);
            text(out, &k::EXPLANATION, why);
        });
    }
    draft.closing.write_usage(out);
}

/// Writes the keys before the content.
pub(super) fn head<H: Host, K: Sink<H>>(around: &Around<H>, out: &mut K) {
    text(out, &k::ID, &around.id);
    word(out, &k::TYPE, &k::MESSAGE);
    word(out, &k::ROLE, &k::ASSISTANT);
    around.required(out);
}

/// Writes why the message ended, if it has.
pub(super) fn stop<H: Host, K: Sink<H>>(closing: Option<&Closing<H>>, out: &mut K) {
    text_or_null(out, &k::STOP_REASON, closing.map(|closing| &closing.word));
    null(out, &k::STOP_SEQUENCE);
}

pub(super) fn spoken<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::TEXT);
    text(out, &k::TEXT, said);
}

/// The type requires the key of the signature, but only the provider's own models can sign.
pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::THINKING);
    text(out, &k::THINKING, said);
    word(out, &k::SIGNATURE, &k::EMPTY);
}

/// `{"type": "error", "error": {"type", "message"}}`, also as an event.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    word(out, &k::TYPE, &k::ERROR);
    map(out, &k::ERROR, |out| {
        text(out, &k::TYPE, &words.kind);
        text(out, &k::MESSAGE, &words.message);
    });
    if let Some(request) = &words.request {
        text(out, &k::REQUEST_ID, request);
    }
}
