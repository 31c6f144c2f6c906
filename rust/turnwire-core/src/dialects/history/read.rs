//! Reads stored messages.

use super::keys as k;
use std::borrow::Cow;

use super::History;
use crate::{
    model::{Call, Content, Flaw, Inner, Kind, Media, MediaData, Part, Parts, Role, ToolResult, Turn},
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{HashMap, Host, Input, Key, NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys,
            keys::{args, each_part, join_extras, placed, unknown_role, wrong_type},
        },
    },
};

static NO_CONTENT: Flaw = Flaw::refused("a message without content and without calls");
static NO_ID: Flaw = Flaw::refused("a call or result without an id");
static NO_NAME: Flaw = Flaw::refused("a call without a name");

impl Read for History {
    fn turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        self::turn(element, index, at, turn)
    }
}

pub(super) fn turn<S: Source>(node: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(node, at)?;
    let role = keys.needed(&k::ROLE)?;
    turn.role = match role.word().as_deref() {
        Some("system") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool") => Role::Tool,
        Some(word) => return Err(unknown_role(word, "system, user, assistant, tool", &at.key(k::ROLE.name))),
        None => return Err(wrong_type("a string", &role, &at.key(k::ROLE.name))),
    };
    let is_result = turn.role == Role::Tool && node.get(&k::TOOL_USE_ID).is_some();
    let said = keys.some(&k::CONTENT);
    let mut parts = match &said {
        Some(node) if is_result && is_value(node) => [value(node)].into(),
        Some(node) => content(node, turn.role == Role::Tool, &at.key(k::CONTENT.name))?,
        None => Parts::new(),
    };
    // A tool's message may itself have a call's id. Without an id it pairs by the name of its tool, or by order.
    if turn.role == Role::Tool {
        let id = keys.text(&k::TOOL_USE_ID)?;
        if id.is_some() || !parts.iter().any(|part| matches!(part.kind, Kind::Result(_))) {
            parts = [message_result(&mut keys, id, parts)?].into();
        }
    }
    let mut listed = Vec::new();
    for key in [&k::TOOL_CALLS_CAMEL, &k::TOOL_CALLS] {
        if let Some(list) = keys.some(key) {
            let at = at.key(key.name);
            if list.kind() != NodeKind::List {
                return Err(wrong_type("a list", &list, &at));
            }
            for (item, call) in list.items().enumerate() {
                listed.push(tool_call(&call, key, (index, item), &at.index(item))?);
            }
        }
    }
    if !listed.is_empty() {
        drop_twins(&mut parts, &mut listed, node.input());
    }
    parts.extend(listed);
    if said.is_none() && parts.is_empty() {
        // The key may be misspelt, so this must not count as an empty message.
        if turn.role != Role::Assistant && node.get(&k::CONTENT).is_none() && keys.are_left() {
            return Err(keys.missing(&k::CONTENT));
        }
        turn.flaw = Some(&NO_CONTENT);
    }
    turn.parts = parts;
    turn.extras = keys.extras();
    Ok(())
}

/// Calls with the indices of their parts.
type Calls<'a, H> = Vec<(usize, &'a Call<H>)>;

/// Drops listed calls that the content also has, once for each. Their unknown keys go to the call that stays.
fn drop_twins<H: Host>(content: &mut [Part<H>], listed: &mut Vec<Part<H>>, input: Option<&Input>) {
    let mut twins: HashMap<Cow<'_, [u8]>, Calls<'_, H>> = HashMap::default();
    for (at, part) in content.iter().enumerate() {
        if let Kind::Call(call) = &part.kind {
            twins.entry(call.id.wtf8(input)).or_default().push((at, call));
        }
    }
    let mut rest = Vec::new();
    listed.retain_mut(|part| {
        let Kind::Call(call) = &part.kind else { return true };
        let same = twins.get_mut(&*call.id.wtf8(input)).filter(|_| !call.made_up_id);
        let Some(same) = same else { return true };
        let Some(found) = same.iter().position(|(_, twin)| twin.same(call, (input, input))) else { return true };
        let (at, _) = same.remove(found);
        let inside = part.inner.take().map(|inner| Box::new(inner.extras));
        rest.extend([part.extras.take(), inside].map(|extras| (at, extras)));
        false
    });
    for (at, extras) in rest.into_iter().filter(|(_, extras)| extras.is_some()) {
        join_extras(&mut content[at].extras, extras);
        // Its own wire value lacks them, so it is written anew.
        content[at].origin = None;
    }
}

