//! Writes Mistral's replies around their messages. Its client requires every key.

use super::keys as k;
use crate::{
    dialects::chat::response::{self, FAILURES, USAGE_RULE, described},
    value::{Host, Sink, Text},
    wire::{
        response::{
            EndWords, FailureWords, ResponseRule, Sentence, TooLongWords, UsageRule,
            end::EndWord::{Nearest, Says},
        },
        stream::out::{one, text, word},
    },
};

/// The client's `ChatCompletionChoiceFinishReason`. It has no word for a refused, filtered or unfinished reply.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    words: EndWords {
        refusal: Nearest("stop"),
        filtered: Nearest("stop"),
        error: Says("error"),
        ..response::RULE.words
    },
    usage: UsageRule { needed: true, ..USAGE_RULE },
    failures: FAILURES,
    error_forms: &[&[".message"], &[".message.detail"], &[".detail"]],
    too_long: TOO_LONG,
    tier: None,
    ..response::RULE
};

/// The server's sentence.
const TOO_LONG: TooLongWords = TooLongWords {
    numbers: Sentence(
        "Prompt contains {N} tokens, too large for model with {M} maximum context length",
        "too large for model with",
    ),
    bare: Sentence("Prompt is too large for model with its maximum context length: {S}", "too large for model with"),
    ..TooLongWords::NONE
};

/// `{"type": "thinking", "thinking": [{"type": "text", "text"}]}`
pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, &k::THINKING);
    one(out, &k::THINKING, |out| {
        word(out, &k::TYPE, &k::TEXT);
        text(out, &k::TEXT, said);
    });
}

/// `{"object": "error", "message", "type", "param", "code"}`
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    word(out, &k::OBJECT, &k::ERROR);
    described(words, out);
}
