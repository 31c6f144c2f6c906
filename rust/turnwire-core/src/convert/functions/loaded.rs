//! Finds the tools that items of a list show to the model: after a search, or without one.

use crate::{
    dialects::registry,
    model::{Kind, Part, Tool, View},
    rules::{DialectId, value_rule::member},
    value::{Host, Input, Raw, Text, Tree, Value},
};

/// A tool that an item shows, with the input of its spans.
pub(in crate::convert) type Shown<H> = (Tool<H>, Option<Input>);

/// All tools that items show. `meant`: the formats whose items count.
pub(in crate::convert) fn all<H: Host>(view: &View<'_, H>, meant: &dyn Fn(DialectId) -> bool) -> Vec<Shown<H>> {
    let turns = view.turns.iter().filter(|turn| meant(turn.from));
    let shown = turns.flat_map(|turn| turn.parts.iter().flat_map(|part| each((turn.from, turn.input.as_ref()), part)));
    shown.map(|tool| (tool, None)).collect()
}

/// The tools that a part shows; those of a group by themselves.
pub(crate) fn each<H: Host>(scope: (DialectId, Option<&Input>), part: &Part<H>) -> Vec<Tool<H>> {
    let alone = |tool: Tool<H>| {
        if tool.functions.is_empty() { vec![tool] } else { tool.functions }
    };
    // The frame may be in another format than the item.
    shown(scope, part).into_iter().flat_map(alone).map(|tool| Tool { of: Some(scope.0), ..tool }).collect()
}

/// The definitions in a part that shows some.
fn shown<H: Host>((from, input): (DialectId, Option<&Input>), part: &Part<H>) -> Vec<Tool<H>> {
    let Some(rule) = from.facts.deferred.filter(|_| shows((from, input), part)) else { return Vec::new() };
    let origin = part.origin.as_ref().and_then(|origin| origin.to_value(input).ok());
    let Some(Value::Map(entries)) = origin else { return Vec::new() };
    let Some(list) = member(&entries, rule.shown.1) else { return Vec::new() };
    // What is no definition is not read.
    registry::read_tools(&Tree(list), Some(from)).unwrap_or_default()
}

/// Whether a part shows tools.
pub(crate) fn shows<H: Host>((from, input): (DialectId, Option<&Input>), part: &Part<H>) -> bool {
    let Some(rule) = from.facts.deferred else { return false };
    match &part.kind {
        Kind::Result(result) => result.form.is_some_and(|form| form.result() == rule.shown.0),
        Kind::Opaque(kind) => [rule.shown.0, rule.added].iter().any(|word| kind.is(word, input)),
        _ => false,
    }
}

/// The tool with handles that need no input.
pub(super) fn detached<H: Host>((tool, input): &Shown<H>) -> Tool<H> {
    let input = input.as_ref();
    tool.map(&mut |text: &Text<H>| text.detach(input), &mut |raw: &Raw<H>| raw.detach(input))
}
