//! Writes whole replies as the list of the events of a run.

use super::end::WORDS;
use super::keys as k;
use crate::{
    model::head::MODEL,
    value::{Host, Key, Sink, Source, Text, Tree},
    wire::{
        response::{
            Amount, Around, Closing, Count, Draft, FailureRow, FailureRows, FailureWords, ResponseRule, Texts,
            UsageRule,
        },
        stream::out::{map, one, text, word},
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
    required: &[],
    echoes: &[],
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

/// Writes a run, whose ids are made from the id of the reply.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let around = &draft.around;
    event(out, &k::RUN_STARTED, |out| ids(around, out));
    for (at, message) in draft.messages.iter().enumerate() {
        let message = Tree(message);
        let own = message.get(&k::ID).filter(|_| draft.own).and_then(|id| id.text());
        said(&message, &own.unwrap_or_else(|| around.item("msg_", at)), out);
    }
    event(out, &k::RUN_FINISHED, |out| finished(around, &draft.closing, out));
}

/// Writes an event of a type.
fn event<H: Host, K: Sink<H>>(out: &mut K, kind: &'static Key, said: impl FnOnce(&mut K)) {
    out.open_map();
    word(out, &k::TYPE, kind);
    said(out);
    out.close();
}

/// Writes the ids of the run: those of the request, or those of the reply.
pub(super) fn ids<H: Host, K: Sink<H>>(around: &Around<H>, out: &mut K) {
    let asked = |key| around.wanted.says(key)?.text();
    text(out, &k::THREAD_ID, &asked(&k::THREAD_ID).unwrap_or_else(|| around.named("thread_")));
    text(out, &k::RUN_ID, asked(&k::RUN_ID).as_ref().unwrap_or(&around.id));
}

/// Writes the end of a run behind its type: what it cost, and its model, if they are known.
pub(super) fn finished<H: Host, K: Sink<H>>(around: &Around<H>, closing: &Closing<H>, out: &mut K) {
    ids(around, out);
    map(out, &k::OUTCOME, |out| text(out, &k::TYPE, &closing.word));
    if around.model.is_some() || closing.counts().is_some() {
        one(out, &k::USAGE, |out| {
            around.model(&MODEL, out);
            closing.write_counts(out);
        });
    }
}

/// The run of an error.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    event(out, &k::RUN_ERROR, |out| failed(words, out));
}

/// Writes an error behind its type.
pub(super) fn failed<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    text(out, &k::MESSAGE, &words.message);
    text(out, &k::CODE, &words.kind);
}

/// A message with the model's reasoning.
pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    word(out, &k::ROLE, &k::REASONING);
    text(out, &k::CONTENT, said);
}

/// Writes the events of a message of the model.
fn said<H: Host, K: Sink<H>>(message: &Tree<'_, H>, id: &Text<H>, out: &mut K) {
    let words = |node: &Tree<'_, H>, key| node.get(key).and_then(|value| value.text()).unwrap_or_else(|| Text::own(""));
    let said = words(message, &k::CONTENT);
    let mut about = |kind, more: Option<(&'static Key, Text<H>)>| {
        event(out, kind, |out| {
            text(out, &k::MESSAGE_ID, id);
            if let Some((key, more)) = &more {
                text(out, key, more);
            }
        });
    };
    let role = |role: &'static Key| Some((&k::ROLE, Text::own(role.name)));
    if words(message, &k::ROLE).is(k::REASONING.name, None) {
        about(&k::REASONING_START, None);
        about(&k::REASONING_MESSAGE_START, role(&k::REASONING));
        if !said.is_empty() {
            about(&k::REASONING_CONTENT, Some((&k::DELTA, said)));
        }
        about(&k::REASONING_MESSAGE_END, None);
        about(&k::REASONING_END, None);
        return;
    }
    if !said.is_empty() {
        about(&k::TEXT_START, role(&k::ASSISTANT));
        about(&k::TEXT_CONTENT, Some((&k::DELTA, said)));
        about(&k::TEXT_END, None);
    }
    for call in message.get(&k::TOOL_CALLS).iter().flat_map(Source::items) {
        let call_id = words(&call, &k::ID);
        let function = call.get(&k::FUNCTION).unwrap_or(call);
        event(out, &k::TOOL_START, |out| {
            text(out, &k::TOOL_CALL_ID, &call_id);
            text(out, &k::TOOL_NAME, &words(&function, &k::NAME));
            text(out, &k::PARENT_ID, id);
        });
        event(out, &k::TOOL_ARGS, |out| {
            text(out, &k::TOOL_CALL_ID, &call_id);
            text(out, &k::DELTA, &words(&function, &k::ARGUMENTS));
        });
        event(out, &k::TOOL_END, |out| text(out, &k::TOOL_CALL_ID, &call_id));
    }
}
