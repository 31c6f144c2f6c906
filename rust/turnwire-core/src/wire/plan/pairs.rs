//! Parallel calls of a target that wants each result right behind its call: they wait for their results, and go out in pieces.

use std::collections::VecDeque;

use super::{At, Item, Message, Outline};
use crate::{
    model::{
        part::{Kind, Part},
        turn::Role,
    },
    report::{error::Error, loss::LossCode},
    rules::limits::ResultPlace,
    value::{door::Sink, handle::Host},
};

/// A message of calls, of which some may be written already.
pub(super) struct Waiting<'a, H: Host> {
    /// Who speaks, and from which turns.
    message: Box<Message<'a, H>>,
    /// What is still to be written, in order.
    items: VecDeque<Item<'a, H>>,
}

impl<'a, H: Host, K: Sink<H>> Outline<'_, 'a, H, K> {
    /// Whether a message, which is complete, has to wait for its results.
    pub(super) fn has_to_wait(&self, message: &Message<'a, H>) -> bool {
        let pairs = self.w.target.limits.results == ResultPlace::BehindCall;
        pairs && message.role == Role::Assistant && message.calls > 1
    }

    /// Lets a message wait. What is said behind its last call goes before it: nothing stands between that and its result.
    pub(super) fn wait(&mut self, mut message: Box<Message<'a, H>>) -> Result<(), Error> {
        self.write_waiting()?;
        let mut items = std::mem::take(&mut message.items);
        if let Some(last) = items.iter().rposition(|item| call_site(item).is_some()) {
            for item in &items[last + 1..] {
                let reason = "the target wants each result right behind its call";
                self.w.losses.changed(LossCode::Order, self.w.path_of(item), reason);
            }
            items[last..].rotate_left(1);
        }
        self.waiting = Some(Waiting { message, items: items.into() });
        Ok(())
    }

    /// Writes all that waits: no result of it follows.
    pub(super) fn write_waiting(&mut self) -> Result<(), Error> {
        let Some(Waiting { message, items }) = self.waiting.take() else { return Ok(()) };
        if !items.is_empty() {
            self.piece(message.role, items.into())?;
        }
        if let (Some(&(index, first)), Some(&(last, _))) = (message.turns.first(), message.turns.last()) {
            self.w.checked_run(first, index, last)?;
        }
        self.done(message);
        Ok(())
    }

    /// Writes the calls that the results of a turn answer, which goes back as it came.
    pub(super) fn write_answered(&mut self, (index, turn): At<'a, H>) -> Result<(), Error> {
        for (place, part) in turn.parts.iter().enumerate() {
            match part.kind {
                Kind::Result(_) => self.write_up_to(self.w.links.call_site((index, place)))?,
                _ => return self.write_waiting(),
            }
        }
        Ok(())
    }

    /// Writes a message: where it holds results of calls that wait, each behind its call.
    pub(super) fn write_pairs(&mut self, message: &mut Message<'a, H>) -> Result<(), Error> {
        let holds_results =
            |message: &Message<'a, H>| message.role != Role::Assistant && message.items.iter().any(is_result);
        if self.waiting.is_none() || !holds_results(message) {
            self.write_waiting()?;
            return self.message(message);
        }
        let (results, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut message.items).into_iter().partition(is_result);
        for result in results {
            self.write_up_to(self.w.links.call_site(result.site))?;
            self.piece(message.role, vec![result])?;
        }
        if rest.is_empty() {
            return Ok(());
        }
        self.write_waiting()?;
        self.piece(message.role, rest)
    }

    /// Writes what waits, up to the call at this place, if that waits.
    fn write_up_to(&mut self, site: Option<(usize, usize)>) -> Result<(), Error> {
        let Some(waiting) = &mut self.waiting else { return Ok(()) };
        // They stand in order, and the last of them is a call.
        if site.is_none() || waiting.items.back().and_then(call_site) < site {
            return Ok(());
        }
        let at = waiting.items.iter().position(|item| call_site(item).is_some_and(|call| Some(call) >= site));
        let Some(at) = at.filter(|at| call_site(&waiting.items[*at]) == site) else { return Ok(()) };
        let (role, items) = (waiting.message.role, waiting.items.drain(..=at).collect());
        self.piece(role, items)
    }

    /// Writes some items as a message of the turns that they come from.
    fn piece(&mut self, role: Role, items: Vec<Item<'a, H>>) -> Result<(), Error> {
        let mut message = Message { items, ..Message::of(role) };
        for item in &message.items {
            let index = item.site.0;
            if message.turns.last().is_none_or(|(last, _)| *last != index)
                && let Some(turn) = self.w.conversation.turns.get(index)
            {
                message.turns.push((index, turn));
            }
        }
        if let Some((_, turn)) = message.turns.first() {
            self.w.out.scope(turn.input.as_ref());
        }
        self.message(&message)
    }
}

/// Where a call stands; nothing for what is none.
fn call_site<H: Host>(item: &Item<'_, H>) -> Option<(usize, usize)> {
    matches!(item.part, Some(Part { kind: Kind::Call(_), .. })).then_some(item.site)
}

fn is_result<H: Host>(item: &Item<'_, H>) -> bool {
    matches!(item.part, Some(Part { kind: Kind::Result(_), .. }))
}
