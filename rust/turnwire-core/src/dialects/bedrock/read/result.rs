//! Reads the results of Converse, and their blocks.

use super::super::keys as k;
use super::{SEVERAL, apart, block, own_type, says_several};
use crate::{
    dialects::bedrock::part::{Inside, ReadPart, left},
    model::{Content, Flaw, Kind, Part, Parts, ToolResult},
    report::{Error, Place, Trail, error::Code},
    value::{NodeKind, Source, Tree},
    wire::read::{
        Keys,
        keys::{placed, wrong_type},
    },
};

static NO_CONTENT: Flaw = Flaw::refused("a result without the key of its content");
static NO_OBJECT: Flaw = Flaw::refused("JSON in a result is an object");
static NO_GUARD: Flaw = Flaw::refused("no guard looks at what a tool said");

/// The path of a result's blocks in the block of the message.
const TOOL_RESULT_CONTENT: &str = "toolResult.content";

/// Reads a result; one with a type was made by the service.
pub(super) fn tool_result<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let (theirs, reply_only) = own_type(&mut keys, "tool_result", |kind| inside.model && kind != "tool_result")?;
    if theirs {
        return Ok(None);
    }
    inside.flaw = reply_only;
    let id = keys.needed_text(&k::TOOL_USE_ID)?;
    let error = match keys.text(&k::STATUS)? {
        None => false,
        Some(status) if status.is(k::SUCCESS.name, node.input()) => false,
        Some(status) if status.is(k::ERROR.name, node.input()) => true,
        Some(status) => {
            let got = status.to_str(node.input()).into_owned();
            let text = format!("expected \"success\" or \"error\", got {got:?}");
            return Err(Error::new(Code::WrongType, text).at(&at.key(k::STATUS.name)));
        }
    };
    let content = match keys.some(&k::CONTENT) {
        None => {
            inside.flaw = inside.flaw.or(Some(&NO_CONTENT));
            Content::Absent
        }
        Some(list) => Content::blocks(said(&list, &at.key(k::CONTENT.name))?),
    };
    inside.add(keys);
    Ok(Some(Kind::Result(ToolResult {
        id,
        made_up_id: false,
        name: None,
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    })))
}

/// Reads the blocks of a result: those that a message may have, and JSON.
fn said<S: Source>(node: &S, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a list", node, at));
    }
    let mut parts = Parts::new();
    for (item, element) in node.items().enumerate() {
        let (place, at) = (Place::item(TOOL_RESULT_CONTENT, item), at.index(item));
        let read = result_block(&element, place, &at)?;
        if !says_several(&read, &element) {
            parts.push(read);
            continue;
        }
        for one in apart(&element)? {
            let mut part = result_block(&Tree(&one), place, &at)?;
            part.flaw = part.flaw.or(Some(&SEVERAL));
            parts.push(part);
        }
    }
    Ok(parts)
}

/// Reads one block of a result.
fn result_block<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let Some(value) = keys.take(&k::JSON) else {
        let mut part = block(element, place, at, false)?;
        // Keeps the text without its mark, because no guardrail checks a result.
        let guarded = part.extras.iter().flat_map(|extras| extras.iter());
        let guarded = guarded.filter(|(key, _)| key.is(k::GUARD_CONTENT.name, element.input())).count() > 0;
        part.flaw = part.flaw.or(guarded.then_some(&NO_GUARD));
        return Ok(part);
    };
    let mut part = placed(Kind::Json(value.raw()), element, place);
    let (extras, flaw) = left(keys);
    part.extras = extras;
    part.flaw = (value.kind() != NodeKind::Map).then_some(&NO_OBJECT).or(flaw);
    Ok(part)
}
