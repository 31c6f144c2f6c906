//! Holds one message of the target while it is composed: who speaks, which turns it has, and which items.

use smallvec::SmallVec;

use super::{item::Item, seats::Seat};
use crate::{
    model::{At, Role, Turn},
    report::{Sources, provenance},
    rules::{DialectId, MessageId, Target},
    value::{Extras, Host, Input, Text},
};

/// One message of the target.
pub(crate) struct Message<'a, H: Host> {
    /// Who speaks. A message of role `Tool` is one result, for targets where each is a separate message.
    pub(crate) role: Role,
    /// Its turns. None for system text that was beside the messages.
    pub(crate) turns: SmallVec<[At<'a, H>; 1]>,
    /// Its items, in order.
    pub(crate) items: Vec<Item<'a, H>>,
    /// Results and the media moved out of them, until they are put before the items.
    pub(super) results: Vec<Item<'a, H>>,
    pub(super) moved: Vec<Item<'a, H>>,
    /// How many calls are among the items.
    pub(super) calls: usize,
}

impl<'a, H: Host> Message<'a, H> {
    pub(super) fn of(role: Role) -> Self {
        Self { role, turns: SmallVec::new(), items: Vec::new(), results: Vec::new(), moved: Vec::new(), calls: 0 }
    }

    /// Empties the message.
    pub(super) fn clear(&mut self) {
        let Self { role: _, turns, items, results, moved, calls } = self;
        turns.clear();
        // Most lists are empty, and dropping nothing takes a call too.
        [items, results, moved].into_iter().filter(|list| !list.is_empty()).for_each(Vec::clear);
        *calls = 0;
    }

    /// Its place among its neighbours, while turns may still join it.
    pub(super) fn seat(&self) -> Seat {
        let (calls, results) = (self.calls > 0, !self.results.is_empty());
        let (assistant, system) = (self.role == Role::Assistant, self.role.is_system());
        Seat { assistant, system, as_it_came: false, calls, results, in_step: calls }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len() + self.results.len() + self.moved.len()
    }

    /// The first of its turns that came from the target's own format: that turn's unknown keys are written with the message.
    #[inline]
    pub(crate) fn own(&self, target: DialectId) -> Option<At<'a, H>> {
        self.turns.iter().copied().find(|(_, turn)| turn.from.same_wire(target))
    }

    /// The indices of its turns.
    #[inline]
    pub(crate) fn sources(&self) -> Sources {
        self.sources_of(&self.items)
    }

    /// The indices of the turns of some of its items.
    #[inline]
    pub(crate) fn sources_of<'i>(&self, items: impl IntoIterator<Item = &'i Item<'a, H>>) -> Sources
    where
        'a: 'i,
        H: 'i,
    {
        let items = items.into_iter().map(|item| item.source).filter(|index| *index != usize::MAX);
        let said = provenance::sources(items);
        if said.is_empty() { provenance::sources(self.turns.iter().map(|(index, _)| *index)) } else { said }
    }

    /// The only item, if it is one text without a list around it.
    pub(crate) fn alone(&self) -> Option<&Item<'a, H>> {
        match self.items.as_slice() {
            [one] if one.text().is_some() && !one.was_listed() && one.cached.is_none() && one.cited.is_none() => {
                Some(one)
            }
            _ => None,
        }
    }

    /// The unknown keys of its turn, and the input of their spans.
    #[inline]
    pub(crate) fn extras(&self, target: DialectId) -> Option<(&'a Extras<H>, Option<&'a Input>)> {
        let (_, turn) = self.own(target)?;
        Some((turn.extras.as_deref()?, turn.input.as_ref()))
    }

    /// The id of the message, with the index of its turn: the first one, so that it stays where later turns join them.
    pub(crate) fn id(&self, target: &Target<'_>) -> Option<(usize, &'a Text<H>, Option<&'a Input>)> {
        let rule = target.limits.message_id;
        let has = match rule {
            MessageId::NoMessage => false,
            MessageId::Assistant => self.role == Role::Assistant,
            MessageId::EveryMessage | MessageId::Own | MessageId::Entity => true,
        };
        let own = |turn: &Turn<H>| rule != MessageId::Own || turn.from.same_wire(target.id);
        let (index, turn) = self.turns.first().filter(|(_, turn)| has && own(turn))?;
        Some((*index, turn.id.as_ref()?, turn.input.as_ref()))
    }
}
