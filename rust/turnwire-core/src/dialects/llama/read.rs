//! Reads Llama's messages.

use super::keys as k;
use super::{LIMITS, Llama, PARAMETERS, TEMPLATE, TOOL_RESULT, UNKNOWN};
use crate::{
    model::{Call, Content, Flaw, Inner, Kind, Part, Role, ToolResult, Turn},
    report::{Error, Place, Trail},
    value::{Host, NodeKind, Raw, Source, Text, Value, json},
    wire::{
        format::Read,
        read::{
            Keys, error_flag,
            keys::{args, unknown_role, wrong_type},
        },
        write::call_json,
    },
};

static NULL_CALLS: Flaw = Flaw::refused("the template reads the key `tool_calls` as a call, even if it is null");

impl Read for Llama {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let role = keys.needed(&k::ROLE)?;
        turn.role = match role.word().as_deref() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("ipython" | "tool") => Role::Tool,
            Some(word) => {
                return Err(unknown_role(word, "system, user, assistant, ipython, tool", &at.key(k::ROLE.name)));
            }
            None => return Err(wrong_type("a string", &role, &at.key(k::ROLE.name))),
        };
        let template = turn.from.profile() == TEMPLATE;
        let calls = keys.take(&k::TOOL_CALLS);
        let any = calls.as_ref().is_some_and(|calls| calls.kind() == NodeKind::List && !calls.is_empty());
        if any && turn.role != Role::Assistant {
            (turn.role, turn.flaw) = (Role::Assistant, Some(&WRONG_ROLE));
        }
        let said = keys.some(&k::CONTENT);
        if said.is_none() && !(any && template) {
            turn.flaw = Some(&NO_CONTENT);
        }
        if turn.role == Role::Tool {
            if !template {
                turn.flaw = Some(&NO_TOOLS);
            }
            let said = result(&mut keys, said)?;
            turn.parts.push(Part::at(Place::key(k::CONTENT.name), Kind::Result(said)));
        } else if let Some(node) = said {
            let text = node.text().ok_or_else(|| wrong_type("a string", &node, &at.key(k::CONTENT.name)))?;
            let place = Place::key(k::CONTENT.name);
            let assistant = turn.role == Role::Assistant;
            let calls =
                || call_json::read(&text.to_str(element.input()), &[PARAMETERS, k::ARGUMENTS.name], LIMITS.args, place);
            match assistant.then(calls).flatten() {
                Some(calls) => turn.parts = calls.into(),
                None if text.is_empty() => {}
                None => turn.parts.push(Part::at(place, Kind::Text(text))),
            }
            if turn.role == Role::User && !template {
                stand_in(turn)?;
            }
        }
        if let Some(list) = calls {
            let at = at.key(k::TOOL_CALLS.name);
            match list.kind() {
                NodeKind::Null => turn.flaw = Some(&NULL_CALLS),
                NodeKind::List => {
                    let beside = !turn.parts.is_empty();
                    for (item, one) in list.items().enumerate() {
                        turn.parts.push(call(&one, item, &at.index(item))?);
                    }
                    if list.len() != 1 || beside {
                        turn.flaw = Some(&ONE_CALL);
                    }
                }
                _ => return Err(wrong_type("a list", &list, &at)),
            }
            if !template {
                turn.flaw = Some(&NO_TOOLS);
            }
        }
        turn.extras = keys.extras();
        Ok(())
    }
    /// Reads a user's text in the form of a result as a result, because the caller asks for it.
    fn results_in_text<H: Host>(turn: &mut Turn<H>) -> Result<(), Error> {
        if let Some(result) = result_in_text(turn)? {
            turn.parts = [result].into();
            if turn.from.profile() == TEMPLATE {
                turn.flaw = Some(&NO_TEXT);
            }
        }
        Ok(())
    }
}

/// Reads a placeholder for a missing result as one in any case, so that no second one is added. A user gains nothing by
/// writing one.
fn stand_in<H: Host>(turn: &mut Turn<H>) -> Result<(), Error> {
    let input = turn.input.as_ref();
    let may_be = |part: &Part<H>| matches!(&part.kind, Kind::Text(text) if text.starts_with(RESULT_BEGINS, input));
    if !turn.parts.first().is_some_and(may_be) {
        return Ok(());
    }
    if let Some(part) = result_in_text(turn)?
        && matches!(&part.kind, Kind::Result(result) if result.is_stand_in(None))
    {
        turn.parts = [part].into();
    }
    Ok(())
}

