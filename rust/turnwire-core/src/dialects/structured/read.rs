//! Reads structured entries.

use super::{Structured, keys as k};
use crate::{
    model::{Args, Call, Content, Flaw, Inner, Kind, Part, Parts, Reasoning, Role, ToolResult, Turn, flaw},
    report::{Error, Place, Trail},
    value::{NodeKind, Raw, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys, error_flag,
            keys::{args, each_part, placed, unknown_role, wrong_type},
        },
    },
};

static NO_NAME: Flaw = Flaw::refused("a call or result without a name");

impl Read for Structured {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let role = keys.needed(&k::ROLE)?;
        turn.role = match role.word().as_deref() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("gemini" | "chatgpt") => Role::Assistant,
            Some("tool") => Role::Tool,
            Some(word) => return Err(unknown_role(word, "system, user, gemini, chatgpt, tool", &at.key(k::ROLE.name))),
            None => return Err(wrong_type("a string", &role, &at.key(k::ROLE.name))),
        };
        let said = keys.needed(&k::CONTENT)?;
        let at = at.key(k::CONTENT.name);
        let mut parts = content(&said, &at)?;
        // A tool's text, in the older form or as parts, is a result without an id.
        let silent = parts.iter().all(|part| matches!(part.kind, Kind::Text(_)));
        if turn.role == Role::Tool && silent && !parts.is_empty() {
            parts = [Part::at(Place::key(k::CONTENT.name), result_of(parts, element)?)].into();
        }
        turn.parts = parts;
        turn.extras = keys.extras();
        Ok(())
    }
}

fn content<S: Source>(node: &S, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        // An empty string has no part; its turn's origin still replays it.
        let text = (!text.is_empty()).then(|| Part::at(Place::key(k::CONTENT.name), Kind::Text(text)));
        return Ok(text.into_iter().collect());
    }
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    each_part(node, k::CONTENT.name, at, part)
}

fn part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    if let Some(text) = element.text() {
        return Ok(placed(Kind::Text(text), element, place));
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("part").into()), element, place);
    made.kind = match word.as_deref() {
        Some("text") => Kind::Text(keys.needed_text(&k::CONTENT)?),
        Some("reasoning") => Kind::Reasoning(Reasoning { text: Some(keys.needed_text(&k::CONTENT)?) }),
        Some("tool_call") => call(&mut keys, &mut made)?,
        Some("tool_result") => result(&mut keys, &mut made)?,
        _ => return Ok(made),
    };
    made.extras = keys.extras();
    Ok(made)
}

fn call<S: Source>(keys: &mut Keys<'_, S>, made: &mut Part<S::H>) -> Result<Kind<S::H>, Error> {
    let node = keys.needed(&k::CONTENT)?;
    let at = keys.at.key(k::CONTENT.name);
    let mut inner = Keys::of(&node, &at)?;
    let name = inner.text(&k::NAME)?;
    made.flaw = name.is_none().then_some(&NO_NAME);
    let name = name.unwrap_or_else(|| Text::own(k::UNKNOWN_TOOL.name));
    let id = inner.text(&k::TOOL_CALL_ID)?.filter(|id| !id.is_empty());
    let made_up_id = id.is_none();
    let given = inner.some(&k::ARGUMENTS);
    if given.as_ref().is_none_or(|given| !matches!(given.kind(), NodeKind::Map | NodeKind::Text)) {
        made.flaw = made.flaw.or(Some(&flaw::NO_OBJECT));
    }
    let args = if given.is_some() { args(given)? } else { Args::Value(Raw::Own("{}".into())) };
    made.inner = Inner::of(k::CONTENT.name, inner.extras());
    let id = id.unwrap_or_else(|| Text::own(""));
    Ok(Kind::Call(Call { id, made_up_id, name, args, custom: false, before: None, form: None, namespace: None }))
}

fn result<S: Source>(keys: &mut Keys<'_, S>, made: &mut Part<S::H>) -> Result<Kind<S::H>, Error> {
    let name = keys.text(&k::NAME)?.filter(|name| !name.is_empty());
    made.flaw = name.is_none().then_some(&NO_NAME);
    let name = name.filter(|name| !name.is(k::UNKNOWN.name, keys.node.input()));
    let id = keys.text(&k::TOOL_CALL_ID)?.filter(|id| !id.is_empty());
    let mut content = match keys.some(&k::CONTENT) {
        None => Content::Absent,
        Some(node) => match node.text() {
            Some(text) => Content::Text(text),
            None => Content::blocks([Part::at(Place::key(k::CONTENT.name), Kind::Json(node.raw()))]),
        },
    };
    let error = error_flag::take(&mut content, keys.node.input())?;
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    Ok(Kind::Result(ToolResult {
        id,
        made_up_id,
        name: name.map(Box::new),
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    }))
}

/// Makes a result from parts that are not one.
fn result_of<S: Source>(parts: Parts<S::H>, element: &S) -> Result<Kind<S::H>, Error> {
    let mut content = match parts.as_slice() {
        [Part { kind: Kind::Text(text), origin: None, .. }] => Content::Text(text.share()),
        _ => Content::blocks(parts),
    };
    let error = error_flag::take(&mut content, element.input())?;
    let id = Text::own("");
    Ok(Kind::Result(ToolResult {
        id,
        made_up_id: true,
        name: None,
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    }))
}
