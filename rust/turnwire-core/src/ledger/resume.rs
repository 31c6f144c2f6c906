//! The state for a list that comes back: which request was answered, and which decisions still hold.

use super::{identity::tokens, list::List, pending::Pending, state::State};
use crate::{
    model::{Conversation, Role, Turn},
    report::Error,
    rules::DialectId,
    value::Host,
};

impl State {
    /// The state for this list. The last request counts only if a reply to it is in the list.
    pub(super) fn resume<H: Host>(
        &self,
        conversation: &Conversation<H>,
        list: &List<'_, H>,
        target: DialectId,
    ) -> Result<Self, Error> {
        let mut state = Self { target: target.name(), ..self.clone() };
        let turns = conversation.turns();
        state.await_here(list);
        state.follow(list);
        state.hand_out(list, target)?;
        let reply = |pending: &Pending| {
            let mut rest = turns.iter().enumerate().skip(pending.length);
            rest.find(|(_, turn)| turn.role == Role::Assistant).map(|(index, _)| index)
        };
        let pending = std::mem::take(&mut state.pending);
        // Only a reply binds to a request that what it left out stays out.
        for block in pending.iter().flat_map(|one| &one.left_out) {
            state.left_out.remove(block);
        }
        // Nothing was answered: another list is another conversation, with its own system text and tools.
        let is_other = |one: &Pending| !list.begins_with(one.talk);
        let begins = state.newest_answer() == 0 && pending.last().is_some_and(is_other);
        // If there are several requests, the reply belongs to the last one made before it.
        let answered = pending.iter().filter_map(|one| Some((reply(one)?, one)));
        if let Some((_, one)) = answered.min_by_key(|(first, one)| (*first, usize::MAX - one.length)) {
            state.answered.push(one.length);
            state.left_out.extend(&one.left_out);
            state.pinned.clone_from(&one.pinned);
            if pending.last() == Some(one) {
                state.settled_in = state.growing;
            }
            let longer = pending.iter().filter(|other| other.length > one.length);
            longer.min_by_key(|one| one.length).into_iter().for_each(|one| state.undo(one));
        } else {
            // If the list became shorter, the reply to the last request no longer follows that request's messages.
            let is_new = |turn: &Turn<H>| tokens(turn).any(|token| state.record(token).is_none());
            let reply = turns.iter().position(|turn| turn.role == Role::Assistant && is_new(turn));
            if let (Some(first), Some(one)) = (reply, pending.last()) {
                state.record_reply(&turns[first..], one, target)?;
            }
            // The same request again is cut in the same way.
            let is_again = |one: &Pending| one.length == turns.len() && list.first(one.length) == Some(one.list);
            match pending.iter().min_by_key(|one| one.length) {
                Some(one) if state.cut.is_some() && is_again(one) => state.left_out.extend(&one.left_out),
                Some(one) => state.undo(one),
                None => {}
            }
        }
        let answered = state.newest_answer();
        state.left_out.retain(|(index, _)| *index < answered);
        if state.head.is_none() || begins {
            state.begin_anew();
        }
        state.adopt(list, turns, (target, pending.last()));
        // Decisions beyond the end of a shorter list are dropped.
        state.back_to(conversation.len());
        Ok(state)
    }

    /// Reverts the decisions of a request without a reply.
    fn undo(&mut self, pending: &Pending) {
        if self.cut.as_ref().is_some_and(|cut| cut.count == pending.length) {
            return self.begin_anew();
        }
        self.notes.retain(|note| note.index < pending.length);
        if let Some(given) = &pending.given {
            self.given = Some(given.clone());
        }
    }

    /// Drops the decisions about turns after this length of the caller's list.
    pub(super) fn back_to(&mut self, length: usize) {
        if self.cut.as_ref().is_some_and(|cut| cut.count > length) {
            return self.begin_anew();
        }
        let known = self.notes.len();
        self.settled_in = self.settled_in.filter(|_| self.answered.last().is_none_or(|last| *last <= length));
        self.answered.retain(|answered| *answered <= length);
        self.begun = self.begun.min(length);
        self.notes.retain(|note| note.index <= length);
        if self.notes.len() < known {
            let target = DialectId::named(&self.target).unwrap_or(DialectId::NONE);
            self.given = self.head.as_ref().map(|head| head.given_with(&self.notes, target));
            // A later step of the same request tells the change once more, if there is still one.
            self.given_before = None;
        }
        if self.answered.is_empty() && self.cut.is_none() {
            self.answered = self.answered_by_summary();
        }
        // What comes behind the newest answer is sent anew, and reasoning may verify there that did not verify before.
        let bound = length.min(self.newest_answer());
        self.left_out.retain(|(index, _)| *index < bound);
    }
}
