//! Decides which turns become one message of the target.

use super::{
    outline::Outline,
    seats::{Seat, joins},
};
use crate::{
    model::{At, Role, Tie, Turn},
    rules::{PartOrder, ResultPlace},
    value::Host,
};

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Whether a turn belongs to the open message.
    pub(super) fn joins(&self, (index, turn): At<'a, H>) -> bool {
        let Some((_, before)) = self.open.turns.last() else { return false };
        let limits = self.p.target.limits;
        if limits.merges() {
            return joins(limits, self.open.seat(), self.seat((index, turn))).is_some();
        }
        let own = |turn: &Turn<H>| turn.from.same_wire(self.p.target.id) && turn.origin.is_some();
        let same_side = (self.open.role == Role::Assistant) == (turn.speaker() == Role::Assistant);
        match limits.results {
            // Results must follow the message of their calls, so further turns of the assistant join that message.
            ResultPlace::OneEach | ResultPlace::EachBehindCall | ResultPlace::AsTheyCome => {
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
            ResultPlace::Alone | ResultPlace::AloneAfterRun => false,
        }
    }

    /// Whether a turn that could be sent back unchanged must join a neighbour that cannot.
    pub(super) fn must_join(&self, (index, turn): At<'a, H>) -> bool {
        let limits = self.p.target.limits;
        if self.lead.as_ref().is_some_and(|lead| lead.at == index) {
            return true;
        }
        if limits.results == ResultPlace::WithCall && turn.speaker() == Role::Assistant {
            return turn.calls().next().is_some() && self.is_answered_by_next(index);
        }
        if !limits.merges() {
            return false;
        }
        let mut next = self.p.conversation.turns.iter().enumerate().skip(index + 1);
        let next = next.find(|(index, next)| !self.p.is_hoisted(*index) && self.p.says(next));
        // It would be sent back unchanged, and the next one would not.
        let here = Seat::of(turn, true, false);
        let with_next = next.is_some_and(|(at, next)| {
            !self.p.replays(next) && joins(limits, here, Seat::of(next, false, self.leads(at))).is_some()
        });
        let behind_media = limits.results.is_each() && !self.moved.is_empty() && turn.role == Role::User;
        with_next || behind_media || self.joins((index, turn))
    }

    /// A turn that is about to be written. A lost turn between text and calls does not separate them.
    fn seat(&self, (index, turn): At<'a, H>) -> Seat {
        Seat::of(turn, false, self.leads(index) || !self.p.says(turn))
    }

    fn leads(&self, index: usize) -> bool {
        self.leads.get(index).is_some_and(|leads| *leads)
    }

    /// Whether the next turn has results for the message of the turn before it.
    fn is_answered_by_next(&self, index: usize) -> bool {
        let mut next = self.p.conversation.turns.iter().skip(index + 1);
        next.find(|next| self.p.says(next))
            .is_some_and(|next| next.speaker() != Role::Assistant && next.results().next().is_some())
    }
}
