//! Writes Mistral's replies around their messages. Its client requires every key.

use super::keys as k;
use crate::{
    dialects::chat::response::{self, FAILURES, USAGE_RULE, described},
    value::{Host, Sink, Text},
    wire::{
        response::{
            EndWords, FailureWords, ResponseRule, UsageRule,
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
    ..response::RULE
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
