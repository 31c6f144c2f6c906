//! What a result said before it was cut, for a caller who keeps it elsewhere.

use crate::{
    model::{
        part::{Kind, Part},
        tool::{Content, ToolResult},
        turn::Turn,
    },
    value::{
        handle::{Host, Input},
        json::compact::{self, Numbers},
    },
};

/// A result that was cut, as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutResult {
    /// The id of its call.
    pub id: String,
    /// All that it said: its texts and JSON values, a line each, and a word for each of the media.
    pub text: String,
}

impl CutResult {
    /// What a result says before it is cut.
    pub(super) fn of<H: Host>(result: &ToolResult<H>, turn: &Turn<H>) -> Self {
        let input = turn.input.as_ref();
        let text = match &result.content {
            Content::Absent => String::new(),
            Content::Text(text) => text.to_str(input).into_owned(),
            Content::Blocks(blocks) => blocks.iter().map(|block| words(block, input)).collect::<Vec<_>>().join("\n"),
        };
        Self { id: result.id.to_str(input).into_owned(), text }
    }
}

fn words<H: Host>(block: &Part<H>, input: Option<&Input>) -> String {
    match &block.kind {
        Kind::Text(text) | Kind::Refusal(text) => text.to_str(input).into_owned(),
        Kind::Json(value) => {
            let mut json = Vec::new();
            // A host's value that cannot say what it holds says nothing.
            let _ = compact::raw(value, input, Numbers::Spelled, &mut json);
            String::from_utf8_lossy(&json).into_owned()
        }
        Kind::Media(media) => format!("[{}]", media.class.name()),
        _ => String::new(),
    }
}
