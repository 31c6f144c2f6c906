//! Turns a tool result into one that the target's limits row accepts.

use super::{
    answer::{Answer, answer},
    cache::{Cached, in_block},
    decide::{Fate, Scope, decide},
    item::{Item, Outcome, Said},
    part::Site,
    rules,
};
use crate::{
    model::{At, Content, ERROR_PREFIX, ToolResult, Turn},
    report::{Edit, Error, sentence},
    rules::{CallForm, Marks, ResultPlace},
    value::{Host, Raw, Text},
    wire::{plan::Planner, write::Where},
};

impl<'a, H: Host> Planner<'a, H> {
    /// Reports a result that says only how far its tool is.
    pub(super) fn progress_lost(&mut self, (index, turn): At<'a, H>, at: usize) {
        self.losses.changed(Edit::DuplicateResult, turn.part_path(index, at), sentence::PROGRESS);
    }

    /// Converts a result. Media that it cannot hold are added to `moved`.
    pub(super) fn outcome(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        result: &'a ToolResult<H>,
        moved: &mut Vec<Item<'a, H>>,
    ) -> Result<Item<'a, H>, Error> {
        let path = || turn.part_path(index, at);
        let site = Site { turn, at: (index, at), path: &path };
        let part = &turn.parts[at];
        // A result that was a separate message has no block to send back. Nor has one in the part of its call.
        if part.place.index.is_some()
            && self.target.limits.results != ResultPlace::WithCall
            && let Fate::Origin(raw) =
                decide(&self.target, Scope::of(turn), part, self.links.renamed(index, at).is_some())?.fate
        {
            return Ok(self.made(&site, part, Said::Origin(raw)));
        }
        let form = self.form_of((index, at), result);
        let Answer { prefix, text, blocks, object, instead } = answer(&self.target, Scope::of(turn), result)?;
        // An answer of its own kind says by its status that the tool failed.
        let prefix = if form.is_some() { "" } else { prefix };
        let mut items = Vec::with_capacity(blocks.len().max(1));
        match &result.content {
            Content::Absent => self.unrecorded(turn, part, &path)?,
            Content::Text(given) if text.is_none() && !given.is_empty() => {
                self.blank(given, turn.input.as_ref(), &path)?;
            }
            Content::Text(_) | Content::Blocks(_) => {}
        }
        items.extend(text.map(|text| Item { part: None, ..self.made(&site, part, Said::Text(text)) }));
        for mut block in blocks {
            if form.is_some_and(|form| result.form == Some(form) && form.keeps(block.part.place.key)) {
                block.decision.why = None;
            }
            let path = || turn.block_path(index, at, block.part);
            let site = Site { turn, at: (index, at), path: &path };
            let Some(item) = self.decided(&site, block.part, block.decision)? else { continue };
            if !block.moves {
                let beside = || items.iter().any(|item: &Item<'a, H>| !item.is_media());
                if self.target.limits.joins_results() && !item.is_media() && beside() {
                    let reason = "a result of the target is one value: its texts are joined, a line each";
                    self.losses.changed(Edit::Joined, path(), reason);
                }
                items.push(item);
                continue;
            }
            let reason = "the target does not accept media here: they follow";
            self.losses.changed(Edit::MovedMedia, path(), reason);
            let named = |item: &Item<'a, H>| matches!(item.said, Said::MovedMedia(same) if std::ptr::eq(same, result));
            if self.target.limits.names_moved_media() && !moved.iter().any(named) {
                // The line has none of the medium's keys.
                moved.push(Item { part: None, ..self.made(&site, block.part, Said::MovedMedia(result)) });
            }
            moved.push(item);
        }
        if let Some((json, only)) = object.zip(result.only_text()) {
            let is_it = |item: &&mut Item<'a, H>| matches!(item.said, Said::Text(text) if std::ptr::eq(text, only));
            if let Some(item) = items.iter_mut().find(is_it) {
                item.said = Said::Object(Raw::Own(json.into()));
            }
        }
        if form.is_none() {
            self.tell_failed(result, &items, turn, &path);
        }
        let in_parts = self.target.id.marks().is_some_and(|marks| marks.in_results);
        let inside = if in_parts { None } else { behind(&mut items) };
        if let Some(words) = instead {
            self.losses.changed(Edit::EmptyResult, path(), nothing(result.error));
            items.clear();
            items.push(Item { part: None, ..self.made(&site, part, Said::Made(Text::own(words))) });
        }
        self.foreign_extras(&site, part)?;
        let mut item = self.made(&site, part, Said::Result(Outcome { result, form, prefix, items }));
        item.cached = item.cached.or(inside).or_else(|| self.mark_around(turn, at));
        if in_parts {
            end_with(&mut item);
        }
        Ok(item)
    }

    /// The mark that is a block of its own behind a result, or that of its whole turn.
    fn mark_around(&self, turn: &Turn<H>, at: usize) -> Option<Cached> {
        let result = turn.parts.get(at)?;
        let Some(behind) = turn.parts.get(at + 1) else { return self.turn_mark(turn).map(|(_, cached)| cached) };
        let may = |marks: Marks| marks.may_end(turn.role, result);
        in_block((turn.from, &self.target), may, behind, turn.input.as_ref())
    }

    /// The kind of item that answers here, if the target has such items: that of the call decides.
    fn form_of(&self, site: (usize, usize), result: &ToolResult<H>) -> Option<CallForm> {
        let form = self.links.call(site.0, site.1).map_or(result.form, |(call, _)| call.form)?;
        Some(form).filter(|form| self.target.id.facts.has_form(*form))
    }

    /// Reports a failed result in a target without a flag for it, and one that only looks like a failed one.
    fn tell_failed(&mut self, result: &ToolResult<H>, items: &[Item<'a, H>], turn: &Turn<H>, path: Where<'_>) {
        if self.target.limits.error_flag {
            return;
        }
        if result.error {
            // A made-up result never had a flag.
            if !result.synthetic {
                self.losses.changed(Edit::ErrorFlag, path(), "the target has no error flag: the text says so");
            }
            return;
        }
        let ambiguous = |text: &Text<H>| text.starts_with(ERROR_PREFIX, turn.input.as_ref());
        if items.first().and_then(Item::text).is_some_and(ambiguous) {
            let reason = "this text begins like a failed result, but is not one";
            self.losses.changed(Edit::AmbiguousError, path(), reason);
        }
    }
}

/// Why a result gets a text of ours.
fn nothing(failed: bool) -> &'static str {
    if failed { "the tool failed and says nothing" } else { rules::EMPTY_RESULT.says }
}

/// Moves a mark inside a result to the result's end, if the target cannot have it inside.
fn behind<H: Host>(items: &mut [Item<'_, H>]) -> Option<Cached> {
    items.iter_mut().filter_map(|item| item.cached.take()).next_back()
}

/// Moves the mark of a result to its last part.
fn end_with<H: Host>(item: &mut Item<'_, H>) {
    let Said::Result(Outcome { items, .. }) = &mut item.said else { return };
    if let Some(last) = items.last_mut() {
        last.cached = last.cached.or(item.cached.take());
    }
}
