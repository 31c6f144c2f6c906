//! One setting and the wires that have settings: a row and the columns of the table.

use super::cell::Cell;

/// One setting with its form on each wire.
pub(crate) struct Setting {
    /// Its name in turnwire.
    pub(crate) name: &'static str,
    /// What it means.
    pub(crate) meaning: &'static str,
    /// Its cell on each wire, in the order of [`WIRES`].
    pub(crate) cells: [Cell; WIRES.len()],
}

/// The wires that have settings: the columns.
pub(crate) const WIRES: [&str; 9] = [
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
    "gemini-interactions",
];
