//! Leaves out reasoning: all of it where the caller asks for that, or what the provider would refuse because it is bound to
//! something that has changed.

mod body;
mod edit;

use std::sync::Arc;

use super::{bond::Bond, draft::Draft, filter, inputs::Inputs, pair::lone::WITHOUT_ITEM, policy::Policy, size};
use crate::{
    model::{Kind, Part, Role, Turn},
    pairing::unreasoned,
    report::{Change, Edit, ReasoningChoice, sentence},
    rules::Family,
    value::Host,
    wire::plan::{carried, decide::Scope, judge},
};

/// Leaves out the reasoning that the target would refuse. Returns whether a whole turn was left out.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> bool {
    let foreign = leave_foreign(draft, inputs, rules);
    // A ledger knows what was sent, and so decides about stale reasoning itself.
    let judges = inputs.rendering.reasoning != ReasoningChoice::Keep && inputs.frozen.is_none();
    let stale = judges && leave_stale(draft, inputs, rules);
    foreign || stale
}

/// Leaves out all reasoning, and signatures on other parts, if the caller wants none.
pub(super) fn drop_unwanted<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    let unwanted =
        |turn: &Turn<H>| unreasoned(turn, &|part| judge::is_reasoning(rules.limits, part, turn.input.as_ref()));
    if rules.rendering.reasoning != ReasoningChoice::Drop || !draft.turns().any(|turn| unwanted(turn).is_some()) {
        return;
    }
    let waits = wants_open_reasoning(draft, rules);
    let (mut entries, mut bond) = (Vec::new(), Bond::default());
    draft.slots().retain_mut(|slot| {
        let Some(turn) = unwanted(&slot.turn) else { return bond.kept(slot, &mut entries) };
        bond.removed(&slot.turn, Edit::UnwantedReasoning);
        let entry = Change::new(Edit::UnwantedReasoning, slot.index, slot.path(), sentence::NO_REASONING);
        entries.push(entry.sized(size::turn(&slot.turn), size::turn(&turn)));
        slot.turn = Arc::new(turn);
        !slot.turn.parts.is_empty() && !filter::is_empty(&slot.turn)
    });
    draft.receipt.changes.append(&mut entries);
    if waits {
        let text = "thinking is enabled, so the target wants the reasoning before these calls, which the caller asked to leave \
                    out: switch thinking off for this request";
        let path = draft.path(open_turn(draft));
        draft.receipt.changes.push(Change::warning(Edit::OpenTurnReasoning, path, text));
    }
}

/// Whether the target wants reasoning before the calls that wait for results, and has some.
fn wants_open_reasoning<H: Host>(draft: &Draft<'_, H>, rules: &Policy) -> bool {
    let thinks = |part: &Part<H>| matches!(part.kind, Kind::Reasoning(_));
    rules.limits.is_some_and(|limits| limits.family == Family::Claude)
        && body::thinks_by_hand(&draft.given.frame)
        && draft.turns().nth(open_turn(draft)).is_some_and(|turn| turn.parts.iter().any(thinks))
}

/// Leaves out reasoning signed in another format of the family, if either model is of another family: the one that made
/// it, or the one of this request. Of the target's own format, the latter may accept what nobody signed.
fn leave_foreign<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> bool {
    let Some(limits) = rules.limits else { return false };
    let models = [inputs.model.map(str::to_owned), draft.given.frame.model()];
    if models.iter().flatten().all(|model| limits.family.has(model)) {
        return false;
    }
    let target = rules.written_for();
    let is_of_others = |turn: &Turn<H>, part: &Part<H>| {
        if rules.is_home(turn.from) {
            return target.is_some_and(|target| carried::is_of_others(&target, Scope::of(turn), part));
        }
        matches!(part.kind, Kind::Reasoning(_)) && part.signed
    };
    if !draft.turns().any(|turn| turn.parts.iter().any(|part| is_of_others(turn, part))) {
        return false;
    }
    let goes = |_: usize, turn: &Turn<H>, part: usize| is_of_others(turn, &turn.parts[part]);
    leave_out(draft, goes, (Edit::UnwantedReasoning, "a model of another family made it"))
}

/// Leaves out the reasoning that a model would refuse if it checks the prefix.
fn leave_stale<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>, rules: &Policy) -> bool {
    let Some(limits) = rules.limits else { return false };
    let bound = |turn: &Turn<H>, part: &Part<H>| {
        let carried = || rules.target.is_some_and(|target| carried::is_claudes(target, Scope::of(turn), part));
        matches!(part.kind, Kind::Reasoning(_))
            && part.signed
            && (rules.replays_reasoning(turn.from, true) || carried())
    };
    let Some(edit) = edit::first(draft, &bound) else { return false };
    let model = inputs.model.map(str::to_owned).or_else(|| draft.given.frame.model());
    if !(limits.checks_prefix)(model.as_deref()) {
        return false;
    }
    // If the caller enables thinking explicitly, the turn that waits for its results has to begin with reasoning.
    let open = if model.is_none() && body::thinks_by_hand(&draft.given.frame) { open_turn(draft) } else { usize::MAX };
    let goes = |at: usize, turn: &Turn<H>, part: usize| {
        (at, part) >= (edit.slot, edit.part) && at < open && bound(turn, &turn.parts[part])
    };
    let why = format!("it is bound to what was before it, which is changed at {}", edit.path);
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
            return bond.kept(slot, &mut entries);
        }
        bond.removed(&slot.turn, code);
        let mut before = size::turn(&slot.turn);
        let mut turn = slot.turn.touch();
        // Reasoning is told once for a turn, a call or a result by its place. Reasoning that goes with a call has a reason of
        // its own.
        let each = matches!(code, Edit::OrphanCall | Edit::OrphanResult);
        for (count, at) in gone.iter().enumerate().rev() {
            let part = turn.parts.remove(*at);
            let after = size::turn(&turn);
            let path = if each { slot.path_of(*at) } else { slot.path() };
            let led = each && matches!(part.kind, Kind::Reasoning(_));
            let (code, why) = if led { (Edit::LoneReasoning, WITHOUT_ITEM) } else { (code, why) };
            if each || count == 0 {
                entries.push(Change::new(code, slot.index, path, why.to_owned()).sized(before, after));
                before = after;
            }
        }
        let says_something = !turn.parts.is_empty() && !filter::is_empty(&turn);
        went |= !says_something;
        slot.turn = Arc::new(turn);
        says_something
    });
    draft.receipt.changes.append(&mut entries);
    went
}
