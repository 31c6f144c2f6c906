//! Holds the id and the model of a reply, which a format repeats in every event.

use super::Wanted;
use crate::{
    value::{Host, Text},
    wire::response::Tail,
};

/// The id, and the model.
pub(crate) struct Shell<H: Host> {
    pub(crate) wanted: Wanted<H>,
    tail: Option<Tail>,
    pub(crate) id: Text<H>,
    pub(crate) model: Text<H>,
}

impl<H: Host> Shell<H> {
    /// The state before the reply begins.
    pub(crate) fn new(wanted: Wanted<H>) -> Self {
        Self { wanted, tail: None, id: Text::own(""), model: Text::own("") }
    }

    /// Begins the reply. `prefix`: the prefix of reply ids in the target's format.
    pub(crate) fn begin(&mut self, prefix: &str, id: Option<&Text<H>>, model: Option<&Text<H>>) {
        let tail = self.wanted.tail(id);
        self.id = Text::own(&tail.reply(prefix));
        self.tail = Some(tail);
        let asked = || self.wanted.model();
        if let Some(model) = model.map(Text::share).or_else(asked) {
            self.model = model;
        }
    }

    /// An id for the reply with another prefix.
    pub(crate) fn named(&self, prefix: &str) -> Text<H> {
        self.tail.as_ref().map_or_else(|| Text::own(""), |tail| Text::own(&tail.reply(prefix)))
    }

    /// The id of one of its items.
    pub(crate) fn item(&self, prefix: &str, index: u64) -> Text<H> {
        self.tail.as_ref().map_or_else(|| Text::own(""), |tail| Text::own(&tail.item(prefix, index as usize)))
    }
}
