//! Reads and writes the words for the end of a reply.

use crate::{
    model::Finish,
    wire::response::{
        EndWords,
        end::EndWord::{Nearest, Says},
    },
};

/// The words that are written.
pub(super) const WORDS: EndWords = EndWords {
    stop: Says("STOP"),
    tool_calls: Says("STOP"),
    length: Says("MAX_TOKENS"),
    refusal: Nearest("SAFETY"),
    filtered: Says("SAFETY"),
    paused: Says("CONTINUATION"),
    error: Says("MALFORMED_RESPONSE"),
};

/// The SDK's `FinishReason`. A reply with calls ends with STOP too.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "STOP" => Finish::Stop,
        "MAX_TOKENS" => Finish::Length,
        "CONTINUATION" => Finish::Paused,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "MODEL_ARMOR"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        | "ESCALATION"
        | "PUP_LIMITED_DISABLED" => Finish::Filtered,
        "MALFORMED_FUNCTION_CALL"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MISSING_THOUGHT_SIGNATURE"
        | "MALFORMED_RESPONSE" => Finish::Error,
        _ => Finish::Other,
    }
}
