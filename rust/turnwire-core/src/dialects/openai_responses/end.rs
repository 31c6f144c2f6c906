//! Reads and writes the words for the end of a reply.

use crate::{
    model::Finish,
    wire::response::{EndWords, end::EndWord::Says},
};

/// The words that are written.
pub(super) const WORDS: EndWords = EndWords {
    stop: Says("completed"),
    tool_calls: Says("completed"),
    length: Says("max_output_tokens"),
    refusal: Says("completed"),
    filtered: Says("content_filter"),
    paused: Says("in_progress"),
    error: Says("failed"),
};

/// The SDK's `ResponseStatus`, and its reasons for incomplete responses.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "completed" => Finish::Stop,
        "incomplete" | "max_output_tokens" | "max_messages" => Finish::Length,
        "content_filter" => Finish::Filtered,
        // The answer is still pending: in the background, or in another response.
        "queued" | "in_progress" | "steered" => Finish::Paused,
        "failed" | "cancelled" => Finish::Error,
        _ => Finish::Other,
    }
}
