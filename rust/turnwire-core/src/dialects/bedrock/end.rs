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
    stop: Says("end_turn"),
    tool_calls: Says("tool_use"),
    length: Says("max_tokens"),
    refusal: Nearest("content_filtered"),
    filtered: Says("content_filtered"),
    paused: Nearest("end_turn"),
    error: Says("malformed_model_output"),
};

/// The service model's `StopReason`.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "tool_use" => Finish::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "guardrail_intervened" | "content_filtered" => Finish::Filtered,
        "malformed_model_output" | "malformed_tool_use" => Finish::Error,
        _ => Finish::Other,
    }
}
