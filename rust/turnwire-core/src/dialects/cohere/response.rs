//! Writes Cohere's replies around their messages.

use super::keys as k;
use crate::{
    dialects::chat::response,
    value::{Host, Key, Sink, Source, Text, Tree},
    wire::{
        response::{
            Amount, Count, Draft, EndWords, FailureWords, ReplyKeys, ResponseRule, Sentence, TooLongWords, UsageRule,
            draft::listed,
            end::EndWord::{Nearest, Says},
        },
        stream::{
            out::{text, value, word},
            whole::changed,
        },
    },
};

/// The reference's `ChatFinishReason`. The billed tokens are unknown.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: ".finish_reason",
    keys: ReplyKeys { read: "id finish_reason message usage", passed: &[] },
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
    too_long: TOO_LONG,
    error_forms: &[&[".message"]],
    tier: None,
    ..response::RULE
};

/// The server's sentence.
const TOO_LONG: TooLongWords = TooLongWords {
    numbers: Sentence(
        "too many tokens: total number of tokens in the prompt cannot exceed {M} - received {N}",
        "too many tokens",
    ),
    bare: Sentence("too many tokens: {S}", "too many tokens"),
    ..TooLongWords::NONE
};

/// The client's `V2ChatResponse`, whose content is a list.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let message = response::message(draft, None);
    let content = listed(Tree(&message).get(&k::CONTENT), |said, out| block(&k::TEXT, said, out));
    text(out, &k::ID, &draft.around.id);
    text(out, &k::FINISH_REASON, &draft.closing.word);
    value(out, &k::MESSAGE, &changed(&message, vec![(&k::CONTENT, content)]));
    draft.closing.write_usage(out);
}

/// `{"type": kind, kind: said}`
pub(super) fn block<H: Host, K: Sink<H>>(kind: &'static Key, said: &Text<H>, out: &mut K) {
    word(out, &k::TYPE, kind);
    text(out, kind, said);
}

pub(super) fn thought<H: Host, K: Sink<H>>(said: &Text<H>, out: &mut K) {
    block(&k::THINKING, said, out);
}

/// `{"message"}`
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    text(out, &k::MESSAGE, &words.message);
}
