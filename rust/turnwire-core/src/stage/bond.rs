//! Keeps reasoning and the item that it led to together. If the reasoning is removed, the item loses the id that refers
//! to it.

use std::sync::Arc;

use super::{draft::DraftTurn, pair};
use crate::{
    model::{Kind, Part, Role, Turn},
    report::{Edit, Entry},
    value::Host,
};

/// The removed reasoning directly before the current turn, if any.
#[derive(Default)]
pub(super) struct Bond(Option<Edit>);

impl Bond {
    /// Handles a turn that is removed by the change `code`.
    pub(super) fn removed<H: Host>(&mut self, turn: &Turn<H>, code: Edit) {
        if pair::is_reasoning_alone(turn) {
            self.0 = Some(code);
        }
    }

    /// Handles a turn that is kept.
    pub(super) fn kept<H: Host>(&mut self, slot: &mut DraftTurn<H>, entries: &mut Vec<Entry>) {
        let Some(code) = self.0.take() else { return };
        let turn = &slot.turn;
        if pair::is_reasoning_alone(turn) {
            // Several reasoning turns in a row led to the same item after them.
            self.0 = Some(code);
        } else if turn.role == Role::Assistant && turn.id.is_some() && pair::from_binds(turn.from) {
            let mut new = turn.touch();
            new.id = None;
            // An item with a single part has the id itself. Text goes into a message of another type.
            let holds_it = |part: &&mut Part<H>| part.place.key.is_none() || matches!(part.kind, Kind::Text(_));
            new.parts.iter_mut().filter(holds_it).for_each(|part| part.touched = true);
            let why = "its id would ask for the reasoning that is gone";
            entries.push(Entry::new(code, slot.index, slot.path(), why));
            slot.turn = Arc::new(new);
        }
    }
}
