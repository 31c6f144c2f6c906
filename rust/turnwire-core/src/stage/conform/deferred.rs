//! Says in calls of tools that the model has found by a search where their tools are.

use std::sync::Arc;

use crate::{
    k,
    model::{Frame, Kind, Part, Tool, Turn},
    report::{Change, Edit},
    rules::{DeferredRule, Limits, Target, value_rule::member},
    stage::Draft,
    value::{HashSet, Host, Input, Raw, Text, Value},
};

const UNPLACED: &str =
    "the target refuses a call of a tool that it shows after a search without the name of the tool's place";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let Some(rule) = target.id.facts.deferred else { return };
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    let hides = |tool: &Tool<H>| is_hidden(tool, rule, frame.input.as_ref());
    if !frame.tools.iter().flatten().any(hides) && !draft.turns().any(|turn| shows(turn, rule)) {
        return;
    }
    let mut found = Found { rule, limits: target.limits, plain: HashSet::default(), hidden: HashSet::default() };
    found.tools(frame);
    let own = |turn: &Turn<H>| turn.from.same_wire(target.id);
    draft.turns().filter(|turn| own(turn)).for_each(|turn| found.shown(turn));
    let is_meant = |turn: &Turn<H>| own(turn) && turn.parts.iter().any(|part| found.missing(part, turn).is_some());
    if !draft.turns().any(|turn| is_meant(turn)) {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut().filter(|slot| is_meant(&slot.turn)) {
        let mut new = slot.turn.touch();
        for (at, part) in new.parts.iter_mut().enumerate() {
            if let Some(name) = found.missing(part, &slot.turn) {
                place(part, rule, &name, slot.turn.input.as_ref());
                entries.push(Change::new(Edit::Reshaped, slot.index, slot.path_of(at), UNPLACED));
            }
        }
        slot.turn = Arc::new(new);
    }
    draft.receipt.changes.append(&mut entries);
}

fn is_hidden<H: Host>(tool: &Tool<H>, rule: &DeferredRule, input: Option<&Input>) -> bool {
    let mut extras = tool.extras.iter().flat_map(|extras| extras.iter());
    extras.any(|(key, value)| key.is(rule.flag, input) && matches!(value.to_value(input), Ok(Value::Bool(true))))
}

fn shows<H: Host>(turn: &Turn<H>, rule: &DeferredRule) -> bool {
    match turn.parts.first().map(|part| &part.kind) {
        Some(Kind::Opaque(kind)) => kind.is(rule.shown.0, turn.input.as_ref()),
        Some(Kind::Result(result)) => result.form.is_some_and(|form| form.result() == rule.shown.0),
        _ => false,
    }
}

/// The names of the tools that the model sees from the start, and of those that it finds, as the target gets them.
struct Found<'a> {
    rule: &'a DeferredRule,
    limits: &'a Limits,
    plain: HashSet<String>,
    hidden: HashSet<String>,
}

impl Found<'_> {
    fn tools<H: Host>(&mut self, frame: &Frame<H>) {
        let input = frame.input.as_ref();
        for tool in frame.tools.iter().flatten().filter(|tool| !tool.by_provider) {
            let name = self.legal(&tool.name, input);
            let names = if is_hidden(tool, self.rule, input) { &mut self.hidden } else { &mut self.plain };
            names.insert(name);
        }
    }

    fn legal<H: Host>(&self, name: &Text<H>, input: Option<&Input>) -> String {
        self.limits.legal_name(name, input)
    }

    /// The place that a call must name, and does not: its tool's own name.
    fn missing<H: Host>(&self, part: &Part<H>, turn: &Turn<H>) -> Option<String> {
        let Kind::Call(call) = &part.kind else { return None };
        let input = turn.input.as_ref();
        let name = self.legal(&call.name, input);
        if self.plain.contains(&name) || !self.hidden.contains(&name) {
            return None;
        }
        // The place follows the new name of its tool.
        let is_said = call.namespace.as_deref().is_some_and(|said| {
            let said = said.to_str(input);
            !said.is_empty() && (*said == *name || *said != *call.name.to_str(input))
        });
        (!is_said).then_some(name)
    }

    /// The tools that an item shows. One that is inside something else has a name of another kind.
    fn shown<H: Host>(&mut self, turn: &Turn<H>) {
        let Some(origin) = turn.parts.first().and_then(|part| part.origin.as_ref()).filter(|_| shows(turn, self.rule))
        else {
            return;
        };
        let Ok(Value::Map(entries)) = origin.to_value(turn.input.as_ref()) else { return };
        let Some(Value::List(tools)) = member(&entries, self.rule.shown.1) else { return };
        for tool in tools.iter() {
            let Value::Map(tool) = tool else { continue };
            let is_plain =
                matches!(member(tool, k::TYPE.name), Some(Value::Text(kind)) if kind.is(k::FUNCTION.name, None));
            if let (true, Some(Value::Text(name))) = (is_plain, member(tool, k::NAME.name)) {
                let name = self.legal(name, None);
                self.hidden.insert(name);
            }
        }
    }
}

/// Puts the place of a call's tool into the call: a tool that is inside nothing has its own name there.
fn place<H: Host>(part: &mut Part<H>, rule: &DeferredRule, name: &str, input: Option<&Input>) {
    let name = || Text::own(name);
    if let Kind::Call(call) = &mut part.kind {
        call.namespace = Some(Box::new(name()));
    }
    if let Some(extras) = &mut part.extras {
        extras.retain(|(key, _)| !key.is(rule.place, input));
    }
    if let Some(Ok(Value::Map(entries))) = part.origin.as_ref().map(|origin| origin.to_value(input)) {
        let others = entries.iter().filter(|(key, _)| !key.is(rule.place, None));
        let others = others.map(|(key, value)| (key.share(), value.share()));
        let placed = (Text::own(rule.place), Value::Text(name()));
        part.origin = Some(Raw::Tree(Value::Map(others.chain([placed]).collect())));
    }
}
