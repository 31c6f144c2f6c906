//! Leaves out results of calls that the provider ran, if their call is missing.
//!
//! The call may be in an earlier message: the model pauses, or waits for results of the client's tools.

use crate::{
    model::part::Kind,
    pairing::links::{on_server, ran},
    report::receipt::Change,
    rules::dialect_id::DialectId,
    stage::{draft::Draft, thinking::leave_out},
    value::{handle::Host, hash::HashSet},
};

const WHY: &str = "the target refuses the result of a tool that it ran without the call before it";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some(rule) = target.facts.ran else { return };
    // The call may be in messages that the server keeps.
    if on_server::has_earlier_turns(&draft.given.frame, Some(target)) {
        return;
    }
    let (mut called, mut lone) = (HashSet::default(), HashSet::default());
    for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| turn.from.same_wire(target)) {
        let input = turn.input.as_ref();
        for (place, part) in turn.parts.iter().enumerate() {
            let (Kind::Opaque(name), Some(origin)) = (&part.kind, &part.origin) else { continue };
            if name.is(rule.call, input) {
                called.extend(ran::id_of(part, input));
            } else if rule.results.split(' ').any(|word| name.is(word, input))
                && ran::text_of(origin, rule.answers, input).is_some_and(|id| !called.contains(&id))
            {
                lone.insert((at, place));
            }
        }
    }
    if !lone.is_empty() {
        leave_out(draft, |at, _, part| lone.contains(&(at, part)), (Change::OrphanResult, WHY));
    }
}
