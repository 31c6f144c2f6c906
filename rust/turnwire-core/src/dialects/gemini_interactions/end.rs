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
    stop: Says("completed"),
    tool_calls: Says("requires_action"),
    length: Says("incomplete"),
    refusal: Nearest("completed"),
    filtered: Nearest("incomplete"),
    paused: Says("requires_continuation"),
    error: Says("failed"),
};

/// The SDK's `InteractionStatus`.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "completed" => Finish::Stop,
        "requires_action" => Finish::ToolCalls,
        "incomplete" | "budget_exceeded" => Finish::Length,
        // The answer is not complete: it continues in the background, or in another request.
        "in_progress" | "queued" | "idle" | "requires_continuation" => Finish::Paused,
        "failed" | "cancelled" => Finish::Error,
        _ => Finish::Other,
    }
}
