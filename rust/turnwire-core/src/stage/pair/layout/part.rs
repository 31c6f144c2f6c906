//! The parts of laid turns: calls and results by their names, and the results that are made here.

use super::{Item, Layout};
use crate::{
    dialect::DialectId,
    handle::{Host, Text},
    node::ArgsState,
    part::{Kind, Part},
    tool::{Content, INCOMPLETE_ARGUMENTS, INVALID_ARGUMENTS, MISSING_RESULT, ToolResult},
};

impl<H: Host> Layout<'_, H> {
    /// A part for the turn of slot `home`, or for a new turn, whose dialect is `from`.
    pub(super) fn part(&self, item: Item, home: Option<usize>, from: DialectId) -> Part<H> {
        match item {
            Item::Part(at) => {
                let slot = home.unwrap_or_default();
                renamed(self.slots[slot].turn.parts[at].share(), self.call_name(slot, at))
            }
            Item::Result(at) => {
                let site = &self.plan.results[at];
                let turn = &self.slots[site.slot].turn;
                let part = &turn.parts[site.part];
                let mut part = if home == Some(site.slot) { part.share() } else { part.detach(turn.input.as_ref()) };
                if turn.from != from {
                    (part.origin, part.extras, part.touched) = (None, None, true);
                }
                renamed(part, self.result_name(at))
            }
            Item::Made(call) => self.made(call),
            Item::Slot(_) => Part::text(""),
        }
    }

    /// The result of a call without one.
    fn made(&self, at: usize) -> Part<H> {
        let site = &self.plan.calls[at];
        let turn = &self.slots[site.slot].turn;
        let input = turn.input.as_ref();
        let (id, name, made_up_id) = match turn.parts.get(site.part).map(|part| &part.kind) {
            // Without an id of its own, the name is what pairs.
            Some(Kind::Call(call)) if call.made_up_id => (call.id.detach(input), Some(call.name.detach(input)), true),
            Some(Kind::Call(call)) => (call.id.detach(input), None, false),
            _ => (Text::own(""), None, false),
        };
        let id = site.name.as_deref().map_or(id, Text::own);
        let content = Content::Text(Text::own(self.missing_text(at)));
        Part::new(Kind::Result(ToolResult {
            id,
            made_up_id,
            name: name.map(Box::new),
            content,
            error: true,
            synthetic: true,
        }))
    }

    pub(super) fn missing_text(&self, at: usize) -> &'static str {
        let site = &self.plan.calls[at];
        let turn = &self.slots[site.slot].turn;
        match turn.parts.get(site.part).map(|part| &part.kind) {
            Some(Kind::Call(call)) if !call.custom => match call.args.state(turn.input.as_ref()) {
                ArgsState::Object => MISSING_RESULT,
                ArgsState::Invalid => INVALID_ARGUMENTS,
                ArgsState::Incomplete => INCOMPLETE_ARGUMENTS,
            },
            _ => MISSING_RESULT,
        }
    }
}

/// The same call or result by another id.
fn renamed<H: Host>(mut part: Part<H>, name: Option<&str>) -> Part<H> {
    let Some(name) = name else { return part };
    part.touched = true;
    match &mut part.kind {
        Kind::Call(call) => (call.id, call.made_up_id) = (Text::own(name), false),
        Kind::Result(result) => (result.id, result.made_up_id) = (Text::own(name), false),
        _ => {}
    }
    part
}
