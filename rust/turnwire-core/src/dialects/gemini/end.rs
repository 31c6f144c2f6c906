//! Reads and writes the words for the end of a reply.

use crate::{
    model::Finish,
    value::{Source, Text},
    wire::response::{
        EndWords,
        end::EndWord::{Nearest, Says},
    },
};

/// Vertex's `Candidate.FinishReason` by number, as the protocol buffer numbers it.
pub(super) const FINISHES: &[&str] = &[
    "",
    "STOP",
    "MAX_TOKENS",
    "SAFETY",
    "RECITATION",
    "OTHER",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "MALFORMED_FUNCTION_CALL",
    // From here on those of the Gemini API. Vertex has one more, which filters, as the number of a malformed call.
    "MALFORMED_FUNCTION_CALL",
    "IMAGE_SAFETY",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_OTHER",
    "NO_IMAGE",
    "IMAGE_RECITATION",
];
/// Vertex's `PromptFeedback.BlockedReason` by number.
pub(super) const BLOCKS: &[&str] =
    &["", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "JAILBREAK"];

/// The word of a reason that may be a number, as clients write it that print enums so. Zero says nothing.
pub(super) fn word_of<S: Source>(reason: &S, words: &[&str]) -> Option<Text<S::H>> {
    if let Some(text) = reason.text() {
        return Some(text);
    }
    let number = reason.count()?;
    let word = usize::try_from(number).ok().and_then(|at| words.get(at));
    let word = word.map_or_else(|| number.to_string(), |word| (*word).to_owned());
    Some(Text::own(&word)).filter(|_| !word.is_empty())
}

/// Whether a reason says nothing: the number zero, as every chunk but the last has it.
pub(super) fn is_unset<S: Source>(reason: &S) -> bool {
    reason.text().is_none() && reason.count() == Some(0)
}

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
        | "LANGUAGE"
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
