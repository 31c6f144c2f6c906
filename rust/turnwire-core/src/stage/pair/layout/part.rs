//! Makes the parts of turns in their new order: calls and results with their new ids, and made-up results.

use super::{Item, Layout};
use crate::{
    model::{
        Content, INCOMPLETE_ARGUMENTS, INVALID_ARGUMENTS, Kind, MISSING_RESULT, Part, ToolResult, surrogate::repair,
    },
    report::Home,
    value::{ArgsState, Host, Text},
};

impl<H: Host> Layout<'_, H> {
    /// A part for the turn of slot `home`, or for a new turn, in that turn's dialect.
    pub(super) fn part(&self, item: Item, home: Option<usize>) -> Part<H> {
        match item {
            Item::Part(at) => self.slots[home.unwrap_or_default()].turn.parts[at].share(),
            Item::Call(at) => {
                let site = &self.matching.calls[at];
                renamed(self.slots[site.turn].turn.parts[site.part].share(), self.names[at].as_ref())
            }
            Item::Result(at) => {
                let site = &self.matching.results[at];
                let turn = &self.slots[site.turn].turn;
                let part = &turn.parts[site.part];
                let part = if home == Some(site.turn) {
                    part.share()
                } else {
                    Part { home: self.home(site.turn, part), ..part.detach(turn.input.as_ref()) }
                };
                self.by_name(at, renamed(part, self.result_name(at).as_ref()))
            }
            Item::Made(call) => self.made(call),
        }
    }

    /// The caller's element that a part of a slot was read from.
    fn home(&self, slot: usize, part: &Part<H>) -> Home {
        let Some(given) = self.slots[slot].sources.first() else { return Home::NONE };
        let Some(origins) = self.origins else { return Home::of(*given) };
        let sources = origins.get(*given).map_or(&[][..], |one| one);
        part.home.among(sources).or(sources.first().copied()).map_or(Home::NONE, Home::of)
    }

    /// A result whose call has no real id pairs by name, whatever its own id.
    fn by_name(&self, at: usize, mut part: Part<H>) -> Part<H> {
        let Some(call) = self.call_of(at).filter(|call| self.names[*call].is_none() && part.touched) else {
            return part;
        };
        let site = &self.matching.calls[call];
        let turn = &self.slots[site.turn].turn;
        if let Kind::Call(call) = &turn.parts[site.part].kind
            && let Kind::Result(result) = &mut part.kind
            && call.made_up_id
        {
            result.made_up_id = true;
            result.name.get_or_insert_with(|| Box::new(call.name.detach(turn.input.as_ref())));
        }
        part
    }

    /// The made-up result of a call.
    fn made(&self, at: usize) -> Part<H> {
        let site = &self.matching.calls[at];
        let turn = &self.slots[site.turn].turn;
        let input = turn.input.as_ref();
        let (id, name, made_up_id) = match turn.parts.get(site.part).map(|part| &part.kind) {
            // A call without a real id pairs by name.
            Some(Kind::Call(call)) if call.made_up_id => (call.id.detach(input), Some(call.name.detach(input)), true),
            Some(Kind::Call(call)) => (call.id.detach(input), None, false),
            _ => (Text::own(""), None, false),
        };
        let form = match turn.parts.get(site.part).map(|part| &part.kind) {
            Some(Kind::Call(call)) => call.form.filter(|_| self.rules.is_home(turn.from)),
            _ => None,
        };
        let id = self.names[at].as_ref().map_or(id, Text::share);
        let content = Content::Text(self.missing_text(at));
        Part::new(Kind::Result(ToolResult {
            id,
            made_up_id: made_up_id && self.names[at].is_none(),
            name: name.map(Box::new),
            content,
            error: true,
            synthetic: true,
            custom: false,
            form,
        }))
    }

    pub(super) fn missing_text(&self, at: usize) -> Text<H> {
        let site = &self.matching.calls[at];
        let turn = &self.slots[site.turn].turn;
        let made = match turn.parts.get(site.part).map(|part| &part.kind) {
            Some(Kind::Call(call)) if !call.custom => match call.args.state(turn.input.as_ref()) {
                ArgsState::Object => MISSING_RESULT,
                ArgsState::Invalid => INVALID_ARGUMENTS,
                ArgsState::Incomplete => INCOMPLETE_ARGUMENTS,
            },
            _ => MISSING_RESULT,
        };
        // The arguments are wrong, which this result says.
        self.missing
            .filter(|_| made == MISSING_RESULT)
            .map_or_else(|| Text::own(made), |words| repair::text(words, None))
    }
}

/// The call or result with another id.
fn renamed<H: Host>(mut part: Part<H>, name: Option<&Text<H>>) -> Part<H> {
    let Some(name) = name else { return part };
    part.touched = true;
    match &mut part.kind {
        Kind::Call(call) => (call.id, call.made_up_id) = (name.share(), false),
        Kind::Result(result) => (result.id, result.made_up_id) = (name.share(), false),
        _ => {}
    }
    part
}
