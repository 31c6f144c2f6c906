//! The keys of what is made, and the errors for values of a record that are not what a column wants.

use super::{at::At, ways::Ways};
use crate::{
    report::{Error, error::Code},
    value::{NodeKind, Source, Text},
    wire::read::keys::found,
};

/// The key of the list of messages.
pub(super) const MESSAGES: &str = "gen_ai.input.messages";
/// The key of system text.
pub(super) const SYSTEM: &str = "gen_ai.system_instructions";
/// The key of definitions of tools.
pub(super) const TOOLS: &str = "gen_ai.tool.definitions";

/// Whether a value is a list of objects, which may be definitions of tools. Names alone define none.
pub(super) fn are_definitions<S: Source>(value: &S) -> bool {
    value.kind() == NodeKind::List && value.items().next().is_none_or(|first| first.kind() == NodeKind::Map)
}

/// The text of a value.
pub(super) fn text_of<S: Source>(node: &S, at: &At<'_>) -> Result<Text<S::H>, Error> {
    node.text().ok_or_else(|| wrong_type("text", node, at))
}

#[cold]
pub(super) fn wrong_type<S: Source>(expected: &str, node: &S, at: &At<'_>) -> Error {
    Error::new(Code::WrongType, format!("expected {expected}, got {}", node.describe())).at_path(at.path())
}

/// The error for a value in which the ways of these columns lead to nothing.
#[cold]
pub(super) fn missing<'w, S: Source>(columns: impl IntoIterator<Item = &'w Ways>, node: &S) -> Error {
    let names: Vec<_> = columns.into_iter().flat_map(Ways::tops).map(|key| format!("{:?}", key.name)).collect();
    let text = format!("expected one of the keys {}, got {}", names.join(", "), found(node));
    Error::new(Code::MissingKey, text)
}
