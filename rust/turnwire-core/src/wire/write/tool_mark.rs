//! Translates cache marks of tool definitions, and writes those of parts.

use super::writer::Writer;
use crate::{
    model::{Kind, Part, Role, Tool},
    value::{Host, Sink},
    wire::plan::{Cached, Item, in_keys, mark_of},
};

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// The mark of a tool, among its keys or directly after it in the list.
    pub(crate) fn tool_mark(&self, tool: &Tool<H>) -> Option<Cached> {
        let frame = self.p.conversation.frame;
        let from = frame.dialect_of(tool);
        if from.same_wire(self.p.target.id) || from.facts.marks.reads.is_empty() {
            return None;
        }
        let wires = (from, &self.p.target);
        let inside = in_keys(wires, |marks| marks.beside, tool.extras.as_deref(), frame.input.as_ref());
        let behind = || {
            let mut tools = frame.tools.iter().flatten().skip_while(|one| !std::ptr::eq(*one, tool));
            self.mark(tools.nth(1)?)
        };
        inside.map(|(_, cached)| cached).or_else(behind)
    }

    /// Whether this entry in the list of tools is a mark of the previous tool.
    pub(crate) fn marks_tool(&self, index: usize) -> bool {
        let tool = |index: usize| self.p.conversation.frame.tools.as_ref()?.get(index);
        let marked = index.checked_sub(1).and_then(tool).is_some_and(|before| !before.by_provider);
        marked && tool(index).is_some_and(|tool| self.mark(tool).is_some())
    }

    fn mark(&self, tool: &Tool<H>) -> Option<Cached> {
        let frame = self.p.conversation.frame;
        let origin = tool.origin.as_ref().filter(|_| tool.by_provider);
        mark_of(
            (frame.dialect_of(tool), &self.p.target),
            |marks| marks.beside,
            (&tool.name, origin),
            frame.input.as_ref(),
        )
    }

    /// Writes a mark as a key of what it ends, if the target has such marks.
    pub(crate) fn mark_key(&mut self, cached: Option<Cached>) {
        if let (Some(cached), Some(marks)) = (cached, self.p.target.id.marks()) {
            self.out.key(marks.form.key());
            cached.write(marks.form, self.out);
        }
    }

    /// Writes the mark of a part, unless its message has it.
    pub(crate) fn part_mark(&mut self, item: &Item<'_, H>) {
        if self.marks_part(item) {
            self.mark_key(item.cached);
        }
    }

    /// Whether a part has a mark that is written in it.
    pub(crate) fn marks_part(&self, item: &Item<'_, H>) -> bool {
        // A block with a mark has left its result, which has the marks of the others.
        let is_block = |part: &Part<H>| matches!(part.kind, Kind::Result(_));
        let role = || match self.p.conversation.turns.get(item.site.0) {
            Some(turn) if !turn.parts.get(item.site.1).is_some_and(is_block) => turn.speaker(),
            _ => Role::User,
        };
        item.cached.is_some() && !self.marks_messages(role())
    }

    /// Whether a message of this role has the marks of its parts.
    pub(crate) fn marks_messages(&self, role: Role) -> bool {
        matches!(role, Role::Assistant | Role::Tool) && self.p.target.id.marks().is_some_and(|marks| marks.on_messages)
    }
}
