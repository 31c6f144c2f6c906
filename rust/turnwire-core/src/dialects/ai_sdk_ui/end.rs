//! Reads and writes the words for the end of a reply.

use crate::{
    model::Finish,
    wire::response::{
        EndWords,
        end::EndWord::{Fails, Nearest, Says},
    },
};

/// The words that are written.
pub(super) const WORDS: EndWords = EndWords {
    stop: Says("stop"),
    tool_calls: Says("tool-calls"),
    length: Says("length"),
    refusal: Nearest("content-filter"),
    filtered: Says("content-filter"),
    paused: Nearest("other"),
    error: Fails,
};

/// The SDK's `FinishReason`.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "stop" => Finish::Stop,
        "tool-calls" => Finish::ToolCalls,
        "length" => Finish::Length,
        "content-filter" => Finish::Filtered,
        "error" => Finish::Error,
        _ => Finish::Other,
    }
}
