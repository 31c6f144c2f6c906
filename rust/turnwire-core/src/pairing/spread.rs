//! Gives each parallel call its result, where one text has the results of all of them as a JSON list.

use super::links::calls;
use crate::{
    model::{Content, Kind, Part, Parts, Role, ToolResult, Turn},
    value::{Host, Raw, Text, Value, json},
};

/// Divides the only result of a run with several calls, if it is a list of as many values. Only formats without ids
/// that write the results of a run as one text are concerned.
pub(super) fn spread<H: Host>(turns: &mut [Turn<H>]) {
    let mut asked = 0;
    for at in 0..turns.len() {
        if calls(&turns[at]) {
            asked += turns[at].calls().count();
            continue;
        }
        // Another turn of results behind the first has the rest of them.
        let alone = turns.get(at + 1).is_none_or(|next| next.role != Role::Tool);
        if asked > 1
            && alone
            && let Some(parts) = divided(&turns[at], asked)
        {
            turns[at].parts = parts;
        }
        asked = 0;
    }
}

/// The parts of a turn with its only result divided, if that is a list of `count` values.
fn divided<H: Host>(turn: &Turn<H>, count: usize) -> Option<Parts<H>> {
    let joins = turn.from.limits().is_ok_and(|limits| !limits.between_results.is_empty());
    if !joins || turn.results().count() != 1 {
        return None;
    }
    let place = turn.parts.iter().position(|part| matches!(part.kind, Kind::Result(_)))?;
    let part = &turn.parts[place];
    let Kind::Result(ToolResult { made_up_id: true, error: false, content: Content::Text(text), .. }) = &part.kind
    else {
        return None;
    };
    let words = text.wtf8(turn.input.as_ref());
    if !words.trim_ascii_start().starts_with(b"[") {
        return None;
    }
    let Ok(Value::List(values)) = json::read::value::<H>(&words) else { return None };
    if values.len() != count {
        return None;
    }
    let mut parts = Parts::new();
    parts.extend(turn.parts[..place].iter().map(Part::share));
    for value in values.iter() {
        let said = match value {
            Value::Text(text) => text.share(),
            other => Text::own(&json::encode::to_string(&Raw::Tree(other.share()), None).ok()?),
        };
        let id = Text::own("");
        let content = Content::Text(said);
        let result = ToolResult {
            id,
            made_up_id: true,
            name: None,
            content,
            error: false,
            synthetic: false,
            custom: false,
            form: None,
        };
        parts.push(Part::at(part.place, Kind::Result(result)));
    }
    parts.extend(turn.parts[place + 1..].iter().map(Part::share));
    Some(parts)
}
