//! What Mistral's replies say beside their messages. Its client checks that every key is there.

use crate::{
    dialects::chat::response::{self, FAILURES, USAGE_RULE},
    wire::response::{
        end::{
            EndWord::{Nearest, Says},
            EndWords,
        },
        rule::ResponseRule,
        usage::UsageRule,
    },
};

/// The client's `ChatCompletionChoiceFinishReason`: no word for what was refused, filtered or not finished.
pub(super) const RULE: ResponseRule = ResponseRule {
    id: "",
    words: EndWords {
        refusal: Nearest("stop"),
        filtered: Nearest("stop"),
        error: Says("error"),
        ..response::RULE.words
    },
    usage: UsageRule { needed: true, ..USAGE_RULE },
    failures: FAILURES,
    ..response::RULE
};
