//! Writes Ollama's replies around their messages. The counts are keys of the reply itself.

use super::keys as k;
use crate::{
    dialects::chat::response,
    value::{Host, Text, Value},
    wire::{
        response::{
            Amount, Count, Draft, EndWords, FailureRow, ResponseRule, UsageRule,
            draft::text,
            end::EndWord::{Fails, Nearest, Says},
        },
        stream::Map,
    },
};

/// The server's words for `done_reason`. A reply with calls ends with `stop` too.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: ".done_reason",
    known: "model created_at message done done_reason total_duration load_duration prompt_eval_count prompt_eval_duration \
            eval_count eval_duration",
    words: EndWords {
        stop: Says("stop"),
        tool_calls: Says("stop"),
        length: Says("length"),
        refusal: Nearest("stop"),
        filtered: Nearest("stop"),
        paused: Nearest("stop"),
        error: Fails,
    },
    usage: UsageRule {
        key: None,
        needed: false,
        counts: &[Count::maybe(&k::PROMPT_EVAL_COUNT, Amount::Input), Count::maybe(&k::EVAL_COUNT, Amount::Output)],
        also: &[],
    },
    ..response::RULE
};

/// The client's `ChatResponse`. The durations are unknown.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let message = response::message(draft, None);
    let mut reply = Map::default();
    let model = draft.model(&k::MODEL);
    reply.put(&k::MODEL, model);
    let created = draft.created_date(&k::CREATED_AT);
    reply.put(&k::CREATED_AT, created);
    reply.put(&k::MESSAGE, message);
    reply.put(&k::DONE, Value::Bool(true));
    reply.put(&k::DONE_REASON, text(draft.word));
    draft.usage(&mut reply);
    reply.value()
}

/// `{"error": "words"}`
pub(super) fn failure<H: Host>(message: Text<H>, _: FailureRow) -> Value<H> {
    let mut body = Map::default();
    body.put(&k::ERROR, Value::Text(message));
    body.value()
}
