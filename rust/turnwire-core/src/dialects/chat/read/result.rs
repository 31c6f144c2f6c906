//! Reads messages of the family that are results of tools.

use super::super::keys as k;
use super::{NO_CONTENT, content_list, id, null};
use crate::{
    dialects::chat::{
        member::{Reads, Usual},
        part::Answer,
    },
    model::{Content, Flaw, Kind, Part, Parts, ToolResult},
    report::{Error, Place},
    value::{NodeKind, Source, Text},
    wire::read::{Keys, NO_CALL_ID, error_flag},
};

static NO_TEXT: Flaw = Flaw::refused("what a tool gave is text, or a list of parts");

/// Reads a message of role `tool`. A missing id is read as the empty one, so that the result pairs with its call if it
/// is clear which one that is.
pub(crate) fn result<S: Source>(
    reads: &Reads<S>,
    keys: &mut Keys<'_, S>,
    usual: Usual<S>,
) -> Result<Answer<S::H>, Error> {
    let said = keys.found_text(&k::TOOL_CALL_ID, usual.id)?;
    let lacks_id = said.is_none() && reads.limits.needs_ids();
    let (mut result, mut flaw) = answered(reads, keys, usual.content, id(reads, said), None)?;
    // Taken last: nearly every result lacks it, and by then no other keys are left to search. A name that servers
    // refuse stays among the extras.
    if let Some(key) = reads.member.result_name.filter(|_| keys.are_left())
        && keys.node.get(key).is_some_and(|name| name.word().is_none_or(|word| is_author(&word)))
    {
        result.name = keys.text(key)?.map(Box::new);
        flaw = flaw.or_else(|| null(reads.member, keys, &[]));
    }
    // Another key that is left may be the id's, misspelt.
    if lacks_id && keys.are_left() {
        return Err(keys.missing(&k::TOOL_CALL_ID));
    }
    Ok((result, if lacks_id { Some(&NO_CALL_ID) } else { flaw }))
}

/// A result with this content, which was found and not taken yet, for the call with this id, which may be made up, and
/// of the tool with this name.
pub(crate) fn answered<S: Source>(
    reads: &Reads<S>,
    keys: &mut Keys<'_, S>,
    content: Option<S>,
    (id, made_up_id): (Text<S::H>, bool),
    name: Option<Text<S::H>>,
) -> Result<Answer<S::H>, Error> {
    let said = keys.found(&k::CONTENT, content);
    let mut flaw =
        if said.is_none() && reads.member.needs_content { Some(&NO_CONTENT) } else { null(reads.member, keys, &[]) };
    let mut content = match said {
        None => Content::Absent,
        Some(node) => match node.text() {
            Some(text) => Content::Text(text),
            // The content is the tool's answer itself, although text is expected.
            None if node.kind() != NodeKind::List => {
                flaw = Some(&NO_TEXT);
                Content::blocks([Part::at(Place::key(k::CONTENT.name), Kind::Json(node.raw()))])
            }
            None => {
                let mut parts = Parts::new();
                content_list(reads, &node, keys.at, &mut parts, true)?;
                if parts.is_empty() { Content::Absent } else { Content::blocks(parts) }
            }
        },
    };
    let mut around = Parts::new();
    let flaw = flaw.or((reads.around)(keys, &mut around)?);
    if !around.is_empty() {
        let mut parts = match content {
            Content::Absent => Parts::new(),
            Content::Text(text) => [Part::at(Place::key(k::CONTENT.name), Kind::Text(text))].into(),
            Content::Blocks(parts) => *parts,
        };
        parts.append(&mut around);
        content = Content::blocks(parts);
    }
    let error = error_flag::take(&mut content, keys.node.input())?;
    let name = name.map(Box::new);
    Ok((ToolResult { id, made_up_id, name, content, error, synthetic: false, custom: false, form: None }, flaw))
}

/// What the servers accept as the name of an author: `^[^\s<|\\/>]+$`, from their own error text.
pub(crate) fn is_author(name: &str) -> bool {
    !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || "<|\\/>".contains(letter))
}
