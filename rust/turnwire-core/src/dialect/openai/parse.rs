//! Reading Chat Completions messages.

use super::super::{
    error_flag,
    frame::wrong_type,
    nameless::made_up,
    read::{Keys, args, placed, unknown_role},
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    handle::{Input, Raw, Text},
    json,
    media::{Media, MediaClass, MediaData},
    node::NodeKind,
    part::{Flaw, Inner, Kind, Part, Parts, Reasoning},
    path::Place,
    tool::{Call, Content, ToolResult},
    turn::Role,
};

type Within<S> = Option<Box<Inner<<S as Source>::H>>>;

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let node = keys.needed(&ROLE)?;
    turn.role = match node.word().as_deref() {
        Some("system") => Role::System,
        Some("developer") => Role::Developer,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool" | "function") => Role::Tool,
        Some(word) => {
            return Err(unknown_role(word, "system, developer, user, assistant, tool, function", &at.key(ROLE.name)));
        }
        None => return Err(wrong_type("a string", &node, &at.key(ROLE.name))),
    };
    // A message of a role and its content is like most: only others can say what another role says.
    let legacy = node.word().as_deref() == Some("function");
    if turn.role != Role::Tool && element.len() > 2 {
        (turn.role, turn.flaw) = true_role(element, turn.role);
    }
    let flaw = match turn.role {
        Role::Tool => {
            let (said, flaw) = result(&mut keys, legacy)?;
            turn.parts.push(Part::at(Place::key(CONTENT.name), Kind::Result(said)));
            flaw
        }
        Role::Assistant => assistant(&mut keys, &mut turn.parts)?,
        _ => {
            let said = keys.some(&CONTENT);
            let flaw = if said.is_none() { Some(&NO_CONTENT) } else { keys.null_but(&[]) };
            content(said, keys.at, &mut turn.parts)?;
            flaw
        }
    };
    turn.flaw = turn.flaw.or(flaw);
    turn.extras = keys.extras();
    Ok(())
}

/// Whoever calls is the assistant, and whoever names the call it answers is a tool, whatever role a message has.
fn true_role<S: Source>(element: &S, role: Role) -> (Role, Option<&'static Flaw>) {
    if role == Role::Assistant && element.get(&TOOL_CALLS).is_some() {
        return (role, None);
    }
    if element.get(&TOOL_CALL_ID).is_some_and(|id| id.kind() == NodeKind::Text) {
        return (Role::Tool, Some(&WRONG_ROLE));
    }
    if role != Role::Assistant && element.get(&TOOL_CALLS).is_some_and(|calls| !calls.is_empty()) {
        return (Role::Assistant, Some(&WRONG_ROLE));
    }
    (role, None)
}

static WRONG_ROLE: Flaw = Flaw("calls are the assistant's and results a tool's");
static BARE: Flaw = Flaw("a list of content holds objects, not strings");
static NO_TYPE: Flaw = Flaw("a part or call must say of which type it is");
static BARE_URL: Flaw = Flaw("an address stands in an object");
static NO_DATA_URL: Flaw = Flaw("the data of a file are a data: URL");
static NO_CONTENT: Flaw = Flaw("only a message with calls, a refusal or sound may do without content");
static NO_CALLS: Flaw = Flaw("a list of calls must hold one");
static NO_ARGUMENTS: Flaw = Flaw("a call without the key of its arguments");
static REPLY_ONLY: Flaw = Flaw("keys that only replies have");

