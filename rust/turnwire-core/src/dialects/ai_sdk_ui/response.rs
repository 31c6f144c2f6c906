//! Writes whole replies: a message with its usage and its model in its metadata, and why it ended.

use super::{
    end::WORDS,
    keys::{
        ASSISTANT, CACHE_READ, CACHE_WRITE, CACHED, ERROR_TEXT, FAILED, FINISH_REASON, ID, INPUT, INPUT_DETAILS,
        INPUT_TOKENS, METADATA, OUTPUT_DETAILS, OUTPUT_ERROR, OUTPUT_TOKENS, PARTS, RAW_INPUT, REASONING_TOKENS,
        RESPONSE_MESSAGE, ROLE, STATE, STEP_START, TYPE, USAGE,
    },
    tool::{INPUT_AVAILABLE, STREAMING},
};
use crate::{
    model::{INVALID_ARGUMENTS, head::MODEL},
    value::{ArgsState, Host, Source, Text, Tree, Value, door::keys, json::read::args_state},
    wire::{
        response::{Amount, Count, Draft, FailureRow, FailureRows, ResponseRule, Texts, UsageRule, draft::text},
        stream::{
            Map,
            whole::{changed, word},
        },
    },
};

keys! {
    TOTAL_TOKENS = "totalTokens";
}

/// The SDK's `FinishReason` and `LanguageModelUsage`. Its `messages` repeat the request; the `state` of a text says whether
/// more of it may come.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "msg_",
    end: ".finishReason",
    known: "responseMessage finishReason isAborted isContinuation messages errorText state metadata.usage metadata.totalUsage \
            metadata.model",
    texts: Texts::Free,
    answers: true,
    words: WORDS,
    usage: UsageRule {
        key: Some(&USAGE),
        needed: false,
        counts: &[
            Count::maybe(&INPUT_TOKENS, Amount::Input),
            Count::maybe(&CACHE_READ, Amount::Cached).within(&INPUT_DETAILS),
            Count::maybe(&CACHE_WRITE, Amount::Written).within(&INPUT_DETAILS),
            Count::maybe(&OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&REASONING_TOKENS, Amount::Reasoning).within(&OUTPUT_DETAILS),
            Count::maybe(&TOTAL_TOKENS, Amount::Total),
        ],
        also: &[
            // Version 5 has no details.
            Count::maybe(&CACHED, Amount::Cached),
            Count::maybe(&REASONING_TOKENS, Amount::Reasoning),
        ],
    },
    failures: FAILURES,
};

/// For an error the SDK has only a text.
const FAILURES: FailureRows = &[
    FailureRow(400, "error", ""),
    FailureRow(400, "error", ""),
    FailureRow(401, "error", ""),
    FailureRow(429, "error", ""),
    FailureRow(402, "error", ""),
    FailureRow(403, "error", ""),
    FailureRow(404, "error", ""),
    FailureRow(409, "error", ""),
    FailureRow(413, "error", ""),
    FailureRow(503, "error", ""),
    FailureRow(504, "error", ""),
    FailureRow(500, "error", ""),
];

/// Writes the message with its keys in the SDK's order. A message of the SDK stays unchanged.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let message = draft.message();
    let mut reply = Map::default();
    let own = message.as_ref().filter(|_| draft.own).map(Value::share);
    reply.put(&RESPONSE_MESSAGE, own.unwrap_or_else(|| made(draft, message.as_ref())));
    reply.put(&FINISH_REASON, text(draft.word));
    reply.value()
}

/// A message made from another format's reply, with the id of the reply.
fn made<H: Host>(draft: &mut Draft<'_, H>, message: Option<&Value<H>>) -> Value<H> {
    let mut whole = Map::default();
    whole.put(&ID, draft.id(RULE.id));
    whole.put(&ROLE, word(&ASSISTANT));
    let usage = draft.counts.take().map(|(_, counts)| counts.value());
    whole.maybe(&METADATA, beside(draft.model.as_ref(), usage.as_ref()).as_ref());
    whole.put(&PARTS, parts(message.and_then(|message| Tree(message).get(&PARTS)).map(|parts| parts.0)));
    whole.value()
}

/// The metadata of a message: its model and its usage, if they are known.
pub(super) fn beside<H: Host>(model: Option<&Text<H>>, usage: Option<&Value<H>>) -> Option<Value<H>> {
    let mut metadata = Map::default();
    if let Some(model) = model.filter(|model| !model.is_empty()) {
        metadata.put(&MODEL, Value::Text(model.share()));
    }
    metadata.maybe(&USAGE, usage);
    metadata.some()
}

/// The reply of an error.
pub(super) fn failure<H: Host>(message: Text<H>) -> Value<H> {
    let mut failed = Map::default();
    failed.put(&FINISH_REASON, word(&FAILED));
    failed.put(&ERROR_TEXT, Value::Text(message));
    failed.value()
}

/// The parts of a step. A call whose arguments are not an object must not be run by a client.
fn parts<H: Host>(parts: Option<&Value<H>>) -> Value<H> {
    let Some(Value::List(parts)) = parts else { return Value::List([].into()) };
    let is_mark = |part: &Value<H>| {
        Tree(part).get(&TYPE).and_then(|kind| kind.text()).is_some_and(|kind| kind.is(STEP_START.name, None))
    };
    let mut all = Vec::new();
    if !parts.first().is_none_or(is_mark) {
        let mut mark = Map::default();
        mark.put(&TYPE, word(&STEP_START));
        all.push(mark.value());
    }
    all.extend(parts.iter().map(settled));
    Value::List(all.into())
}

/// A part. A call whose arguments are not an object gets the state that the SDK gives such a call.
fn settled<H: Host>(part: &Value<H>) -> Value<H> {
    let node = Tree(part);
    let text = |key| node.get(key).and_then(|value| value.text());
    let waits = text(&STATE).is_some_and(|state| state.is(INPUT_AVAILABLE, None));
    let Some(input) = text(&INPUT).filter(|_| waits) else { return part.share() };
    match args_state(&input.wtf8(None)) {
        ArgsState::Object => part.share(),
        ArgsState::Incomplete => changed(part, vec![(&STATE, Value::Text(Text::own(STREAMING)))]),
        ArgsState::Invalid => {
            let Value::Map(entries) = part else { return part.share() };
            let mut failed = Map::default();
            for (key, value) in entries.iter() {
                let name = if key.is(INPUT.name, None) { Text::own(RAW_INPUT.name) } else { key.share() };
                failed.entry(name, value.share());
            }
            let error = Value::Text(Text::own(INVALID_ARGUMENTS));
            changed(&failed.value(), vec![(&STATE, word(&OUTPUT_ERROR)), (&ERROR_TEXT, error)])
        }
    }
}