/// Reads a string, a list of blocks, or one block.
fn content<S: Source>(node: &S, tool: bool, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        if text.is_empty() {
            return Ok(Parts::new());
        }
        return Ok([Part::at(Place::key(k::CONTENT.name), Kind::Text(text))].into());
    }
    match node.kind() {
        NodeKind::List => each_part(node, k::CONTENT.name, at, |one, place, at| block(one, tool, place, at)),
        NodeKind::Map if node.is_empty() => Ok(Parts::new()),
        NodeKind::Map => Ok([block(node, tool, Place::key(k::CONTENT.name), at)?].into()),
        _ => Err(wrong_type("a string, a list or an object", node, at)),
    }
}

fn block<S: Source>(element: &S, tool: bool, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    if let Some(text) = element.text() {
        return Ok(placed(Kind::Text(text), element, place));
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let (mut inner, mut flaw) = (None, None);
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&k::TEXT)?)),
        Some("tool_use") => {
            let (id, name) = (keys.needed_text(&k::ID)?, keys.text(&k::NAME)?);
            flaw = name.is_none().then_some(&NO_NAME);
            let name = name.unwrap_or_else(|| Text::own(k::UNKNOWN.name));
            let args = args(keys.take(&k::INPUT))?;
            Some(Kind::Call(Call {
                id,
                made_up_id: false,
                name,
                args,
                custom: false,
                before: None,
                form: None,
                namespace: None,
            }))
        }
        Some("tool_result") => Some(result(&mut keys)?),
        None if tool && element.get(&k::TOOL_USE_ID).is_some() => Some(result(&mut keys)?),
        Some("image") => image(&mut keys, &mut inner)?,
        _ => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("block").into()), element, place);
    if let Some(kind) = kind {
        made.kind = kind;
        made.flaw = flaw;
        made.extras = keys.extras();
        made.inner = inner;
    }
    Ok(made)
}

fn result<S: Source>(keys: &mut Keys<'_, S>) -> Result<Kind<S::H>, Error> {
    let id = keys.needed_text(&k::TOOL_USE_ID)?;
    let name = keys.text(&k::TOOL_NAME)?.filter(|name| !name.is("unknown", keys.node.input()));
    let error = match keys.some(&k::IS_ERROR) {
        None => false,
        Some(node) => node.bool().ok_or_else(|| wrong_type("a boolean", &node, &keys.at.key(k::IS_ERROR.name)))?,
    };
    let content = match keys.some(&k::CONTENT) {
        None => Content::Absent,
        Some(node) => match (node.text(), node.kind()) {
            (Some(text), _) => Content::Text(text),
            (None, NodeKind::List) if !is_value(&node) => {
                Content::blocks(content(&node, false, &keys.at.key(k::CONTENT.name))?)
            }
            _ => Content::blocks([value(&node)]),
        },
    };
    Ok(Kind::Result(ToolResult {
        id,
        made_up_id: false,
        name: name.map(Box::new),
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    }))
}

/// Whether the content of a result is the tool's own value: an object, a number, or a list of them. Blocks and lists of
/// blocks, which are texts and objects with a type, are not.
fn is_value<S: Source>(node: &S) -> bool {
    let says = |key| node.get(key).is_some_and(|word| word.kind() == NodeKind::Text);
    match node.kind() {
        NodeKind::Text => false,
        NodeKind::Map => !says(&k::TYPE) && !says(&k::TOOL_USE_ID),
        NodeKind::List => node.items().any(|item| item.kind() == NodeKind::List || is_value(&item)),
        _ => true,
    }
}

