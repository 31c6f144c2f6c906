//! Finds the exchanges without which a later call would name a tool that the model was never shown.

use super::exchange::Exchange;
use crate::{
    convert::functions::loaded,
    model::{Call, Tool, joined},
    stage::DraftTurn,
    value::{HashSet, Host, Input},
};

/// Whether an exchange shows the model a tool that a later call names. `gone`: the slots of the calls that are left out.
pub(super) fn is_needed<H: Host>(slots: &[DraftTurn<H>], exchange: &Exchange, gone: &HashSet<usize>) -> bool {
    exchange.results.iter().any(|(slot, part)| {
        let turn = &slots[*slot].turn;
        let shown = loaded::each((turn.from, turn.input.as_ref()), &turn.parts[*part]);
        let later = slots.iter().enumerate().skip(slot + 1).filter(|(at, _)| !gone.contains(at));
        !shown.is_empty()
            && later.into_iter().any(|(_, slot)| {
                let input = slot.turn.input.as_ref();
                slot.turn.calls().any(|call| shown.iter().any(|tool| names(call, input, tool)))
            })
    })
}

/// Whether a call names a tool: by its group and its name, or by both as one.
fn names<H: Host>(call: &Call<H>, input: Option<&Input>, tool: &Tool<H>) -> bool {
    let (called, name) = (call.name.to_str(input), tool.name.to_str(None));
    let group = tool.namespace.as_ref().map_or_else(String::new, |group| group.to_str(None).into_owned());
    match call.namespace.as_ref().map(|said| said.to_str(input)).filter(|said| !said.is_empty() && *said != called) {
        Some(said) => called == name && said == group,
        None => called == joined(&group, &name),
    }
}
