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
    stop: Says("end_turn"),
    tool_calls: Says("tool_use"),
    length: Says("max_tokens"),
    refusal: Says("refusal"),
    filtered: Nearest("refusal"),
    paused: Says("pause_turn"),
    error: Fails,
};

/// The SDK's `StopReason`.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "tool_use" => Finish::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "pause_turn" | "compaction" => Finish::Paused,
        "refusal" => Finish::Refusal,
        _ => Finish::Other,
    }
}
