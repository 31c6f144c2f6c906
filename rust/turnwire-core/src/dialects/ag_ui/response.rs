//! Writes whole replies as the list of the events of a run.

use super::end::WORDS;
use super::keys as k;
use crate::{
    model::head::MODEL,
    value::{Host, Key, Source, Text, Tree, Value},
    wire::{
        response::{Amount, Count, Draft, FailureRow, FailureRows, ResponseRule, Texts, UsageRule, draft::text},
        stream::{Map, whole::word},
    },
};

/// The protocol's `RunFinishedOutcome` and `TokenUsage`. An interrupt needs questions to the user, which no model asks.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "run_",
    end: ".outcome.type",
    known: "threadId runId messages outcome usage error",
    texts: Texts::Apart,
    answers: true,
    words: WORDS,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::maybe(&k::INPUT_TOKENS, Amount::Input),
            Count::maybe(&k::OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&k::TOTAL_TOKENS, Amount::Total),
            Count::maybe(&k::REASONING_TOKENS, Amount::Reasoning),
            Count::maybe(&k::CACHED_INPUT_TOKENS, Amount::Cached),
            Count::maybe(&k::CACHE_WRITE_INPUT_TOKENS, Amount::Written),
        ],
        also: &[],
    },
    failures: FAILURES,
};

/// The protocol leaves the codes to the server.
const FAILURES: FailureRows = &[
    FailureRow(400, "invalid_request", ""),
    FailureRow(400, "context_length_exceeded", ""),
    FailureRow(401, "unauthorized", ""),
    FailureRow(429, "rate_limited", ""),
    FailureRow(402, "insufficient_quota", ""),
    FailureRow(403, "forbidden", ""),
    FailureRow(404, "not_found", ""),
    FailureRow(409, "conflict", ""),
    FailureRow(413, "too_large", ""),
    FailureRow(503, "overloaded", ""),
    FailureRow(504, "timeout", ""),
    FailureRow(500, "server_error", ""),
];

/// The ids of the run are made from the id of the reply.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let thread = draft.asked_text(&k::THREAD_ID).unwrap_or_else(|| text(&draft.tail.reply("thread_")));
    let run = draft.asked_text(&k::RUN_ID).unwrap_or_else(|| draft.id(RULE.id));
    let ids = || [(&k::THREAD_ID, thread.share()), (&k::RUN_ID, run.share())];
    let mut events = vec![event(&k::RUN_STARTED, ids())];
    for (at, message) in draft.messages.iter().enumerate() {
        let message = Tree(message);
        let own = message.get(&k::ID).filter(|_| draft.own).map(|id| id.0.share());
        said(&message, &own.unwrap_or_else(|| text(&draft.tail.item("msg_", at))), &mut events);
    }
    let mut outcome = Map::default();
    outcome.put(&k::TYPE, text(draft.word));
    let counts = draft.counts.take().map(|(_, counts)| counts.value());
    let cost = cost(draft.model.as_ref(), counts.as_ref()).map(|cost| (&k::USAGE, cost));
    events.push(event(&k::RUN_FINISHED, ids().into_iter().chain([(&k::OUTCOME, outcome.value())]).chain(cost)));
    Value::List(events.into())
}

/// What the run cost, and its model, if they are known.
pub(super) fn cost<H: Host>(model: Option<&Text<H>>, counts: Option<&Value<H>>) -> Option<Value<H>> {
    let mut cost = Map::default();
    if let Some(model) = model.filter(|model| !model.is_empty()) {
        cost.put(&MODEL, Value::Text(model.share()));
    }
    if let Some(counts) = counts {
        cost.rest(counts);
    }
    Some(Value::List([cost.some()?].into()))
}

/// The run of an error.
pub(super) fn failure<H: Host>(message: Text<H>, FailureRow(_, code, _): FailureRow) -> Value<H> {
    Value::List([event(&k::RUN_ERROR, [(&k::MESSAGE, Value::Text(message)), (&k::CODE, text(code))])].into())
}

/// A message with the model's reasoning.
pub(super) fn thought<H: Host>(thought: Text<H>) -> Value<H> {
    let mut message = Map::default();
    message.put(&k::ROLE, word(&k::REASONING));
    message.put(&k::CONTENT, Value::Text(thought));
    message.value()
}

type Entry<H> = (&'static Key, Value<H>);

fn event<H: Host>(kind: &'static Key, entries: impl IntoIterator<Item = Entry<H>>) -> Value<H> {
    let mut event = Map::default();
    event.put(&k::TYPE, word(kind));
    entries.into_iter().for_each(|(key, value)| event.put(key, value));
    event.value()
}

/// Writes the events of a message of the model.
fn said<H: Host>(message: &Tree<'_, H>, id: &Value<H>, events: &mut Vec<Value<H>>) {
    let value = |node: &Tree<'_, H>, key| node.get(key).map_or_else(|| word(&k::EMPTY), |value| value.0.share());
    let mut push = |kind, entries: Vec<Entry<H>>| events.push(event(kind, entries));
    let words = value(message, &k::CONTENT);
    let some = matches!(&words, Value::Text(words) if !words.is_empty());
    let is = |key: &'static Key| {
        message.get(&k::ROLE).and_then(|role| role.text()).is_some_and(|role| role.is(key.name, None))
    };
    if is(&k::REASONING) {
        push(&k::REASONING_START, vec![(&k::MESSAGE_ID, id.share())]);
        push(&k::REASONING_MESSAGE_START, vec![(&k::MESSAGE_ID, id.share()), (&k::ROLE, word(&k::REASONING))]);
        if some {
            push(&k::REASONING_CONTENT, vec![(&k::MESSAGE_ID, id.share()), (&k::DELTA, words)]);
        }
        push(&k::REASONING_MESSAGE_END, vec![(&k::MESSAGE_ID, id.share())]);
        push(&k::REASONING_END, vec![(&k::MESSAGE_ID, id.share())]);
        return;
    }
    if some {
        push(&k::TEXT_START, vec![(&k::MESSAGE_ID, id.share()), (&k::ROLE, word(&k::ASSISTANT))]);
        push(&k::TEXT_CONTENT, vec![(&k::MESSAGE_ID, id.share()), (&k::DELTA, words)]);
        push(&k::TEXT_END, vec![(&k::MESSAGE_ID, id.share())]);
    }
    for call in message.get(&k::TOOL_CALLS).iter().flat_map(Source::items) {
        let call_id = value(&call, &k::ID);
        let function = call.get(&k::FUNCTION).unwrap_or(call);
        push(
            &k::TOOL_START,
            vec![
                (&k::TOOL_CALL_ID, call_id.share()),
                (&k::TOOL_NAME, value(&function, &k::NAME)),
                (&k::PARENT_ID, id.share()),
            ],
        );
        push(&k::TOOL_ARGS, vec![(&k::TOOL_CALL_ID, call_id.share()), (&k::DELTA, value(&function, &k::ARGUMENTS))]);
        push(&k::TOOL_END, vec![(&k::TOOL_CALL_ID, call_id)]);
    }
}
