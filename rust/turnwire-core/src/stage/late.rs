//! Says results as text of the user that can no longer stand behind their calls.
//!
//! An earlier request has answered the call with a made-up result, the call is left out, or the result is the newest
//! input: behind its call, the assistant would be the last to speak. The repairs then give the call a made-up result.

mod fate;
mod say;

use super::{draft::Draft, inputs::Compacted, policy::Policy};
use crate::{
    model::{Kind, Turn, compaction},
    pairing::links::waits,
    value::Host,
};

/// What earlier requests of a run have sent. Nothing, if there is no run.
#[derive(Clone, Copy, Default)]
pub(super) struct Sent<'a> {
    /// The lengths of the caller's list at the answered requests since the last cut.
    pub(super) answered: &'a [usize],
    /// A compaction that does not directly follow the turns that it covers.
    pub(super) compacted: Option<Compacted>,
    /// How many of the given turns the last cut has laid out.
    pub(super) cut: usize,
}

/// Says the late ones among the first `count` given turns.
pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy, sent: Sent<'_>, count: usize) {
    let given = &draft.given.turns()[..count];
    let is_compacted = given.iter().any(|turn| compaction::last_of(turn).is_some());
    // Almost no conversation has any of this.
    if sent.answered.is_empty()
        && draft.slots.is_none()
        && !is_compacted
        && !given.iter().any(|turn| is_special(turn, rules))
    {
        return;
    }
    let own = if is_compacted { own_compaction(draft) } else { None };
    let own = own.filter(|at| sent.compacted.is_none_or(|one| one.at < *at));
    let late = fate::decide(draft, rules, &sent, (own, count));
    if !late.is_empty() {
        say::apply(draft, &late);
    }
}

/// Whether the turn is in a format where results may be late, and goes to one where they may not.
fn is_special<H: Host>(turn: &Turn<H>, rules: &Policy) -> bool {
    let facts = turn.from.facts;
    let waiting = || turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_)) && waits(turn, part));
    let nameless = || turn.results().any(|result| result.id.is_empty());
    !rules.is_home(turn.from) && (!facts.waits.is_empty() && waiting() || facts.sole_answers && nameless())
}

/// The index of the last compaction, if no call before it is left: then it has replaced them.
fn own_compaction<H: Host>(draft: &Draft<'_, H>) -> Option<usize> {
    let at = draft.turns().rposition(|turn| compaction::last_of(turn).is_some())?;
    (!draft.turns().take(at).any(|turn| turn.calls().next().is_some())).then(|| draft.at(at).1)
}
