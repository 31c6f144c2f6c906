//! Translates cache marks after tool definitions between the formats of one family of models.

use super::writer::Writer;
use crate::{
    model::Tool,
    value::{Host, Sink},
    wire::plan::{Cached, in_keys, mark_of},
};

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// The mark of a tool, among its keys or directly after it in the list.
    pub(crate) fn tool_mark(&self, tool: &Tool<H>) -> Option<Cached> {
        let frame = self.p.conversation.frame;
        if !frame.from.is_relative(self.p.target.id) {
            return None;
        }
        let inside = in_keys((frame.from, self.p.target.id), tool.extras.as_deref(), frame.input.as_ref());
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
        mark_of((frame.from, self.p.target.id), (&tool.name, origin), frame.input.as_ref())
    }
}
