//! Writes Cohere's replies around their messages.

use super::keys as k;
use crate::{
    dialects::chat::response,
    value::{Host, Key, Sink, Source, Text, Tree, Value},
    wire::{
        response::{
            Amount, Count, Draft, EndWords, FailureWords, ResponseRule, UsageRule,
            draft::listed,
            end::EndWord::{Nearest, Says},
        },
        stream::{
            Map,
            out::{text, value},
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
        key: Some(&k::USAGE),
        needed: false,
        counts: &[
            Count::maybe(&k::INPUT_TOKENS, Amount::Input).within(&k::TOKENS),
            Count::maybe(&k::OUTPUT_TOKENS, Amount::Output).within(&k::TOKENS),
            Count::maybe(&k::CACHED_TOKENS, Amount::Cached),
        ],
        also: &[
            // A reply may have only what it bills.
            Count::maybe(&k::INPUT_TOKENS, Amount::Input).within(&k::BILLED_UNITS),
            Count::maybe(&k::OUTPUT_TOKENS, Amount::Output).within(&k::BILLED_UNITS),
        ],
    },
    required: &[],
    ..response::RULE
};

/// The client's `V2ChatResponse`, whose content is a list.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let message = response::message(draft, None);
    let content = listed(Tree(&message).get(&k::CONTENT), |text| block(&k::TEXT, text));
    out.open_map();
    text(out, &k::ID, &draft.around.id);
    text(out, &k::FINISH_REASON, &draft.closing.word);
    value(out, &k::MESSAGE, &changed(&message, vec![(&k::CONTENT, content)]));
    draft.closing.write_usage(out);
    out.close();
}

/// `{"type": kind, kind: said}`
fn block<H: Host>(kind: &'static Key, said: Value<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(&k::TYPE, word(kind));
    block.put(kind, said);
    block.value()
}

pub(super) fn thought<H: Host>(text: Text<H>) -> Value<H> {
    block(&k::THINKING, Value::Text(text))
}

/// `{"message"}`
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    out.open_map();
    text(out, &k::MESSAGE, &words.message);
    out.close();
}
