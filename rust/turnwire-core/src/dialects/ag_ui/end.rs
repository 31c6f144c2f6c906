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
    stop: Says("success"),
    tool_calls: Says("success"),
    length: Nearest("success"),
    refusal: Nearest("success"),
    filtered: Nearest("success"),
    paused: Nearest("success"),
    error: Fails,
};

/// The outcomes of the protocol. A run may also end with calls for its client to run. Only the calls show that.
pub(super) fn meaning(word: &str) -> Finish {
    match word {
        "success" => Finish::Stop,
        "interrupt" => Finish::Paused,
        "cancelled" => Finish::Error,
        _ => Finish::Other,
    }
}
