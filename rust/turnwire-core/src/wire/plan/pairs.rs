//! Pairs calls and results for a target that needs each result directly after its call: calls wait for their results.
//!
//! Everything from an assistant's first call on waits until another role speaks. A result first writes the items before
//! its call, then the call, then itself. Items that end up after a later result are reported.

use std::collections::VecDeque;

use super::{
    item::Item,
    message::Message,
    outline::Outline,
    rules,
    waiting::{Waiting, Waits},
};
use crate::{
    model::{At, Kind, Part, Role},
    report::{Edit, Error},
    value::Host,
};

impl<'a, H: Host> Outline<'_, 'a, H> {
    /// Whether a complete message has to wait for results.
    pub(super) fn has_to_wait(&self, message: &Message<'a, H>) -> bool {
        let pairs = self.p.target.limits.results.is_behind_call();
        let joins = || self.waiting.as_ref().is_some_and(|waiting| !waiting.answered);
        pairs && message.role == Role::Assistant && (message.calls > 0 || joins())
    }

    /// Adds a message to the waiting ones.
    pub(super) fn wait(&mut self, mut message: Box<Message<'a, H>>) -> Result<(), Error> {
        if self.waiting.as_ref().is_some_and(|waiting| waiting.answered) {
            self.write_waiting()?;
        }
        let mut turns = std::mem::take(&mut message.turns);
        let waits = |item| Waits { item, turns: std::mem::take(&mut turns), told: false };
        let waiting =
            self.waiting.get_or_insert_with(|| Waiting { items: VecDeque::new(), last: None, answered: false });
        waiting.last = message.items.iter().rev().find_map(call_site).or(waiting.last);
        waiting.items.extend(message.items.drain(..).map(waits));
        self.done(message);
        Ok(())
    }

    /// Writes everything that waits, because no result for it follows.
    pub(super) fn write_waiting(&mut self) -> Result<(), Error> {
        let Some(mut waiting) = self.waiting.take() else { return Ok(()) };
        let count = waiting.items.len();
        self.write_first(&mut waiting, count)
    }

    /// Before a turn that is sent back unchanged, writes the calls that it answers if it has only results, else
    /// everything.
    pub(super) fn write_answered(&mut self, (index, turn): At<'a, H>) -> Result<(), Error> {
        if self.waiting.is_none() {
            return Ok(());
        }
        let is_result = |part: &Part<H>| matches!(part.kind, Kind::Result(_));
        if turn.parts.is_empty() || !turn.parts.iter().all(is_result) {
            return self.write_waiting();
        }
        (0..turn.parts.len()).try_for_each(|place| self.write_up_to(self.p.links.call_site((index, place))))
    }

    /// Writes a message, and each of its results directly after its waiting call.
    pub(super) fn write_pairs(&mut self, message: &mut Message<'a, H>) -> Result<(), Error> {
        if self.waiting.is_none() {
            return self.message(message);
        }
        if message.role == Role::Assistant || !message.items.iter().any(is_result) {
            self.write_waiting()?;
            return self.message(message);
        }
        let (results, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut message.items).into_iter().partition(is_result);
        let mut turns = message.turns.clone();
        let mut piece = |items| Message { turns: std::mem::take(&mut turns), items, ..Message::of(message.role) };
        for result in results {
            self.write_up_to(self.p.links.call_site(result.site))?;
            self.piece(&piece(vec![result]))?;
        }
        if rest.is_empty() {
            return Ok(());
        }
        self.write_waiting()?;
        self.piece(&piece(rest))
    }

    /// Writes the waiting items up to the call at this site, if that call waits.
    pub(super) fn write_up_to(&mut self, site: Option<(usize, usize)>) -> Result<(), Error> {
        let Some(mut waiting) = self.waiting.take_if(|waiting| site.is_some() && site <= waiting.last) else {
            return Ok(());
        };
        // Calls are in order, so it is usually the first.
        let calls = waiting.items.iter().map(|one| call_site(&one.item));
        let found = calls.enumerate().find(|(_, call)| call.is_some() && *call >= site);
        if let Some((at, _)) = found.filter(|(_, call)| *call == site) {
            let at = if site == waiting.last { self.texts_first(&mut waiting, at) } else { at };
            self.write_first(&mut waiting, at + 1)?;
            waiting.answered = true;
        }
        self.waiting = Some(waiting);
        Ok(())
    }

    /// Moves items after the last call, which is at this index, to before it, so that its result can follow. Returns
    /// the call's new index.
    fn texts_first(&mut self, waiting: &mut Waiting<'a, H>, at: usize) -> usize {
        let behind = &mut waiting.items.make_contiguous()[at..];
        behind.rotate_left(1);
        let Some((call, texts)) = behind.split_last_mut() else { return at };
        if let Some(first) = texts.first_mut().filter(|first| first.turns.is_empty()) {
            // Both belong to one message, which now begins with the text.
            std::mem::swap(&mut first.turns, &mut call.turns);
        }
        for one in texts.iter_mut() {
            one.told = true;
            self.tell_order(&one.item);
        }
        at + texts.len()
    }

    /// Writes the first `count` waiting items, grouped by message.
    fn write_first(&mut self, waiting: &mut Waiting<'a, H>, count: usize) -> Result<(), Error> {
        let mut piece = Message::of(Role::Assistant);
        let apart = self.p.target.limits.results.is_each();
        for Waits { item, turns, told } in waiting.items.drain(..count) {
            // That a call is in another message is told by a rule of its own.
            if waiting.answered && !told && !(apart && call_site(&item).is_some()) {
                self.tell_order(&item);
            }
            if !turns.is_empty() && !piece.items.is_empty() {
                self.piece(&piece)?;
                piece.clear();
            }
            piece.turns.extend(turns);
            piece.items.push(item);
        }
        if piece.turns.is_empty() && apart {
            piece.items.iter().filter_map(call_site).for_each(|site| self.tell_own_message(site));
        }
        if piece.items.is_empty() { Ok(()) } else { self.piece(&piece) }
    }

    /// Writes a message, and reports lone surrogates in its texts.
    fn piece(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        self.message(message)?;
        let sites = || message.items.iter().map(|item| item.site.0);
        let (Some(first), Some(last)) = (sites().min(), sites().max()) else { return Ok(()) };
        self.p.conversation.turns.get(first).map_or(Ok(()), |turn| self.to.checked_run(self.p, turn, first, last))
    }

    /// Reports that a call is not in the message of the calls beside it. A repair of the target's own messages has said so.
    fn tell_own_message(&mut self, (index, part): (usize, usize)) {
        let Some(turn) = self.p.conversation.turns.get(index) else { return };
        if !turn.from.same_wire(self.p.target.id) {
            self.p.losses.changed(rules::ONE_CALL.code, turn.part_path(index, part), rules::ONE_CALL.says);
        }
    }

    fn tell_order(&mut self, item: &Item<'a, H>) {
        let reason = "the target requires each result right after its call";
        self.p.losses.changed(Edit::Order, self.p.path_of(item), reason);
    }
}

/// The site of a call. `None` for any other item.
fn call_site<H: Host>(item: &Item<'_, H>) -> Option<(usize, usize)> {
    matches!(item.part, Some(Part { kind: Kind::Call(_), .. })).then_some(item.site)
}

fn is_result<H: Host>(item: &Item<'_, H>) -> bool {
    matches!(item.part, Some(Part { kind: Kind::Result(_), .. }))
}
