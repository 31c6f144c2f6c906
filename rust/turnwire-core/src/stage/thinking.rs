//! Removes reasoning after a change, because some providers bind reasoning to everything before it.

pub(crate) mod body;
mod edit;

use std::sync::Arc;

use super::{
    bond::Bond,
    draft::Draft,
    filter,
    inputs::{Inputs, Thinking},
    policy::Policy,
    size,
};
use crate::{
    model::{Kind, Part, Role, Turn},
    report::{Edit, Entry},
    value::Host,
};

/// Leaves out reasoning. Returns whether a whole turn was left out.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> bool {
    let foreign = leave_foreign(draft, inputs, rules);
    let behind = match inputs.thinking {
        Thinking::Keep => false,
        Thinking::Valid => leave_stale(draft, inputs, rules),
        Thinking::StripAfterChange => strip(draft),
    };
    foreign || behind
}

/// Drops all reasoning after the first change.
fn strip<H: Host>(draft: &mut Draft<'_, H>) -> bool {
    let Some(first) = draft.first_changed() else { return false };
    let goes =
        |at: usize, turn: &Turn<H>, part: usize| at >= first && matches!(turn.parts[part].kind, Kind::Reasoning(_));
    leave_out(draft, goes, (Edit::UnwantedReasoning, "something before it has changed"))
}

/// Leaves out reasoning signed in another format of the family, if either model is of another family: the one that made
/// it, or the one of this request.
fn leave_foreign<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> bool {
    let Some(limits) = rules.limits else { return false };
    let models = [inputs.model.map(str::to_owned), body::model(&draft.given.frame)];
    if models.iter().flatten().all(|model| limits.family.has(model)) {
        return false;
    }
    let signed = |turn: &Turn<H>, part: &Part<H>| {
        matches!(part.kind, Kind::Reasoning(_)) && part.signed && !rules.is_home(turn.from)
    };
    if !draft.turns().any(|turn| turn.parts.iter().any(|part| signed(turn, part))) {
        return false;
    }
    let goes = |_: usize, turn: &Turn<H>, part: usize| signed(turn, &turn.parts[part]);
    leave_out(draft, goes, (Edit::UnwantedReasoning, "a model of another family made it"))
}

/// Leaves out the reasoning that a model would refuse if it checks the prefix.
fn leave_stale<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> bool {
    let Some(limits) = rules.limits else { return false };
    let bound = |turn: &Turn<H>, part: &Part<H>| {
        matches!(part.kind, Kind::Reasoning(_)) && part.signed && rules.replays_reasoning(turn.from, true)
    };
    let Some(edit) = edit::first(draft, &bound) else { return false };
    let model = inputs.model.map(str::to_owned).or_else(|| body::model(&draft.given.frame));
    if !(limits.checks_prefix)(model.as_deref()) {
        return false;
    }
    // If the caller enables thinking explicitly, the turn that waits for its results has to begin with reasoning.
    let open = if model.is_none() && body::thinks_by_hand(&draft.given.frame) { open_turn(draft) } else { usize::MAX };
    let goes = |at: usize, turn: &Turn<H>, part: usize| {
        (at, part) >= (edit.slot, edit.part) && at < open && bound(turn, &turn.parts[part])
    };
    let why = format!("it is bound to what was before it, which this build has changed at {}", edit.path);
    leave_out(draft, goes, (Edit::StaleReasoning, &why))
}

/// The beginning of the assistant's last run of calls, if only their results follow it.
fn open_turn<H: Host>(draft: &Draft<'_, H>) -> usize {
    let is_loop = |turn: &Turn<H>| {
        turn.role == Role::Assistant || turn.parts.iter().any(|part| matches!(part.kind, Kind::Result(_)))
    };
    draft.turns().rposition(|turn| !is_loop(turn)).map_or(0, |last| last + 1)
}

/// Leaves out these parts and reports why. Returns whether a whole turn was left out.
pub(super) fn leave_out<H: Host>(
    draft: &mut Draft<'_, H>,
    goes: impl Fn(usize, &Turn<H>, usize) -> bool,
    (code, why): (Edit, &str),
) -> bool {
    let mut entries = Vec::new();
    let (mut at, mut bond, mut went) = (0.., Bond::default(), false);
    draft.slots().retain_mut(|slot| {
        let here = at.next().unwrap_or(usize::MAX);
        let gone: Vec<_> = (0..slot.turn.parts.len()).filter(|part| goes(here, &slot.turn, *part)).collect();
        if gone.is_empty() {
            bond.kept(slot, &mut entries);
            return true;
        }
        bond.removed(&slot.turn, code);
        let before = size::turn(&slot.turn);
        let mut turn = slot.turn.touch();
        let mut part = 0..;
        turn.parts.retain(|_| part.next().is_some_and(|part| gone.binary_search(&part).is_err()));
        let entry = Entry::new(code, slot.index, slot.path(), why.to_owned());
        entries.push(entry.sized(before, size::turn(&turn)));
        let says_something = !turn.parts.is_empty() && !filter::is_empty(&turn);
        went |= !says_something;
        slot.turn = Arc::new(turn);
        says_something
    });
    draft.receipt.entries.append(&mut entries);
    went
}
