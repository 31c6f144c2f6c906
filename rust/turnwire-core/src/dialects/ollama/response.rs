//! Writes Ollama's replies around their messages. The counts are keys of the reply itself.

use super::keys as k;
use crate::{
    dialects::chat::response,
    value::{Host, Sink},
    wire::{
        response::{
            Amount, Around, Closing, Count, Draft, EndWords, FailureWords, ReplyKeys, Required, ResponseRule, Sentence,
            TooLongWords, UsageRule,
            end::EndWord::{Fails, Nearest, Says},
        },
        stream::out::{text, value},
    },
};

/// The server's words for `done_reason`. A reply with calls ends with `stop` too.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: ".done_reason",
    keys: ReplyKeys {
        read: "model created_at message done done_reason prompt_eval_count eval_count total_duration load_duration \
               prompt_eval_duration eval_duration",
        passed: &[],
    },
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
    required: &[Required::Model(&k::MODEL), Required::Date(&k::CREATED_AT)],
    too_long: TOO_LONG,
    error_forms: &[&[".error"]],
    tier: None,
    ..response::RULE
};

/// The server's sentence.
const TOO_LONG: TooLongWords = TooLongWords {
    numbers: Sentence("prompt too long; exceeded max context length by {X} tokens", "prompt too long"),
    bare: Sentence("prompt too long; exceeded max context length: {S}", "prompt too long"),
    ..TooLongWords::NONE
};

/// The client's `ChatResponse`. The durations are unknown.
pub(super) fn write<H: Host, K: Sink<H>>(draft: &Draft<H>, out: &mut K) {
    let message = response::message(draft, None);
    line(&draft.around, Some(&draft.closing), out, |out| value(out, &k::MESSAGE, &message));
}

/// A whole reply, or a line of a stream: its message, and how it ended if this is the end.
pub(super) fn line<H: Host, K: Sink<H>>(
    around: &Around<H>,
    end: Option<&Closing<H>>,
    out: &mut K,
    message: impl FnOnce(&mut K),
) {
    around.required(out);
    message(out);
    out.key(&k::DONE);
    out.bool(end.is_some());
    if let Some(closing) = end {
        text(out, &k::DONE_REASON, &closing.word);
        closing.write_usage(out);
    }
}

/// `{"error": "words"}`, also as a line.
pub(super) fn failure<H: Host, K: Sink<H>>(words: &FailureWords<H>, out: &mut K) {
    text(out, &k::ERROR, &words.message);
}
