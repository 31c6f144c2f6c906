//! What Ollama's replies say beside their messages: counts stand in the reply itself.

use super::{EVAL_COUNT, PROMPT_EVAL_COUNT};
use crate::{
    dialects::chat::response,
    wire::response::{
        end::{
            EndWord::{Fails, Nearest, Says},
            EndWords,
        },
        rule::ResponseRule,
        usage::{Amount, Count, UsageRule},
    },
};

/// The server's words for `done_reason`; calls end with `stop`, too.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: "done_reason",
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
        counts: &[Count::maybe(&PROMPT_EVAL_COUNT, Amount::Input), Count::maybe(&EVAL_COUNT, Amount::Output)],
    },
    ..response::RULE
};
