//! Settles what only the whole list says of calls of their own kind: who runs a shell, and which call an answer means.

use super::read::given_up;
use std::collections::VecDeque;

use crate::{
    model::{Flaw, Frame, Kind, Part, Tool, Turn},
    rules::{CallForm, value_rule::member},
    value::{HashMap, HashSet, Host, Input, Raw, Text, Value},
};

static OTHER_ITEM: Flaw = Flaw::refused("the item of its call does not keep the id that this output names");

/// Gives the provider the calls of its own shells with their answers, and answers that name the item of their call the
/// call's id.
pub(crate) fn settle<H: Host>(turns: &mut [Turn<H>], frame: &Frame<H>) {
    let formed = |turn: &Turn<H>| match turn.parts.first().map(|part| &part.kind) {
        Some(Kind::Call(call)) => call.form.is_some(),
        Some(Kind::Result(result)) => result.form.is_some(),
        _ => false,
    };
    if !turns.iter().any(formed) {
        return;
    }
    let in_container = !hosted(frame).is_empty();
    let mut hosted = HashSet::default();
    for turn in turns.iter_mut() {
        let input = turn.input.clone();
        match turn.parts.as_slice() {
            [part @ Part { kind: Kind::Opaque(kind), .. }] if kind.is(CallForm::Shell.call(), input.as_ref()) => {
                hosted.extend(word(part.origin.as_ref(), &["call_id"], turn));
            }
            [part @ Part { kind: Kind::Call(call), .. }]
                if in_container
                    && call.form == Some(CallForm::Shell)
                    && word(part.origin.as_ref(), &["environment", "type"], turn).is_none() =>
            {
                hosted.insert(call.id.to_str(input.as_ref()).into_owned());
                given_up(turn, CallForm::Shell.call());
            }
            _ => {}
        }
    }
    let told: Vec<_> = turns
        .iter()
        .flat_map(|turn| turn.results().map(move |result| result.id.to_str(turn.input.as_ref()).into_owned()))
        .collect();
    let told: HashSet<_> = told.into_iter().collect();
    // By the id of an item, its calls that no answer names by their own id. Several items may have one id.
    let (mut called, mut items) = (HashSet::default(), HashMap::<String, VecDeque<Text<H>>>::default());
    let mut first = HashMap::<String, String>::default();
    for turn in turns.iter() {
        let input = turn.input.as_ref();
        for part in &turn.parts {
            let Kind::Call(call) = &part.kind else { continue };
            let id = call.id.to_str(input).into_owned();
            // An id that the target refuses still names the item.
            let item =
                (call.form == Some(CallForm::LocalShell)).then(|| word(part.origin.as_ref(), &["id"], turn)).flatten();
            if let Some(item) = item {
                if turn.id.is_some() {
                    first.entry(item.clone()).or_insert_with(|| id.clone());
                }
                if !told.contains(&id) {
                    items.entry(item).or_default().push_back(call.id.detach(input));
                }
            }
            called.insert(id);
        }
    }
    for turn in turns.iter_mut() {
        let input = turn.input.clone();
        let [Part { kind: Kind::Result(result), .. }] = turn.parts.as_mut_slice() else { continue };
        let Some(form) = result.form else { continue };
        let id = result.id.to_str(input.as_ref()).into_owned();
        if called.contains(&id) {
            continue;
        }
        if form == CallForm::LocalShell {
            // The first call is answered first. One answer more is the second one of the last call.
            if let Some(calls) = items.get_mut(&id)
                && let Some(call) = if calls.len() > 1 { calls.pop_front() } else { calls.front().map(Text::share) }
            {
                // Of several items with one id, only the first one keeps it.
                if first.get(&id).is_none_or(|first| *first != call.to_str(None)) {
                    turn.flaw = turn.flaw.or(Some(&OTHER_ITEM));
                }
                result.id = call;
            }
        } else if form == CallForm::Shell && hosted.contains(&id) {
            given_up(turn, form.result());
        }
    }
}

/// The types of the calls that the provider answers itself, as the definitions say.
pub(crate) fn hosted<H: Host>(frame: &Frame<H>) -> Vec<&'static str> {
    let is_hosted = frame.tools.iter().flatten().any(|tool| is_container(tool, frame.input.as_ref()));
    is_hosted.then(|| CallForm::Shell.call()).into_iter().collect()
}

/// Whether a tool is a shell that the provider runs.
fn is_container<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> bool {
    let shell = tool.by_provider && tool.name.is("shell", input);
    let place = tool.origin.as_ref().filter(|_| shell).and_then(|origin| at(origin, &["environment", "type"], input));
    place.is_some_and(|place| place.starts_with("container"))
}

fn word<H: Host>(origin: Option<&Raw<H>>, path: &[&str], turn: &Turn<H>) -> Option<String> {
    at(origin?, path, turn.input.as_ref())
}

/// The text at these keys, from the outside inwards.
fn at<H: Host>(origin: &Raw<H>, path: &[&str], input: Option<&Input>) -> Option<String> {
    let mut value = origin.to_value(input).ok()?;
    for key in path {
        let Value::Map(entries) = &value else { return None };
        value = member(entries, key)?.share();
    }
    match value {
        Value::Text(text) => Some(text.to_str(None).into_owned()),
        _ => None,
    }
}