fn value<S: Source>(node: &S) -> Part<S::H> {
    Part::at(Place::key(k::CONTENT.name), Kind::Json(node.raw()))
}

/// Reads a message of role `tool` that is itself the result: its content is the tool's answer.
fn message_result<S: Source>(
    keys: &mut Keys<'_, S>,
    id: Option<Text<S::H>>,
    parts: Parts<S::H>,
) -> Result<Part<S::H>, Error> {
    let name = keys.text(&k::TOOL_NAME)?;
    let content = match parts.as_slice() {
        [] => Content::Absent,
        [Part { kind: Kind::Text(text), origin: None, .. }] => Content::Text(text.share()),
        _ => Content::blocks(parts),
    };
    let (id, made_up_id) = id.map_or_else(|| (Text::own(""), true), |id| (id, false));
    let result = ToolResult {
        id,
        made_up_id,
        name: name.map(Box::new),
        content,
        error: false,
        synthetic: false,
        custom: false,
        form: None,
    };
    Ok(Part { flaw: made_up_id.then_some(&NO_ID), ..Part::at(Place::key(k::CONTENT.name), Kind::Result(result)) })
}

/// One entry of `toolCalls`: flat, or with a `function` inside.
fn tool_call<S: Source>(
    element: &S,
    key: &'static Key,
    (turn, item): (usize, usize),
    at: &Trail<'_>,
) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
    keys.pass_words(&k::TYPE, &["function", "tool_use"]);
    let mut made = placed(Kind::Opaque(Text::own(key.name)), element, Place::item(key.name, item));
    let function = keys.some(&k::FUNCTION);
    let inner_at = at.key(k::FUNCTION.name);
    let (name, args, rest) = if let Some(function) = &function {
        let mut inner = Keys::of(function, &inner_at)?;
        let (name, args) = named(&mut inner)?;
        (name, args, inner.extras())
    } else {
        let (name, args) = named(&mut keys)?;
        (name, args, None)
    };
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(&format!("call_{turn}_{item}")));
    made.kind =
        Kind::Call(Call { id, made_up_id, name, args, custom: false, before: None, form: None, namespace: None });
    made.flaw = made_up_id.then_some(&NO_ID);
    made.extras = keys.extras();
    made.inner = Inner::of(k::FUNCTION.name, rest);
    made.flaw = made_up_id.then_some(&NO_ID);
    Ok(made)
}

type Named<H> = (Text<H>, crate::model::tool::Args<H>);

fn named<S: Source>(keys: &mut Keys<'_, S>) -> Result<Named<S::H>, Error> {
    let name = keys.needed_text(&k::NAME)?;
    // If both spellings are present, the one that is not read stays among the extras.
    let given = keys.take(&k::ARGUMENTS).or_else(|| keys.take(&k::INPUT));
    Ok((name, args(given)?))
}

fn image<S: Source>(keys: &mut Keys<'_, S>, inner: &mut Option<Box<Inner<S::H>>>) -> Result<Option<Kind<S::H>>, Error> {
    let Some(node) = keys.some(&k::SOURCE).filter(|node| node.kind() == NodeKind::Map) else { return Ok(None) };
    let at = keys.at.key(k::SOURCE.name);
    let mut source = Keys::of(&node, &at)?;
    if node.get(&k::TYPE).is_some_and(|kind| matches!(kind.word().as_deref(), Some("base64" | "url"))) {
        let _ = source.take(&k::TYPE);
    }
    let mime = source.text(&k::MEDIA_TYPE)?;
    let data = match (source.text(&k::DATA)?, source.text(&k::URL)?) {
        (Some(data), _) => MediaData::Base64(data),
        (None, Some(url)) => MediaData::Url(url),
        (None, None) => return Ok(None),
    };
    *inner = Inner::of(k::SOURCE.name, source.extras());
    Ok(Some(Kind::Media(Media { class: MediaClass::Image, mime, data, name: None })))
}
