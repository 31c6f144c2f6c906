//! The full text of results that were cut, for a caller who keeps it elsewhere.

use crate::{
    model::{Content, Kind, Part, ToolResult, Turn},
    value::{Host, Numbers, json::compact},
    wire::plan::{decide::Scope, passages},
};

/// A result before it was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutResult {
    /// The id of its call.
    pub id: String,
    /// Its full content: texts and JSON values, each on its own line, and a word for each of the media.
    pub text: String,
}

impl CutResult {
    /// Reads the full content of a result.
    pub(super) fn of<H: Host>(result: &ToolResult<H>, turn: &Turn<H>) -> Self {
        let input = turn.input.as_ref();
        let text = match &result.content {
            Content::Absent => String::new(),
            Content::Text(text) => text.to_str(input).into_owned(),
            Content::Blocks(blocks) => {
                blocks.iter().map(|block| words(block, Scope::of(turn))).collect::<Vec<_>>().join("\n")
            }
        };
        Self { id: result.id.to_str(input).into_owned(), text }
    }
}

fn words<H: Host>(block: &Part<H>, scope: Scope<'_>) -> String {
    let input = scope.input;
    match &block.kind {
        Kind::Text(text) | Kind::Refusal(text) => text.to_str(input).into_owned(),
        Kind::Json(value) => {
            let mut json = Vec::new();
            // A host's value that cannot be written as JSON counts as empty.
            let _ = compact::raw(value, input, Numbers::Spelled, &mut json);
            String::from_utf8_lossy(&json).into_owned()
        }
        Kind::Opaque(_) => {
            passages::of(scope, block).map_or_else(String::new, |found| found.words().to_str(None).into_owned())
        }
        Kind::Media(media) => format!("[{}]", media.class.name()),
        _ => String::new(),
    }
}
