//! Finds the calls that the user denied: the answer to a request for approval names the request, and that names the call.

use super::{keys as k, output::reason_or_default};
use crate::{
    model::{Content, Flaw, Kind, Part, Role, ToolResult, Turn},
    rules::value_rule::{Entry, member},
    value::{HashMap, HashSet, Host, Key, Text, Value},
};

/// The SDK tells a provider about a denial only if nothing but results follows.
static NO_RESULT: Flaw = Flaw::refused("a denied call has no result behind it");

/// Makes each denial the result of its call, unless the call has one.
pub(super) fn settle<H: Host>(turns: &mut [Turn<H>]) {
    if !turns.iter().any(|turn| turn.parts.iter().any(|part| answers(turn, part))) {
        return;
    }
    let (mut asked, mut called, mut answered) = (HashMap::default(), HashSet::default(), HashSet::default());
    for turn in turns.iter() {
        let input = turn.input.as_ref();
        for part in &turn.parts {
            match &part.kind {
                Kind::Call(call) => drop(called.insert(call.id.to_str(input).into_owned())),
                Kind::Result(result) if !part.is_progress() => {
                    answered.insert(result.id.to_str(input).into_owned());
                }
                Kind::Opaque(_) if is(turn, part, &k::APPROVAL_REQUEST) => {
                    let named = [&k::APPROVAL_ID, &k::TOOL_CALL_ID].map(|key| word(turn, part, key));
                    if let [Some(name), Some(call)] = named {
                        asked.insert(name.to_str(None).into_owned(), call);
                    }
                }
                _ => {}
            }
        }
    }
    let last = turns.iter().rposition(|turn| turn.role != Role::Tool);
    for (at, turn) in turns.iter_mut().enumerate() {
        for place in 0..turn.parts.len() {
            let part = &turn.parts[place];
            if !answers(turn, part) || !denies(turn, part) {
                continue;
            }
            let name = word(turn, part, &k::APPROVAL_ID).map(|name| name.to_str(None).into_owned());
            let Some(id) = name.and_then(|name| asked.get(&name)) else { continue };
            let named = id.to_str(None).into_owned();
            if !called.contains(&named) || !answered.insert(named) {
                continue;
            }
            let content = Content::Text(reason_or_default(word(turn, part, &k::REASON)));
            let result = ToolResult {
                id: id.share(),
                made_up_id: false,
                name: None,
                content,
                error: false,
                synthetic: false,
                custom: false,
                form: None,
            };
            let flaw = last.filter(|last| at < *last).map(|_| &NO_RESULT);
            turn.parts[place].kind = Kind::Result(result);
            turn.parts[place].flaw = flaw;
        }
    }
}

/// Whether a part answers a request for approval.
pub(super) fn answers<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    is(turn, part, &k::APPROVAL_RESPONSE)
}

fn is<H: Host>(turn: &Turn<H>, part: &Part<H>, key: &Key) -> bool {
    matches!(&part.kind, Kind::Opaque(kind) if kind.is(key.name, turn.input.as_ref()))
}

fn denies<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    entry(turn, part, &k::APPROVED).is_some_and(|value| matches!(value, Value::Bool(false)))
}

/// The text under a key of a part.
fn word<H: Host>(turn: &Turn<H>, part: &Part<H>, key: &Key) -> Option<Text<H>> {
    match entry(turn, part, key)? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// The value under a key of a part.
fn entry<H: Host>(turn: &Turn<H>, part: &Part<H>, key: &Key) -> Option<Value<H>> {
    let Ok(Value::Map(entries)) = part.origin.as_ref()?.to_value(turn.input.as_ref()) else { return None };
    let entries: &[Entry<H>] = &entries;
    member(entries, key.name).map(Value::share)
}
