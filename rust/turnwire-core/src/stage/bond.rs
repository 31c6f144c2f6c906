//! Reasoning and what it led to: where the one goes, the other loses the id by which the target would ask for the one.

use std::sync::Arc;

use super::{draft::DraftTurn, pair};
use crate::{
    model::{
        part::{Kind, Part},
        turn::{Role, Turn},
    },
    report::receipt::{Change, Entry},
    value::handle::Host,
};

/// What has gone right before the turn that is looked at.
#[derive(Default)]
pub(super) struct Bond(Option<Change>);

impl Bond {
    /// A turn that goes, and why.
    pub(super) fn gone<H: Host>(&mut self, turn: &Turn<H>, code: Change) {
        if pair::waits(turn) {
            self.0 = Some(code);
        }
    }

    /// A turn that stays.
    pub(super) fn stays<H: Host>(&mut self, slot: &mut DraftTurn<H>, entries: &mut Vec<Entry>) {
        let Some(code) = self.0.take() else { return };
        let turn = &slot.turn;
        if pair::waits(turn) {
            // What all of them led to comes behind it.
            self.0 = Some(code);
        } else if turn.role == Role::Assistant && turn.id.is_some() && pair::from_binds(turn.from) {
            let mut new = turn.touch();
            new.id = None;
            // An item that is a part and nothing else holds the id itself; what was said goes into a message of another type.
            let holds_it = |part: &&mut Part<H>| part.place.key.is_none() || matches!(part.kind, Kind::Text(_));
            new.parts.iter_mut().filter(holds_it).for_each(|part| part.touched = true);
            let why = "its id would ask for the reasoning that is gone";
            entries.push(Entry::new(code, slot.index, slot.path(), why));
            slot.turn = Arc::new(new);
        }
    }
}
