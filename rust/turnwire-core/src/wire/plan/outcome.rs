//! Turns a tool result into one that the target's limits row accepts.

use super::{
    cache::Cached,
    item::{Item, Outcome, Said},
    part::{ItemOf, Site},
};
use crate::{
    model::{At, Content, ERROR_PREFIX, Kind, Part, ToolResult, Turn, tool::words_for_nothing},
    report::{Error, loss::LossCode},
    rules::{JsonPlace, ResultPlace},
    value::{Host, Raw, Text},
    wire::{plan::Planner, write::Where},
};

impl<'a, H: Host> Planner<'a, H> {
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
            && self.links.renamed(index, at).is_none()
            && let Some(raw) = self.part_origin(turn, part)
        {
            return Ok(self.made(&site, part, Said::Origin(raw)));
        }
        let expected = if let Content::Blocks(blocks) = &result.content { blocks.len() } else { 1 };
        let mut items = Vec::with_capacity(expected);
        match &result.content {
            Content::Absent => self.unrecorded(turn, part, &path)?,
            // No content means the same as empty text, and no server refuses it.
            Content::Text(text) if text.is_empty() => {}
            // The target does not check text under a key of an object.
            Content::Text(text)
                if !self.target.limits.json.holds_objects() && self.blank(text, turn.input.as_ref(), &path)? => {}
            Content::Text(text) => items.push(Item { part: None, ..self.made(&site, part, Said::Text(text)) }),
            Content::Blocks(blocks) => {
                let one_value = self.target.limits.joins_results();
                let media = |block: &&Part<H>| one_value && matches!(block.kind, Kind::Media(_));
                let only = blocks.len() - blocks.iter().filter(media).count() == 1;
                for block in blocks.iter() {
                    let path = || turn.block_path(index, at, block);
                    let site = Site { turn, at: (index, at), path: &path };
                    let Some(item) = self.block(&site, block, result, only)? else { continue };
                    let Said::Media(shown) = &item.said else {
                        let beside = items.iter().any(|item: &Item<'a, H>| !item.is_media());
                        if one_value && beside && !item.is_media() {
                            let reason = "a result of the target is one value: its texts are joined, a line each";
                            self.losses.changed(LossCode::Joined, path(), reason);
                        }
                        items.push(item);
                        continue;
                    };
                    if self.target.limits.media_in_result.holds(shown.class, shown.data.mime(), result.error) {
                        items.push(item);
                        continue;
                    }
                    self.losses.changed(
                        LossCode::MovedMedia,
                        path(),
                        "the target does not accept media here: they follow",
                    );
                    let named =
                        |item: &Item<'a, H>| matches!(item.said, Said::MovedMedia(same) if std::ptr::eq(same, result));
                    if !moved.iter().any(named) {
                        // The line has none of the medium's keys.
                        moved.push(Item { part: None, ..self.made(&site, block, Said::MovedMedia(result)) });
                    }
                    moved.push(item);
                }
            }
        }
        self.as_object(&mut items, result);
        let prefix = self.prefix(result, &items, turn, &path);
        let inside = behind(&mut items);
        let is_nothing = |item: &Item<'a, H>| {
            item.is_text_that(|text| self.target.limits.is_nothing(text, result.error, item.input))
        };
        if let Some(words) = words_for_nothing(self.target.limits, result.error)
            && items.iter().all(is_nothing)
        {
            self.losses.changed(LossCode::StandIn, path(), nothing(result.error));
            items.clear();
            items.push(Item { part: None, ..self.made(&site, part, Said::Made(Text::own(words))) });
        }
        self.foreign_extras(&site, part)?;
        let mut item = self.made(&site, part, Said::Result(Outcome { result, prefix, items }));
        item.cached = item.cached.or(inside);
        Ok(item)
    }

    /// Writes a result as an object, if it must be one and its only text spells one.
    fn as_object(&self, items: &mut [Item<'a, H>], result: &ToolResult<H>) {
        if !self.target.limits.json.holds_objects() {
            return;
        }
        let Some(text) = result.only_text() else { return };
        let object = |item: &Item<'a, H>| {
            let is_it = matches!(item.said, Said::Text(said) if std::ptr::eq(said, text));
            is_it.then(|| self.target.limits.json.object_of(text, item.input, result.error)).flatten()
        };
        for item in items {
            if let Some(json) = object(item) {
                item.said = Said::Object(Raw::Own(json.into()));
            }
        }
    }

    /// The prefix that marks a failed result, if the target has no flag for it.
    fn prefix(
        &mut self,
        result: &ToolResult<H>,
        items: &[Item<'a, H>],
        turn: &Turn<H>,
        path: Where<'_>,
    ) -> &'static str {
        if self.target.limits.error_flag {
            return "";
        }
        if result.error {
            // A made-up result never had a flag.
            if !result.synthetic {
                self.losses.changed(LossCode::ErrorFlag, path(), "the target has no error flag: the text says so");
            }
            return ERROR_PREFIX;
        }
        let ambiguous = |text: &Text<H>| text.starts_with(ERROR_PREFIX, turn.input.as_ref());
        if items.first().and_then(Item::text).is_some_and(ambiguous) {
            let reason = "this text begins like a failed result, but is not one";
            self.losses.changed(LossCode::AmbiguousError, path(), reason);
        }
        ""
    }

    /// Converts one block of a result.
    fn block(
        &mut self,
        site: &Site<'_, 'a, H>,
        block: &'a Part<H>,
        result: &ToolResult<H>,
        lone: bool,
    ) -> ItemOf<'a, H> {
        let flag = self.target.limits.error_flag;
        // A text after the error prefix differs from its origin.
        let whole = flag || !(result.error && matches!(block.kind, Kind::Text(_)));
        if let Some(raw) = self.part_origin(site.turn, block).filter(|_| whole) {
            return Ok(Some(self.made(site, block, Said::Origin(raw))));
        }
        let input = site.turn.input.as_ref();
        let said = match &block.kind {
            // In a result, both are the tool's text.
            Kind::Refusal(text) => (!self.blank(text, input, site.path)?).then_some(Said::Text(text)),
            Kind::Json(raw) => {
                let as_value = match self.target.limits.json {
                    JsonPlace::Nowhere | JsonPlace::OneText => false,
                    JsonPlace::InResult => true,
                    JsonPlace::ObjectInResult => raw.is_object(input),
                    JsonPlace::ObjectAsResult => lone && raw.is_object(input),
                    JsonPlace::AsResult => lone && !raw.looks_like_blocks(input),
                    JsonPlace::Tagged | JsonPlace::OneValue | JsonPlace::OneObject(_) => lone,
                };
                if !as_value {
                    self.losses.changed(LossCode::JsonAsText, (site.path)(), "the target accepts results only as text");
                }
                Some(if as_value { Said::Json(raw) } else { Said::JsonText(raw) })
            }
            Kind::Reasoning(_) => {
                let reason = "no result can hold this";
                return self.losses.lost(LossCode::Opaque, (site.path)(), reason).map(|()| None);
            }
            _ => return self.content(site, block),
        };
        self.foreign_extras(site, block)?;
        Ok(said.map(|said| self.made(site, block, said)))
    }
}

/// Why a result gets a text of ours.
fn nothing(failed: bool) -> &'static str {
    if failed { "the tool failed and says nothing" } else { "the target refuses a result without content" }
}

/// Moves a mark inside a result to the result's end, if the target cannot have it inside.
fn behind<H: Host>(items: &mut [Item<'_, H>]) -> Option<Cached> {
    items.iter_mut().filter_map(|item| item.cached.take()).next_back()
}
