//! Reading Anthropic messages, system text, tools and tool choice.

use super::super::{
    frame::wrong_type,
    read::{Keys, args, join_extras, placed, unknown_role},
    tools::schema,
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    handle::Text,
    media::{Media, MediaClass, MediaData},
    node::NodeKind,
    part::{Extras, Flaw, Kind, Part, Parts, Reasoning},
    path::Place,
    tool::{Call, ChoiceKind, Content, ToolResult},
    turn::Role,
};

type Read<S> = Result<Option<Kind<<S as Source>::H>>, Error>;

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let node = keys.needed(&ROLE)?;
    turn.role = match node.word().as_deref() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        Some(word) => return Err(unknown_role(word, "user, assistant, system", &at.key(ROLE.name))),
        None => return Err(wrong_type("a string", &node, &at.key(ROLE.name))),
    };
    turn.parts = content(&keys.needed(&CONTENT)?, CONTENT.name, &at.key(CONTENT.name))?;
    turn.extras = keys.extras();
    Ok(())
}

/// A string, or a list of blocks, under `key`.
pub(super) fn content<S: Source>(node: &S, key: &'static str, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        // An empty string says nothing; its turn's origin still replays it.
        if text.is_empty() {
            return Ok(Parts::new());
        }
        return Ok([Part::at(Place::key(key), Kind::Text(text))].into());
    }
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    let blocks = node.items().enumerate();
    blocks.map(|(item, element)| block(&element, Place::item(key, item), &at.index(item))).collect()
}

static UNSIGNED: Flaw = Flaw("the target wants its own signature on what it thought");

/// One block. What is not known is kept as it is: server-side tools, uploads, compaction.
fn block<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let mut inner = None;
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&TEXT)?)),
        Some("thinking") => {
            let text = keys.text(&THINKING)?;
            let signed = keys.text(&SIGNATURE)?.is_some_and(|signature| !signature.is_empty());
            Some(Kind::Reasoning(Reasoning { text, signed }))
        }
        Some("redacted_thinking") => {
            let _ = keys.take(&DATA);
            Some(Kind::Reasoning(Reasoning { text: None, signed: true }))
        }
        Some("tool_use") => Some(tool_use(&mut keys)?),
        Some("tool_result") => Some(tool_result(&mut keys)?),
        Some("image") => media(&mut keys, MediaClass::Image, &mut inner)?,
        Some("document") => media(&mut keys, MediaClass::Document, &mut inner)?,
        _ => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("block").into()), element, place);
    if let Some(kind) = kind {
        made.kind = kind;
        made.flaw = keys.null_but(&[&TITLE]);
        if matches!(&made.kind, Kind::Reasoning(thought) if !thought.signed) {
            made.flaw = Some(&UNSIGNED);
        }
        made.extras = keys.extras();
        join_extras(&mut made.extras, inner);
    }
    Ok(made)
}

fn tool_use<S: Source>(keys: &mut Keys<'_, S>) -> Result<Kind<S::H>, Error> {
    let id = keys.needed_text(&ID)?;
    let name = keys.needed_text(&NAME)?;
    let args = args(keys.take(&INPUT))?;
    Ok(Kind::Call(Call { id, made_up_id: false, name, args, custom: false, before: None }))
}

fn tool_result<S: Source>(keys: &mut Keys<'_, S>) -> Result<Kind<S::H>, Error> {
    let id = keys.needed_text(&TOOL_USE_ID)?;
    let error = keys.some(&IS_ERROR);
    let error = match error {
        None => false,
        Some(node) => node.bool().ok_or_else(|| wrong_type("a boolean", &node, &keys.at.key(IS_ERROR.name)))?,
    };
    let content = match keys.some(&CONTENT) {
        None => Content::Absent,
        Some(node) => match node.text() {
            Some(text) => Content::Text(text),
            None => Content::blocks(content(&node, CONTENT.name, &keys.at.key(CONTENT.name))?),
        },
    };
    Ok(Kind::Result(ToolResult { id, made_up_id: false, name: None, content, error, synthetic: false }))
}

/// An image or document by its source; one of another kind stays opaque.
fn media<S: Source>(keys: &mut Keys<'_, S>, class: MediaClass, inner: &mut Option<Box<Extras<S::H>>>) -> Read<S> {
    let node = keys.needed(&SOURCE)?;
    let at = keys.at.key(SOURCE.name);
    let mut source = Keys::of(&node, &at)?;
    let kind = source.needed(&TYPE)?;
    let mime = source.text(&MEDIA_TYPE)?;
    let data = match kind.word().as_deref() {
        Some("base64") => MediaData::Base64(source.needed_text(&DATA)?),
        Some("text") => MediaData::Plain(source.needed_text(&DATA)?),
        Some("url") => MediaData::Url(source.needed_text(&URL)?),
        Some("file") => MediaData::File(source.needed_text(&FILE_ID)?),
        // `content` is a list of blocks, or a string.
        Some("content") => match source.take(&CONTENT).and_then(|content| content.text()) {
            Some(text) => MediaData::Plain(text),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    *inner = source.extras();
    let name: Option<Text<S::H>> = if class == MediaClass::Document { keys.text(&TITLE)? } else { None };
    Ok(Some(Kind::Media(Media { class, mime, data, name })))
}

/// A tool of the caller's; one with a type of its own belongs to the provider.
pub(super) fn tool<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.text(&TYPE)?.filter(|kind| !kind.is("custom", element.input()));
    if let Some(name) = kind {
        return Ok(Tool::of_provider(name, element.raw()));
    }
    let name = keys.needed_text(&NAME)?;
    let description = keys.text(&DESCRIPTION)?;
    let (schema, untyped) = schema(keys.some(&INPUT_SCHEMA).as_ref());
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        by_provider: false,
        custom: false,
        origin: Some(element.raw()),
        extras: keys.extras(),
    })
}

pub(super) fn choice<S: Source>(node: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
    let mut keys = Keys::of(node, at)?;
    let kind = keys.needed(&TYPE)?;
    let kind = match kind.word().as_deref() {
        Some("auto") => ChoiceKind::Auto,
        Some("any") => ChoiceKind::Required,
        Some("none") => ChoiceKind::None,
        Some("tool") => ChoiceKind::Tool(keys.needed_text(&NAME)?),
        _ => ChoiceKind::Opaque,
    };
    Ok(Choice { kind, origin: Some(node.raw()), extras: keys.extras() })
}
