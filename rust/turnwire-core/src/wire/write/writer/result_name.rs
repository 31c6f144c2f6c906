//! Writes the name of a result's tool: that of its call, even if the result has another name.

use super::Writer;
use crate::{
    model::ToolResult,
    report::{Edit, Error},
    value::{Host, Input, Sink, Text},
    wire::plan::{Item, rules},
};

/// The name for a result without a known call.
const UNKNOWN: &str = "unknown";

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// Writes the name.
    pub(crate) fn write_result_name(&mut self, item: &Item<'_, H>, result: &ToolResult<H>) {
        self.named_result(item, result, |w, name, input| {
            w.out.scope(input);
            w.out.text(name);
        });
        self.out.scope(item.input);
    }

    /// The name, for use in a text.
    pub(crate) fn result_name(&mut self, item: &Item<'_, H>, result: &ToolResult<H>) -> Text<H> {
        self.named_result(item, result, |w, name, input| w.p.detached(name, input))
    }

    /// Reports a name that differs from the call's, or that no call has, for targets whose results have no name. A result
    /// without an id pairs by name, and an id that is made up for it may hold the name.
    pub(crate) fn result_name_lost(&mut self, item: &Item<'_, H>, result: &ToolResult<H>) -> Result<(), Error> {
        let Some(own) = result.name.as_deref() else { return Ok(()) };
        match self.p.links.call_name(item.site.0, item.site.1) {
            None if !self.p.alone && !self.id_holds(item, result, own) => {
                let reason = "a result of the target has no tool name, and no call has this one";
                self.p.losses.lost(Edit::Name, self.p.path_of(item), reason)
            }
            Some((name, input)) if own.wtf8(item.input) != name.wtf8(input) => {
                let reason = "a result of the target has no tool name, and this one differs from the call's";
                self.p.losses.lost(Edit::Name, self.p.path_of(item), reason)
            }
            _ => Ok(()),
        }
    }

    /// Whether the id that is written for a result without one holds its name. One that is too long, or from a format whose
    /// calls have ids, does not.
    fn id_holds(&self, item: &Item<'_, H>, result: &ToolResult<H>, name: &Text<H>) -> bool {
        let name = name.to_str(item.input).replace(char::REPLACEMENT_CHARACTER, "_");
        result.made_up_id
            && self.p.target.limits.needs_ids()
            && self.p.id_of(item, &result.id).to_str(item.input).contains(&name)
    }

    /// Reports a changed name, or a missing one.
    fn named_result<T>(
        &mut self,
        item: &Item<'_, H>,
        result: &ToolResult<H>,
        then: impl FnOnce(&mut Self, &Text<H>, Option<&Input>) -> T,
    ) -> T {
        let own = result.name.as_deref();
        let called = self.p.links.call_name(item.site.0, item.site.1);
        let Some((name, input)) = called.or_else(|| Some((own?, item.input))) else {
            let reason = "the target requires a result to name its tool, and there is no call";
            self.p.losses.added(Edit::Name, self.p.path_of(item), reason);
            return then(self, &Text::own(UNKNOWN), None);
        };
        if own.is_some_and(|own| own.wtf8(item.input) != name.wtf8(input)) {
            // The name may have been under another key, or under one that its own format does not have.
            self.p.losses.changed(Edit::Name, self.p.path_of(item), rules::RESULT_NAME.says);
        }
        then(self, name, input)
    }
}
