//! Results of tools in Amazon Q messages.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::super::*;
use super::{At, Page};
use crate::{
    loss::LossCode,
    message::REDACTED_RESULT,
    part::{Extras, Kind, Part},
    tool::{Content, ToolResult},
    value::{Key, Piece},
};

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    pub(super) fn result(&mut self, (index, turn): At<'a, H>, at: usize, result: &ToolResult<H>) -> Result<(), Error> {
        self.w.out.scope(turn.input.as_ref());
        let part = turn.parts.get(at);
        let origin = part.and_then(|part| self.w.part_origin(turn, part));
        if let Some(raw) = origin.filter(|_| self.links.renamed(index, at).is_none()) {
            self.w.out.raw(raw);
            return Ok(());
        }
        let path = || turn.part_path(index, at);
        self.w.out.open_map();
        self.w.out.key(&TOOL_USE_ID);
        self.w.id(&self.links, (index, at), &result.id, &path);
        self.w.out.key(&CONTENT);
        self.w.out.open_list();
        let said = match &result.content {
            Content::Absent => false,
            Content::Text(text) => {
                self.entry(&TEXT, |out| out.text(text), None);
                true
            }
            Content::Blocks(blocks) => blocks.iter().filter(|block| self.block(turn, block)).count() > 0,
        };
        if !said {
            self.w.losses.changed(LossCode::StandIn, path(), "the target refuses a result that says nothing");
            self.entry(&TEXT, |out| out.pieces(&[Piece::Str(REDACTED_RESULT)]), None);
        }
        self.w.out.close();
        self.w.out.key(&STATUS);
        self.w.out.literal(if result.error { &ERROR } else { &SUCCESS });
        self.own_extras((index, turn), at, &path)?;
        self.w.out.close();
        Ok(())
    }

    /// Writes one block of a result; false where this format has none for it.
    fn block(&mut self, turn: &Turn<H>, block: &Part<H>) -> bool {
        let extras = block.extras.as_deref().filter(|_| turn.from.same_wire(self.w.target.id));
        match (self.w.part_origin(turn, block), &block.kind) {
            (Some(raw), _) => self.w.out.raw(raw),
            (None, Kind::Text(text) | Kind::Refusal(text)) => self.entry(&TEXT, |out| out.text(text), extras),
            (None, Kind::Json(raw)) => self.entry(&JSON, |out| out.raw(raw), extras),
            _ => return false,
        }
        true
    }

    fn entry(&mut self, key: &'static Key, value: impl FnOnce(&mut K), extras: Option<&Extras<H>>) {
        self.w.out.open_map();
        self.w.out.key(key);
        value(self.w.out);
        for (key, raw) in extras.into_iter().flatten() {
            self.w.out.key_text(key);
            self.w.out.raw(raw);
        }
        self.w.out.close();
    }
}
