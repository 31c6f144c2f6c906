//! Parallel calls of a target that wants each result right behind its call: a message of calls waits for the results, and both
//! are written in pieces.

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

impl<'a, H: Host, K: Sink<H>> Outline<'_, 'a, H, K> {
    /// Whether a message, which is complete, has to wait for its results.
    pub(super) fn has_to_wait(&self, message: &Message<'a, H>) -> bool {
        let pairs = self.w.target.limits.results == ResultPlace::BehindCall;
        pairs && message.role == Role::Assistant && message.calls > 1
    }

    /// Writes the calls that wait, as nothing of theirs follows.
    pub(super) fn write_waiting(&mut self) -> Result<(), Error> {
        let Some(calls) = self.waiting.take() else { return Ok(()) };
        self.piece(&calls)?;
        self.checked(&calls)?;
        self.done(calls);
        Ok(())
    }

    /// Writes a message behind the calls that wait: each of its results behind its call, what is left of it at the end.
    pub(super) fn write_pairs(&mut self, message: &mut Message<'a, H>) -> Result<(), Error> {
        let Some(mut calls) = self.waiting.take() else { return self.message(message) };
        if message.role == Role::Assistant || !message.items.iter().any(is_result) {
            self.waiting = Some(calls);
            self.write_waiting()?;
            return self.message(message);
        }
        let said = self.texts_first(std::mem::take(&mut calls.items));
        let (results, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut message.items).into_iter().partition(is_result);
        let mut results = results.into_iter().peekable();
        let mut piece = Message { turns: calls.turns.clone(), ..Message::of(calls.role) };
        let mut answer = Message { turns: message.turns.clone(), ..Message::of(message.role) };
        for item in said {
            let site = is_call(&item).then_some(item.site);
            piece.items.push(item);
            let Some(site) = site else { continue };
            // They stand in the order of their calls.
            while let Some(result) = results.next_if(|result| self.w.links.call_site(result.site) == Some(site)) {
                answer.items.push(result);
            }
            if answer.items.is_empty() {
                continue;
            }
            self.piece(&piece)?;
            self.piece(&answer)?;
            piece.items.clear();
            answer.items.clear();
        }
        if !piece.items.is_empty() {
            self.piece(&piece)?;
        }
        answer.items.extend(results.chain(rest));
        if !answer.items.is_empty() {
            self.piece(&answer)?;
        }
        self.checked(&calls)?;
        self.done(calls);
        Ok(())
    }

    /// What is said behind the last call, before it: nothing stands between that and its result.
    fn texts_first(&mut self, items: Vec<Item<'a, H>>) -> Vec<Item<'a, H>> {
        let Some(last) = items.iter().rposition(is_call) else { return items };
        let mut items = items;
        for item in &items[last + 1..] {
            let reason = "the target wants each result right behind its call";
            self.w.losses.changed(LossCode::Order, self.w.path_of(item), reason);
        }
        items[last..].rotate_left(1);
        items
    }

    fn piece(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        if let Some((_, turn)) = message.turns.first() {
            self.w.out.scope(turn.input.as_ref());
        }
        self.message(message)
    }

    fn checked(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        let ends = (message.turns.first(), message.turns.last());
        let (Some(&(index, first)), Some(&(last, _))): (Option<&At<'a, H>>, Option<&At<'a, H>>) = ends else {
            return Ok(());
        };
        self.w.checked_run(first, index, last)
    }
}

fn is_call<H: Host>(item: &Item<'_, H>) -> bool {
    matches!(item.part, Some(Part { kind: Kind::Call(_), .. }))
}

fn is_result<H: Host>(item: &Item<'_, H>) -> bool {
    matches!(item.part, Some(Part { kind: Kind::Result(_), .. }))
}
