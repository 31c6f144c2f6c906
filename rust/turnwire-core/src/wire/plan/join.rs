//! Decides which turns become one message of the target.

use super::outline::Outline;
use crate::{
    model::{At, Role, Tie, Turn},
    rules::{Limits, PartOrder, ResultPlace},
    value::Host,
};

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Whether a turn belongs to the open message.
    pub(super) fn joins(&self, (index, turn): At<'a, H>) -> bool {
        let Some((_, before)) = self.open.turns.last() else { return false };
        let limits = self.p.target.limits;
        // System text that stays is a separate message.
        if limits.merges() && (turn.role.is_system() || self.open.role.is_system()) {
            return false;
        }
        let own = |turn: &Turn<H>| turn.from.same_wire(self.p.target.id) && turn.origin.is_some();
        let same_side = (self.open.role == Role::Assistant) == (turn.speaker() == Role::Assistant);
        if limits.alternates {
            return same_side;
        }
        match limits.results {
            // Results must follow the message of their calls, so further turns of the assistant join that message.
            ResultPlace::OneEach | ResultPlace::AsTheyCome => {
                self.open.calls > 0
                    && same_side
                    && !limits.joins_assistant
                    && turn.results().next().is_none()
                    && !(own(before) && own(turn))
            }
            // A turn of the target's own format is a separate message, which its later steps continue.
            ResultPlace::WithCall => {
                let from_home = |turn: &Turn<H>| turn.from.same_wire(self.p.target.id);
                let whole = from_home(before) && before.role == Role::Assistant;
                self.open.role == Role::Assistant
                    && turn.speaker() == Role::Assistant
                    && (turn.tie == Tie::Continues || !(from_home(turn) || whole))
            }
            // Only results that were separate messages are merged. A message of this format stays unchanged.
            ResultPlace::OneTurn | ResultPlace::BehindCall => {
                let apart = limits.order == PartOrder::Elements && !own(before);
                let calls = apart && self.open.calls > 0 && turn.calls().next().is_some();
                let results = !self.open.results.is_empty() && turn.results().next().is_some();
                same_side && (results || calls) && !own(turn)
            }
            // A lost turn between text and calls does not separate them.
            ResultPlace::Alone | ResultPlace::AloneAfterRun if self.open.role == Role::Assistant => {
                let leads = self.leads.get(index).is_some_and(|leads| *leads);
                same_side && (self.open.calls > 0 || leads || !self.p.says(turn))
            }
            ResultPlace::Alone | ResultPlace::AloneAfterRun => {
                !self.open.results.is_empty() && same_side && turn.results().next().is_some()
            }
        }
    }

    /// Whether a turn that could be sent back unchanged must join a neighbour that cannot.
    pub(super) fn must_join(&self, (index, turn): At<'a, H>) -> bool {
        let limits = self.p.target.limits;
        if limits.results == ResultPlace::WithCall && turn.speaker() == Role::Assistant {
            return turn.calls().next().is_some() && self.is_answered_by_next(index);
        }
        if !limits.merges() {
            return false;
        }
        let mut next = self.p.conversation.turns.iter().enumerate().skip(index + 1);
        let next = next.find(|(index, next)| !self.p.is_hoisted((*index, next)) && self.p.says(next));
        let leads = |at: usize| self.leads.get(at).is_some_and(|leads| *leads);
        let with_next = next.is_some_and(|(at, next)| are_one(limits, turn, next, leads(at)) && !self.p.replays(next));
        with_next || self.joins((index, turn))
    }

    /// Whether the next turn has results for the message of the turn before it.
    fn is_answered_by_next(&self, index: usize) -> bool {
        let mut next = self.p.conversation.turns.iter().skip(index + 1);
        next.find(|next| self.p.says(next))
            .is_some_and(|next| next.speaker() != Role::Assistant && next.results().next().is_some())
    }
}

/// For each turn, whether the assistant calls tools in it, or after it before another role speaks. `says`: whether a
/// turn is written.
pub(crate) fn leads_to_calls<'a, H: Host>(
    turns: impl DoubleEndedIterator<Item = &'a Turn<H>>,
    says: impl Fn(&Turn<H>) -> bool,
) -> Vec<bool> {
    let mut calls = false;
    let mut leads: Vec<bool> = turns
        .rev()
        .map(|turn| {
            if !turn.role.is_system() && says(turn) {
                calls = turn.speaker() == Role::Assistant && (calls || turn.calls().next().is_some());
            }
            calls
        })
        .collect();
    leads.reverse();
    leads
}

/// Whether two neighbours must be one message. `leads`: whether the second one has calls or leads to calls.
fn are_one<H: Host>(limits: &Limits, before: &Turn<H>, turn: &Turn<H>, leads: bool) -> bool {
    let assistant = turn.speaker() == Role::Assistant;
    let system = before.role.is_system() || turn.role.is_system();
    if system || (before.speaker() == Role::Assistant) != assistant {
        return false;
    }
    let both = [before, turn];
    limits.alternates
        || limits.results.is_alone()
            && if assistant {
                leads || before.calls().next().is_some()
            } else {
                both.iter().all(|turn| turn.results().next().is_some())
            }
}
