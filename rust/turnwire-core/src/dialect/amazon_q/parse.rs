//! Reading Amazon Q messages.

use super::super::{
    frame::wrong_type,
    read::{Keys, args, placed},
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    error::Code,
    handle::Text,
    media::{Media, MediaClass, MediaData},
    node::NodeKind,
    part::{Extras, Inner, Kind, Part, Parts},
    path::Place,
    tool::{Call, Content, ToolResult},
    turn::Role,
    value::Key,
};

/// Where the parts of a message stand.
const USER_CONTENT: &str = "userInputMessage.content";
const USER_IMAGES: &str = "userInputMessage.images";
pub(super) const USER: &str = "userInputMessage";
pub(super) const ASSISTANT: &str = "assistantResponseMessage";
pub(super) const USER_CONTEXT: &str = "userInputMessage.userInputMessageContext";
const USER_RESULTS: &str = "userInputMessage.userInputMessageContext.toolResults";
const ASSISTANT_CONTENT: &str = "assistantResponseMessage.content";
const ASSISTANT_CALLS: &str = "assistantResponseMessage.toolUses";

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let parts = &mut turn.parts;
    let (role, place, extras) = if let Some(node) = keys.some(&USER_MESSAGE) {
        let at = at.key(USER_MESSAGE.name);
        let mut message = Keys::of(&node, &at)?;
        content(&mut message, USER_CONTENT, parts)?;
        for (item, image) in items(&mut message, &IMAGES)?.enumerate() {
            let at = at.key(IMAGES.name);
            parts.push(self::image(&image, Place::item(USER_IMAGES, item), &at.index(item))?);
        }
        if let Some(context) = message.some(&CONTEXT) {
            self::context(&context, &at.key(CONTEXT.name), parts)?;
        }
        (Role::User, USER, message.extras())
    } else if let Some(node) = keys.some(&ASSISTANT_MESSAGE) {
        let at = at.key(ASSISTANT_MESSAGE.name);
        let mut message = Keys::of(&node, &at)?;
        content(&mut message, ASSISTANT_CONTENT, parts)?;
        turn.id = message.text(&MESSAGE_ID)?;
        for (item, call) in items(&mut message, &TOOL_USES)?.enumerate() {
            let at = at.key(TOOL_USES.name);
            parts.push(tool_use(&call, Place::item(ASSISTANT_CALLS, item), &at.index(item))?);
        }
        (Role::Assistant, ASSISTANT, message.extras())
    } else {
        let text = "expected the key \"userInputMessage\" or \"assistantResponseMessage\", got an object without them";
        return Err(Error::new(Code::MissingKey, text).at(at));
    };
    turn.role = role;
    known_here_only(extras, place, parts);
    turn.extras = keys.extras();
    Ok(())
}

/// The text of a message; empty text says nothing.
fn content<S: Source>(keys: &mut Keys<'_, S>, place: &'static str, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let text = keys.text(&CONTENT)?;
    let said = text.filter(|text| !text.is_empty()).map(Kind::Text);
    parts.extend(said.map(|kind| Part::at(Place::key(place), kind)));
    Ok(())
}

/// The items of a list that may be missing.
fn items<S: Source>(keys: &mut Keys<'_, S>, key: &'static Key) -> Result<impl Iterator<Item = S>, Error> {
    let node = keys.some(key);
    if let Some(node) = node.as_ref().filter(|node| node.kind() != NodeKind::List) {
        return Err(wrong_type("a list", node, &keys.at.key(key.name)));
    }
    let items: Vec<S> = node.iter().flat_map(Source::items).collect();
    Ok(items.into_iter())
}

/// Results, and what only this service knows: the state of the environment, tool definitions.
fn context<S: Source>(node: &S, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(node, at)?;
    let results = at.key(TOOL_RESULTS.name);
    for (item, result) in items(&mut keys, &TOOL_RESULTS)?.enumerate() {
        parts.push(tool_result(&result, Place::item(USER_RESULTS, item), &results.index(item))?);
    }
    known_here_only(keys.extras(), USER_CONTEXT, parts);
    Ok(())
}

/// Keys that only this service knows, each as an opaque part of its name.
fn known_here_only<H: Host>(extras: Option<Box<Extras<H>>>, place: &'static str, parts: &mut Parts<H>) {
    parts.extend(extras.into_iter().flat_map(|extras| *extras).map(|(key, raw)| Part {
        kind: Kind::Opaque(key),
        origin: Some(raw),
        extras: None,
        inner: None,
        place: Place::key(place),
        flaw: None,
        touched: false,
        signed: false,
    }));
}

fn image<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let format = keys.needed_text(&FORMAT)?;
    let source = keys.needed(&SOURCE)?;
    let inner_at = at.key(SOURCE.name);
    let mut inner = Keys::of(&source, &inner_at)?;
    let node = inner.needed(&BYTES)?;
    let data = match node.text() {
        Some(data) => MediaData::Base64(data),
        None if node.kind() == NodeKind::Blob => MediaData::Bytes(node.raw()),
        None => return Err(wrong_type("base64 text or bytes", &node, &inner_at.key(BYTES.name))),
    };
    let mime = Some(Text::own(&format!("image/{}", format.to_str(element.input()))));
    let media = Media { class: MediaClass::Image, mime, data, name: None };
    let mut part = placed(Kind::Media(media), element, place);
    part.extras = keys.extras();
    part.inner = Inner::of(SOURCE.name, inner.extras());
    Ok(part)
}

fn tool_use<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let id = keys.needed_text(&TOOL_USE_ID)?;
    let name = keys.needed_text(&NAME)?;
    let args = args(keys.take(&INPUT))?;
    let call = Call { id, made_up_id: false, name, args, custom: false, before: None };
    let mut part = placed(Kind::Call(call), element, place);
    part.extras = keys.extras();
    Ok(part)
}

fn tool_result<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let id = keys.needed_text(&TOOL_USE_ID)?;
    let error = match keys.text(&STATUS)? {
        None => false,
        Some(status) if status.is(SUCCESS.name, element.input()) => false,
        Some(status) if status.is(ERROR.name, element.input()) => true,
        Some(status) => {
            let got = status.to_str(element.input()).into_owned();
            let text = format!("expected \"success\" or \"error\", got {got:?}");
            return Err(Error::new(Code::WrongType, text).at(&at.key(STATUS.name)));
        }
    };
    let blocks = at.key(CONTENT.name);
    let mut parts = Parts::new();
    for (item, block) in items(&mut keys, &CONTENT)?.enumerate() {
        let at = blocks.index(item);
        let mut inner = Keys::of(&block, &at)?;
        let kind = match inner.text(&TEXT)? {
            Some(text) => Kind::Text(text),
            None => Kind::Json(inner.take(&JSON).ok_or_else(|| inner.missing(&TEXT))?.raw()),
        };
        let mut part = placed(kind, &block, Place::item(CONTENT.name, item));
        part.extras = inner.extras();
        parts.push(part);
    }
    let result =
        ToolResult { id, made_up_id: false, name: None, content: Content::blocks(parts), error, synthetic: false };
    let mut part = placed(Kind::Result(result), element, place);
    part.extras = keys.extras();
    Ok(part)
}