/// What an assistant message says: reasoning, content, refusal, calls. Also what servers refuse about it.
fn assistant<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error> {
    // What nearly every message has is taken first: then the rarer keys need not be looked up.
    let (said, calls) = (keys.some(&CONTENT), keys.some(&TOOL_CALLS));
    let silent = said.is_none();
    let no_calls = calls.as_ref().is_some_and(|calls| calls.kind() == NodeKind::List && calls.is_empty());
    parts.reserve_exact(usize::from(said.is_some()) + calls.as_ref().map_or(0, Source::len));
    for key in [&REASONING_CONTENT, &REASONING, &REASONING_DETAILS] {
        if let Some(node) = keys.some(key) {
            let signed = node.kind() != NodeKind::Text;
            let thought = Kind::Reasoning(Reasoning { text: node.text() });
            parts.push(Part { signed, ..placed(thought, &node, Place::key(key.name)) });
        }
    }
    content(said, keys.at, parts)?;
    if let Some(words) = keys.text(&REFUSAL)? {
        parts.push(Part::at(Place::key(REFUSAL.name), Kind::Refusal(words)));
    }
    let mut flaw = no_calls.then_some(&NO_CALLS);
    if let Some(node) = keys.some(&AUDIO) {
        let mut sound = placed(Kind::Opaque(Text::own(AUDIO.name)), &node, Place::key(AUDIO.name));
        // A reply holds the sound itself; a request names it.
        if let Some(id) = node.get(&ID).filter(|_| node.len() > 1) {
            let named = json::write::to_string(&id.raw(), node.input())?;
            sound.origin = Some(Raw::Own(format!("{{\"id\":{named}}}").into()));
            flaw = Some(&REPLY_ONLY);
        }
        parts.push(sound);
    }
    if let Some(node) = calls {
        let at = keys.at.key(TOOL_CALLS.name);
        if node.kind() != NodeKind::List {
            return Err(wrong_type("a list", &node, &at));
        }
        for (item, call) in node.items().enumerate() {
            tool_call(&call, item, &at.index(item), parts)?;
        }
    }
    if let Some(node) = keys.some(&FUNCTION_CALL) {
        let at = keys.at.key(FUNCTION_CALL.name);
        let mut function = Keys::of(&node, &at)?;
        let name = function.needed_text(&NAME)?;
        // Some servers write every key that a message may have, and nothing in it.
        if name.is_empty() {
            flaw = Some(&REPLY_ONLY);
        } else {
            let id = legacy_id(&name, node.input());
            let args = args(function.take(&ARGUMENTS))?;
            let call = Call { id, made_up_id: true, name, args, custom: false, before: None };
            let mut part = placed(Kind::Call(call), &node, Place::key(FUNCTION_CALL.name));
            part.extras = function.extras();
            parts.push(part);
        }
    }
    // Reasoning alone is not enough, nor is an empty list.
    let says = parts.iter().any(|part| !matches!(part.kind, Kind::Reasoning(_)));
    if flaw.is_none() && silent && !says {
        flaw = Some(&NO_CONTENT);
    }
    Ok(flaw.or_else(|| keys.null_but(&[&CONTENT, &REFUSAL, &AUDIO, &FUNCTION_CALL])))
}

/// `content`: a string, a list of parts, `null`, or not there.
fn content<S: Source>(node: Option<S>, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let Some(node) = node else { return Ok(()) };
    if let Some(text) = node.text() {
        // An empty string says nothing; its turn's origin still replays it.
        if !text.is_empty() {
            parts.push(Part::at(Place::key(CONTENT.name), Kind::Text(text)));
        }
        return Ok(());
    }
    content_list(&node, at, parts)
}

fn content_list<S: Source>(node: &S, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let at = at.key(CONTENT.name);
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, &at));
    }
    parts.reserve_exact(node.len());
    for (item, element) in node.items().enumerate() {
        parts.push(part(&element, Place::item(CONTENT.name, item), &at.index(item))?);
    }
    Ok(())
}

/// What a result says. An object without a type is what the tool gave, and no part.
fn result_list<S: Source>(node: &S, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let at = at.key(CONTENT.name);
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, &at));
    }
    for (index, element) in node.items().enumerate() {
        let place = Place::item(CONTENT.name, index);
        let bare = element.kind() == NodeKind::Map && element.get(&TYPE).is_none();
        parts.push(if bare {
            Part { flaw: Some(&NO_TYPE), ..placed(Kind::Json(element.raw()), &element, place) }
        } else {
            part(&element, place, &at.index(index))?
        });
    }
    Ok(())
}

