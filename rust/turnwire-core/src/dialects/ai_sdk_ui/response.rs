//! Writes whole replies: a message with its usage and its model in its metadata, and why it ended.

use super::keys as k;
use super::{
    end::WORDS,
    tool::{INPUT_AVAILABLE, STREAMING},
};
use crate::{
    model::{INVALID_ARGUMENTS, head::MODEL},
    value::{ArgsState, Host, Key, Sink, Source, Text, Tree, Value, door::keys, json::read::args_state},
    wire::{
        response::{
            Amount, Count, Draft, FailureRow, FailureRows, FailureWords, ReplyKeys, ResponseRule, Texts, TooLongWords,
            UsageRule,
        },
        stream::{
            Map,
            out::{map, text, value, word},
            whole::{self, changed},
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
    keys: ReplyKeys {
        read: "responseMessage finishReason isAborted isContinuation messages errorText state metadata.usage \
               metadata.totalUsage metadata.model",
        passed: &[],
    },
    texts: Texts::Free,
    answers: true,
    words: WORDS,
    bad_call: None,
    usage: UsageRule {
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::maybe(&k::INPUT_TOKENS, Amount::Input),
            Count::maybe(&k::CACHE_READ, Amount::Cached).within(&k::INPUT_DETAILS),
            Count::maybe(&k::CACHE_WRITE, Amount::Written).within(&k::INPUT_DETAILS),
            Count::maybe(&k::OUTPUT_TOKENS, Amount::Output),
            Count::maybe(&k::REASONING_TOKENS, Amount::Reasoning).within(&k::OUTPUT_DETAILS),
            Count::maybe(&TOTAL_TOKENS, Amount::Total),
        ],
        also: &[
            // Version 5 has no details.
            Count::maybe(&k::CACHED_INPUT_TOKENS, Amount::Cached),
            Count::maybe(&k::REASONING_TOKENS, Amount::Reasoning),
        ],
    },
    failures: FAILURES,
    error_forms: &[],
    names_request: false,
    too_long: TooLongWords::NONE,
    tier: None,
    required: &[],
    echoes: &[],
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
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let message = draft.message();
    match message.filter(|_| draft.own) {
        Some(own) => value(out, &k::RESPONSE_MESSAGE, own),
        // A message made from another format's reply has the id of the reply.
        None => map(out, &k::RESPONSE_MESSAGE, |out| {
            text(out, &k::ID, &draft.around.id);
            word(out, &k::ROLE, &k::ASSISTANT);
            metadata(out, &k::METADATA, draft.around.model.as_ref(), draft.closing.counts());
            let parts = message.and_then(|message| Tree(message).get(&k::PARTS));
            value(out, &k::PARTS, &parts_of(parts.map(|parts| parts.0)));
        }),
    }
    text(out, &k::FINISH_REASON, &draft.closing.word);
}

/// Writes the metadata of a message: its model and its usage, if they are known.
pub(super) fn metadata<H: Host, K: Sink<H>>(
    out: &mut K,
    key: &'static Key,
    model: Option<&Text<H>>,
    usage: Option<&Value<H>>,
) {
    if model.is_none() && usage.is_none() {
        return;
    }
    map(out, key, |out| {
        if let Some(model) = model {
            text(out, &MODEL, model);
        }
        if let Some(usage) = usage {
            value(out, &k::USAGE, usage);
        }
    });
}

/// The reply of an error.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    word(out, &k::FINISH_REASON, &k::ERROR);
    text(out, &k::ERROR_TEXT, &words.message);
}

/// The parts of a step. A call whose arguments are not an object must not be run by a client.
fn parts_of<H: Host>(parts: Option<&Value<H>>) -> Value<H> {
    let Some(Value::List(parts)) = parts else { return Value::List([].into()) };
    let is_mark = |part: &Value<H>| {
        Tree(part).get(&k::TYPE).and_then(|kind| kind.text()).is_some_and(|kind| kind.is(k::STEP_START.name, None))
    };
    let mut all = Vec::new();
    if !parts.first().is_none_or(is_mark) {
        let mut mark = Map::default();
        mark.put(&k::TYPE, whole::word(&k::STEP_START));
        all.push(mark.value());
    }
    all.extend(parts.iter().map(settled));
    Value::List(all.into())
}

/// A part. A call whose arguments are not an object gets the state that the SDK gives such a call.
fn settled<H: Host>(part: &Value<H>) -> Value<H> {
    let node = Tree(part);
    let text = |key| node.get(key).and_then(|value| value.text());
    let waits = text(&k::STATE).is_some_and(|state| state.is(INPUT_AVAILABLE, None));
    let Some(input) = text(&k::INPUT).filter(|_| waits) else { return part.share() };
    match args_state(&input.wtf8(None)) {
        ArgsState::Object => part.share(),
        ArgsState::Incomplete => changed(part, vec![(&k::STATE, Value::Text(Text::own(STREAMING)))]),
        ArgsState::Invalid => {
            let Value::Map(entries) = part else { return part.share() };
            let mut failed = Map::default();
            for (key, value) in entries.iter() {
                let name = if key.is(k::INPUT.name, None) { Text::own(k::RAW_INPUT.name) } else { key.share() };
                failed.entry(name, value.share());
            }
            let error = Value::Text(Text::own(INVALID_ARGUMENTS));
            changed(&failed.value(), vec![(&k::STATE, whole::word(&k::OUTPUT_ERROR)), (&k::ERROR_TEXT, error)])
        }
    }
}
