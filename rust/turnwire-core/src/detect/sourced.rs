//! Looks at the media of a block: their data, and those in the form of Claude that stand in results of Chat Completions.

use crate::{
    k,
    model::Inline,
    value::{NodeKind, Source},
};

/// Whether an element is a result in Chat Completions, whose media clients may put in Claude's form.
pub(super) fn answers<S: Source>(node: &S) -> bool {
    let is_tool = node.get(&k::ROLE).and_then(|role| role.word().map(|word| word == "tool"));
    is_tool.unwrap_or(false) && node.get(&k::TOOL_CALL_ID).is_some_and(|id| id.kind() == NodeKind::Text)
}

/// Whether a block is an image or a document in Claude's form.
pub(super) fn is_sourced<S: Source>(block: &S) -> bool {
    let word = block.get(&k::TYPE).and_then(|kind| kind.word().map(|word| matches!(&*word, "image" | "document")));
    let source = block.get(&k::SOURCE);
    word.unwrap_or(false) && source.is_some_and(|source| source.get(&k::TYPE).is_some())
}

/// Whether the block has the data of an image where others have its address.
pub(super) fn is_data<S: Source>(node: &S) -> bool {
    let Some(image) = node.get(&k::IMAGE) else { return false };
    let inline = image.text().map(|data| Inline { mime: None, data });
    image.kind() == NodeKind::Blob || inline.is_some_and(|inline| inline.shown_type(node.input()).is_some())
}