/// One part of a content list. What is not known is kept as it is.
fn part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    if let Some(text) = element.text() {
        return Ok(Part { flaw: Some(&BARE), ..placed(Kind::Text(text), element, place) });
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let (mut inner, mut flaw) = (None, None);
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&TEXT)?)),
        Some("refusal") => Some(Kind::Refusal(keys.needed_text(&REFUSAL)?)),
        Some("image_url") => {
            flaw = element.get(&IMAGE_URL).is_some_and(|url| url.kind() == NodeKind::Text).then_some(&BARE_URL);
            Some(image(&mut keys, &mut inner)?)
        }
        Some("input_audio") => Some(audio(&mut keys, &mut inner)?),
        Some("file") => file(&mut keys, (&mut inner, &mut flaw))?,
        _ => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("part").into()), element, place);
    made.flaw = word.as_deref().is_none_or(str::is_empty).then_some(&NO_TYPE).or(flaw);
    if let Some(kind) = kind {
        made.kind = kind;
        made.flaw = flaw.or_else(|| keys.null_but(&[]));
        made.extras = keys.extras();
        made.inner = inner;
    }
    Ok(made)
}

/// `{"image_url": {"url": …}}`, or the URL alone as some servers write it.
fn image<S: Source>(keys: &mut Keys<'_, S>, inner: &mut Within<S>) -> Result<Kind<S::H>, Error> {
    let node = keys.needed(&IMAGE_URL)?;
    let at = keys.at.key(IMAGE_URL.name);
    let url = if let Some(url) = node.text() {
        url
    } else {
        let mut image = Keys::of(&node, &at)?;
        let url = image.needed_text(&URL)?;
        *inner = Inner::of(IMAGE_URL.name, image.extras());
        url
    };
    let data = if url.starts_with("data:", node.input()) { MediaData::DataUrl(url) } else { MediaData::Url(url) };
    Ok(Kind::Media(Media { class: MediaClass::Image, mime: None, data, name: None }))
}

fn audio<S: Source>(keys: &mut Keys<'_, S>, inner: &mut Within<S>) -> Result<Kind<S::H>, Error> {
    let node = keys.needed(&INPUT_AUDIO)?;
    let at = keys.at.key(INPUT_AUDIO.name);
    let mut audio = Keys::of(&node, &at)?;
    let data = MediaData::Base64(audio.needed_text(&DATA)?);
    let mime = audio.text(&FORMAT)?.map(|format| Text::own(&format!("audio/{}", format.to_str(node.input()))));
    *inner = Inner::of(INPUT_AUDIO.name, audio.extras());
    Ok(Kind::Media(Media { class: MediaClass::Audio, mime, data, name: None }))
}

