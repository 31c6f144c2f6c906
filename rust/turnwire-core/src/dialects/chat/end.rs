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
    tool_calls: Says("tool_calls"),
    length: Says("length"),
    refusal: Says("stop"),
    filtered: Says("content_filter"),
    paused: Nearest("stop"),
    error: Fails,
};

/// The reference's words, and those of compatible servers: Mistral, DeepSeek, Together, Hugging Face, Z.ai, OpenRouter.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "stop" | "end_turn" | "eos" | "eos_token" | "stop_sequence" => Finish::Stop,
        "tool_calls" | "function_call" => Finish::ToolCalls,
        "length" | "model_length" => Finish::Length,
        "content_filter" | "sensitive" => Finish::Filtered,
        "error" | "network_error" | "insufficient_system_resource" => Finish::Error,
        _ => Finish::Other,
    }
}
