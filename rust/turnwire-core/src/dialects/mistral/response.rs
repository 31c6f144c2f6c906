//! Writes Mistral's replies around their messages. Its client requires every key.

use super::keys as k;
use crate::{
    dialects::chat::response::{self, FAILURES, USAGE_RULE, described},
    value::{Host, Sink, Text, Value},
    wire::{
        response::{
            EndWords, FailureWords, ResponseRule, UsageRule,
            end::EndWord::{Nearest, Says},
        },
        stream::{Map, out, whole::word},
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
pub(super) fn thought<H: Host>(text: Text<H>) -> Value<H> {
    let mut chunk = Map::default();
    chunk.put(&k::TYPE, word(&k::TEXT));
    chunk.put(&k::TEXT, Value::Text(text));
    let mut thought = Map::default();
    thought.put(&k::TYPE, word(&k::THINKING));
    thought.put(&k::THINKING, Value::List([chunk.value()].into()));
    thought.value()
}

/// `{"object": "error", "message", "type", "param", "code"}`
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    out.open_map();
    out::word(out, &k::OBJECT, &k::ERROR);
    described(words, out);
    out.close();
}