/// A file by its data or id; one with neither stays opaque.
fn file<S: Source>(
    keys: &mut Keys<'_, S>,
    (inner, flaw): (&mut Within<S>, &mut Option<&'static Flaw>),
) -> Result<Option<Kind<S::H>>, Error> {
    let node = keys.needed(&FILE)?;
    let at = keys.at.key(FILE.name);
    let mut file = Keys::of(&node, &at)?;
    let name = file.text(&FILENAME)?;
    let data = match (file.text(&FILE_DATA)?, file.text(&FILE_ID)?) {
        (Some(data), _) if data.starts_with("data:", node.input()) => MediaData::DataUrl(data),
        (Some(address), _) if address.starts_with("http", node.input()) => {
            *flaw = Some(&NO_DATA_URL);
            MediaData::Url(address)
        }
        (Some(data), _) => {
            *flaw = Some(&NO_DATA_URL);
            MediaData::Base64(data)
        }
        (None, Some(id)) => MediaData::File(id),
        (None, None) => {
            *flaw = Some(&NO_DATA_URL);
            return Ok(None);
        }
    };
    *flaw = flaw.or_else(|| file.null_but(&[]));
    *inner = Inner::of(FILE.name, file.extras());
    Ok(Some(Kind::Media(Media { class: MediaClass::Document, mime: None, data, name })))
}

/// One entry of `tool_calls`.
fn tool_call<S: Source>(element: &S, item: usize, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    // Without an id, or with the empty one, its result has the empty one too: so they pair, and `build` names them.
    let id = keys.text(&ID)?.unwrap_or_else(|| Text::own(""));
    let kind = keys.some(&TYPE);
    let kind = kind.as_ref().and_then(Source::word);
    let custom = kind.as_deref() == Some("custom");
    let typed = custom || kind.as_deref() == Some("function");
    let outer = if custom { &CUSTOM } else { &FUNCTION };
    let function = keys.needed(outer)?;
    let inner_at = at.key(outer.name);
    let mut inner = Keys::of(&function, &inner_at)?;
    let name = inner.needed_text(&NAME)?;
    let given = inner.some(if custom { &INPUT } else { &ARGUMENTS });
    let mut flaw = match &given {
        None => Some(&NO_ARGUMENTS),
        Some(given) if given.kind() != NodeKind::Text && given.kind() != NodeKind::Map => Some(&NO_ARGUMENTS),
        Some(_) if !typed => Some(&NO_TYPE),
        Some(_) => None,
    };
    let args = args(given)?;
    // Pieces of a stream are numbered; a message's calls are not.
    if keys.take(&INDEX).is_some() {
        flaw = Some(&REPLY_ONLY);
    }
    flaw = flaw.or_else(|| keys.null_but(&[])).or_else(|| inner.null_but(&[]));
    let extras = keys.extras();
    let within = Inner::of(outer.name, inner.extras());
    let call = Call { id, made_up_id: false, name, args, custom, before: None };
    let made = placed(Kind::Call(call), element, Place::item(TOOL_CALLS.name, item));
    parts.push(Part { extras, inner: within, flaw, ..made });
    Ok(())
}

/// A message of role `tool`, or of the legacy role `function`, which pairs by name. Also what servers refuse about it.
fn result<S: Source>(keys: &mut Keys<'_, S>, legacy: bool) -> Result<(ToolResult<S::H>, Option<&'static Flaw>), Error> {
    let name = keys.text(&NAME)?;
    let input = keys.node.input();
    // The legacy role answers by name, never by id.
    let by_id = legacy && keys.node.get(&TOOL_CALL_ID).is_some();
    let by_name = legacy && !by_id && name.is_some();
    let id = match &name {
        Some(name) if by_name => legacy_id(name, input),
        _ => keys.needed_text(&TOOL_CALL_ID)?,
    };
    let said = keys.some(&CONTENT);
    let flaw = match &said {
        None => Some(&NO_CONTENT),
        Some(_) if by_id => Some(&WRONG_ROLE),
        Some(_) => keys.null_but(&[]),
    };
    let mut content = match said {
        None => Content::Absent,
        Some(node) => match node.text() {
            Some(text) if text.is_empty() => Content::Absent,
            Some(text) => Content::Text(text),
            None => {
                let mut parts = Parts::new();
                result_list(&node, keys.at, &mut parts)?;
                if parts.is_empty() { Content::Absent } else { Content::blocks(parts) }
            }
        },
    };
    let error = error_flag::take(&mut content, input)?;
    let name = name.map(Box::new);
    Ok((ToolResult { id, made_up_id: by_name, name, content, error, synthetic: false }, flaw))
}

/// The id that a legacy call and its result share: their function's name says which belong together.
fn legacy_id<H: Host>(name: &Text<H>, input: Option<&Input>) -> Text<H> {
    Text::own(&made_up(&name.to_str(input), 0))
}
