//! Step 5: what nothing could mend is an error, before a provider says so.

use super::{Draft, Rules, pair};
use crate::{
    error::{Code, Error},
    handle::Host,
    part::Kind,
    receipt::Warning,
    turn::Role,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Rules) -> Result<(), Error> {
    let Some((at, first)) = draft.turns().enumerate().find(|(_, turn)| !turn.role.is_system()) else {
        return Err(Error::new(Code::EmptyMessages, "[MessageBuilder] Messages cannot be empty"));
    };
    if !draft.continues() {
        let leads = matches!(first.parts.first().map(|part| &part.kind), Some(Kind::Result(_)));
        if leads || first.role == Role::Tool {
            let text = "[MessageBuilder] Messages cannot start with a tool message";
            return Err(Error::new(Code::LeadingToolResult, text).at_path(draft.path(at)));
        }
        // What no step has changed is what pairing has found to be in order.
        let changed = draft.slots.as_ref().filter(|_| !draft.receipt.is_empty());
        if let Some((slots, (slot, part))) = changed.and_then(|slots| Some((slots, pair::orphan(slots)?))) {
            let text = "[MessageBuilder] Found orphaned tool message after validation";
            return Err(Error::new(Code::OrphanToolResult, text).at_path(slots[slot].path_of(part)));
        }
    }
    let Some(limits) = rules.limits else { return Ok(()) };
    if !limits.starts_with_assistant && first.role == Role::Assistant {
        let text = "the target wants a conversation that begins with the user, and this one begins with the assistant: \
                    give the opening words of the user, or leave the turn out";
        return Err(Error::new(Code::StartsWithAssistant, text).at_path(draft.path(at)));
    }
    let last = draft.turns().enumerate().rfind(|(_, turn)| !turn.role.is_system());
    let last = last.filter(|(_, turn)| turn.role == Role::Assistant && !rules.keep_open);
    if let (false, Some((at, _))) = (limits.ends_with_assistant, last) {
        let text =
            "the target wants a conversation that ends with the user or a result, and this one ends with the assistant";
        return Err(Error::new(Code::EndsWithAssistant, text).at_path(draft.path(at)));
    }
    if limits.tools_required && draft.given.frame.tools.as_ref().is_none_or(Vec::is_empty) {
        let calls = draft.turns().any(|turn| turn.calls().next().is_some());
        if calls {
            // No error: a bare list has no place for them, and the caller may add them beside it.
            let text = "the target wants the definitions of the tools that are called here";
            draft.receipt.warnings.push(Warning::new("tools_missing", text));
        }
    }
    Ok(())
}