/// The result in a user's only text, if it has the form of one.
fn result_in_text<H: Host>(turn: &Turn<H>) -> Result<Option<Part<H>>, Error> {
    let [Part { kind: Kind::Text(text), place, .. }] = turn.parts.as_slice() else { return Ok(None) };
    let input = turn.input.as_ref();
    if turn.role != Role::User || !text.to_str(input).trim_start().starts_with('{') {
        return Ok(None);
    }
    let Ok(value) = json::read::value::<H>(text.to_str(input).as_bytes()) else { return Ok(None) };
    let Some((name, said)) = named_result(&value) else { return Ok(None) };
    let mut content = match said {
        Value::Null => Content::Absent,
        Value::Text(text) => Content::Text(text.share()),
        value => Content::blocks([Part::at(*place, Kind::Json(Raw::Tree(value.share())))]),
    };
    let error = error_flag::take(&mut content, None)?;
    let name = name.filter(|name| !name.is(UNKNOWN, None)).map(|name| Box::new(name.share()));
    let result = ToolResult {
        id: Text::own(""),
        made_up_id: true,
        name,
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    };
    Ok(Some(Part::at(*place, Kind::Result(result))))
}

/// How turnwire begins the text of a result.
const RESULT_BEGINS: &str = "{\"tool_result\":";

static WRONG_ROLE: Flaw = Flaw::refused("calls are the assistant's");
static NO_CONTENT: Flaw = Flaw::refused("a message without content");
static NO_TOOLS: Flaw = Flaw::refused("calls and results are text where the format has no tools");
static ONE_CALL: Flaw = Flaw::refused("the template allows one call in a message, and nothing beside it");

/// `{"type"?, "function": {"name", "arguments"}}`, or the inner object alone.
fn call<S: Source>(element: &S, item: usize, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    keys.pass_words(&k::TYPE, &[k::FUNCTION.name]);
    let id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
    let function = keys.some(&k::FUNCTION);
    let inner_at = at.key(k::FUNCTION.name);
    let mut named = match &function {
        Some(function) => Some(Keys::of(function, &inner_at)?),
        None => None,
    };
    let from = named.as_mut().unwrap_or(&mut keys);
    let (name, args) = (from.needed_text(&k::NAME)?, args(from.some(&k::ARGUMENTS))?);
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    let call = Call { id, made_up_id, name, args, custom: false, before: None, form: None, namespace: None };
    let inner = Inner::of(k::FUNCTION.name, named.and_then(Keys::extras));
    let extras = keys.extras();
    Ok(Part { extras, inner, ..Part::at(Place::item(k::TOOL_CALLS.name, item), Kind::Call(call)) })
}

/// Reads a tool's message. It pairs by the id or the name of its call, or by its position.
fn result<S: Source>(keys: &mut Keys<'_, S>, said: Option<S>) -> Result<ToolResult<S::H>, Error> {
    let (id, name) = (keys.text(&k::TOOL_CALL_ID)?.filter(|id| !id.is_empty()), keys.text(&k::NAME)?);
    let mut content = match said {
        None => Content::Absent,
        Some(node) => match node.text() {
            Some(text) => Content::Text(text),
            None => Content::blocks([Part::at(Place::key(k::CONTENT.name), Kind::Json(node.raw()))]),
        },
    };
    let error = error_flag::take(&mut content, keys.node.input())?;
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    Ok(ToolResult {
        id,
        made_up_id,
        name: name.map(Box::new),
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    })
}

static NO_TEXT: Flaw = Flaw::refused("the template has a role for results");

/// `{"tool_result": {"name"?, "result"}}` and nothing else.
fn named_result<H: Host>(value: &Value<H>) -> Option<(Option<&Text<H>>, &Value<H>)> {
    let Value::Map(outer) = value else { return None };
    let [(key, Value::Map(inner))] = &outer[..] else { return None };
    if !key.is(TOOL_RESULT, None) {
        return None;
    }
    let (mut name, mut said) = (None, None);
    for (key, value) in inner.iter() {
        match (&*key.to_str(None), value) {
            ("name", Value::Text(text)) => name = Some(text),
            ("result", value) => said = Some(value),
            _ => return None,
        }
    }
    Some((name, said?))
}
