//! What Cohere's replies say beside their messages.

use super::{INPUT_TOKENS, OUTPUT_TOKENS, TOKENS};
use crate::{
    dialects::chat::{
        reply::{CACHED_TOKENS, USAGE},
        response,
    },
    wire::response::{
        end::{
            EndWord::{Nearest, Says},
            EndWords,
        },
        rule::ResponseRule,
        usage::{Amount, Count, UsageRule},
    },
};

/// The reference's `ChatFinishReason`. What was billed is not known.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    end: "finish_reason",
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
    },
    ..response::RULE
};
