//! Writes Cohere's replies around their messages.

use super::keys::{BILLED_UNITS, INPUT_TOKENS, OUTPUT_TOKENS, TOKENS};
use crate::{
    dialects::chat::{
        keys::{CACHED_TOKENS, CONTENT, FINISH_REASON, ID, MESSAGE, TEXT, THINKING, TYPE, USAGE},
        response,
    },
    value::{Host, Key, Source, Text, Tree, Value},
    wire::{
        response::{
            Amount, Count, Draft, EndWords, FailureRow, ResponseRule, UsageRule,
            draft::{listed, text},
            end::EndWord::{Nearest, Says},
        },
        stream::{
            Map,
            whole::{changed, word},
        },
    },
};

/// The reference's `ChatFinishReason`. The billed tokens are unknown.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: ".finish_reason",
    known: "id finish_reason message usage",
    words: EndWords {
        stop: Says("COMPLETE"),
        tool_calls: Says("TOOL_CALL"),
        length: Says("MAX_TOKENS"),
        refusal: Nearest("COMPLETE"),
        filtered: Nearest("ERROR"),
        paused: Nearest("COMPLETE"),
        error: Says("ERROR"),
    },
    usage: UsageRule {
        key: Some(&USAGE),
        needed: false,
        counts: &[
            Count::maybe(&INPUT_TOKENS, Amount::Input).within(&TOKENS),
            Count::maybe(&OUTPUT_TOKENS, Amount::Output).within(&TOKENS),
            Count::maybe(&CACHED_TOKENS, Amount::Cached),
        ],
        also: &[
            // A reply may have only what it bills.
            Count::maybe(&INPUT_TOKENS, Amount::Input).within(&BILLED_UNITS),
            Count::maybe(&OUTPUT_TOKENS, Amount::Output).within(&BILLED_UNITS),
        ],
    },
    ..response::RULE
};

/// The client's `V2ChatResponse`, whose content is a list.
pub(super) fn write<H: Host>(draft: &mut Draft<'_, H>) -> Value<H> {
    let message = response::message(draft, Vec::new());
    let content = listed(Tree(&message).get(&CONTENT), |text| block(&TEXT, text));
    let mut reply = Map::default();
    reply.put(&ID, draft.id(RULE.id));
    reply.put(&FINISH_REASON, text(draft.word));
    reply.put(&MESSAGE, changed(&message, vec![(&CONTENT, content)]));
    draft.usage(&mut reply);
    reply.value()
}

/// `{"type": kind, kind: said}`
fn block<H: Host>(kind: &'static Key, said: Value<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&TYPE, word(kind));
    block.put(kind, said);
    block.value()
}

pub(super) fn thought<H: Host>(text: Text<H>) -> Value<H> {
    block(&THINKING, Value::Text(text))
}

/// `{"message"}`
pub(super) fn failure<H: Host>(message: Text<H>, _: FailureRow) -> Value<H> {
    let mut body = Map::default();
    body.put(&MESSAGE, Value::Text(message));
    body.value()
}
