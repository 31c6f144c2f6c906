//! Step 5: what nothing could mend is an error, before a provider says so.

use super::{Draft, Rules, pair};
use crate::{
    error::{Code, Error},
    handle::Host,
    part::Kind,
    receipt::Warning,
    turn::Role,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<H>, rules: &Rules) -> Result<(), Error> {
    let said: Vec<_> = draft.slots.iter().filter(|slot| !slot.turn.role.is_system()).collect();
    let Some(first) = said.first() else {
        return Err(Error::new(Code::EmptyMessages, "[MessageBuilder] Messages cannot be empty"));
    };
    if !draft.continues {
        let leads = matches!(first.turn.parts.first().map(|part| &part.kind), Some(Kind::Answer(_)));
        if leads || first.turn.role == Role::Tool {
            let text = "[MessageBuilder] Messages cannot start with a tool message";
            return Err(Error::new(Code::LeadingToolResult, text).at_path(first.path()));
        }
        // What no step has changed is what pairing has found to be in order.
        let orphan = if draft.receipt.is_empty() { None } else { pair::orphan(&draft.slots) };
        if let Some((slot, part)) = orphan {
            let text = "[MessageBuilder] Found orphaned tool message after validation";
            return Err(Error::new(Code::OrphanToolResult, text).at_path(draft.slots[slot].path_of(part)));
        }
    }
    let Some(limits) = rules.limits else { return Ok(()) };
    if !limits.starts_with_assistant && first.turn.role == Role::Assistant {
        let text = "the target wants a conversation that begins with the user, and this one begins with the assistant";
        return Err(Error::new(Code::StartsWithAssistant, text).at_path(first.path()));
    }
    let last = said.last().filter(|slot| slot.turn.role == Role::Assistant && !rules.keep_open);
    if let (false, Some(last)) = (limits.ends_with_assistant, last) {
        let text =
            "the target wants a conversation that ends with the user or a result, and this one ends with the assistant";
        return Err(Error::new(Code::EndsWithAssistant, text).at_path(last.path()));
    }
    if limits.tools_required && draft.frame.tools.as_ref().is_none_or(Vec::is_empty) {
        let calls = draft.slots.iter().any(|slot| slot.turn.calls().next().is_some());
        if calls {
            // No error: a bare list has no place for them, and the caller may add them beside it.
            let text = "the target wants the definitions of the tools that are called here";
            draft.receipt.warnings.push(Warning { code: "tools_missing", text });
        }
    }
    Ok(())
}
