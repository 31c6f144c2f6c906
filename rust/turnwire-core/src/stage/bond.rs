//! Keeps reasoning and the items that it led to together. If the reasoning is removed, they lose the ids that refer to it.

use std::sync::Arc;

use super::{draft::DraftTurn, pair, size};
use crate::{
    model::{Kind, Part, Role, Tie, Turn},
    pairing::answers,
    report::{Edit, Entry},
    rules::block_rule::{block_rule_of, without_key},
    value::Host,
};

const WHY: &str = "its id would ask for the reasoning that is gone";
const GOES: &str = "its id would ask for the reasoning that is gone, and the target refuses it without an id";

/// The removed reasoning before the current turn, if it led to it.
#[derive(Default)]
pub(super) struct Bond {
    gone: Option<Edit>,
    /// Whether an item that it led to has followed.
    led: bool,
}

/// What becomes of an item that removed reasoning led to.
enum Follower {
    /// It has no id that refers to the reasoning.
    Stays,
    /// It stays without its id.
    LosesId,
    /// It is nothing without its id.
    Goes,
}

impl Bond {
    /// Handles a turn that is removed by the change `code`.
    pub(super) fn removed<H: Host>(&mut self, turn: &Turn<H>, code: Edit) {
        if pair::is_reasoning_alone(turn) {
            *self = Self { gone: Some(code), led: false };
        }
    }

    /// Handles a turn that is kept. Returns whether it stays.
    pub(super) fn kept<H: Host>(&mut self, slot: &mut DraftTurn<H>, entries: &mut Vec<Entry>) -> bool {
        let Some(code) = self.gone else { return true };
        let turn = &slot.turn;
        if pair::is_reasoning_alone(turn) {
            // Several reasoning turns in a row led to the same items after them.
            if self.led {
                self.gone = None;
            }
            return true;
        }
        if turn.role != Role::Assistant || turn.tie == Tie::GivesBack || !pair::from_binds(turn.from) {
            self.gone = None;
            return true;
        }
        self.led = true;
        match follower(turn) {
            Follower::Stays => true,
            Follower::LosesId => {
                entries.push(Entry::new(code, slot.index, slot.path(), WHY));
                slot.turn = Arc::new(without_id(turn));
                true
            }
            Follower::Goes => {
                entries.push(Entry::new(code, slot.index, slot.path(), GOES).sized(size::turn(turn), 0));
                false
            }
        }
    }
}

fn follower<H: Host>(turn: &Turn<H>) -> Follower {
    if turn.id.is_some() {
        return Follower::LosesId;
    }
    let [Part { kind: Kind::Opaque(kind), .. }] = turn.parts.as_slice() else { return Follower::Stays };
    let Some(rule) = block_rule_of(turn.from.keys().blocks, &kind.to_str(turn.input.as_ref())) else {
        return Follower::Stays;
    };
    let named = |keys: &[(&'static str, _)]| keys.iter().any(|(name, _)| *name == "id");
    // The client's answer names what it asks for, so that stays.
    let asks = answers::item_of(turn, None).is_some();
    match pair::has_id(turn) {
        true if named(rule.needs) && !asks => Follower::Goes,
        true if named(rule.may) && asks => Follower::LosesId,
        _ => Follower::Stays,
    }
}

/// An item without its id.
fn without_id<H: Host>(turn: &Turn<H>) -> Turn<H> {
    let mut new = turn.touch();
    new.id = None;
    let input = turn.input.as_ref();
    for part in &mut new.parts {
        if matches!(part.kind, Kind::Opaque(_)) {
            part.origin = part.origin.as_ref().and_then(|origin| without_key(origin, "id", input));
        } else if part.place.key.is_none() || matches!(part.kind, Kind::Text(_)) {
            // An item with a single part has the id itself. Text goes into a message of another type.
            part.touched = true;
        }
    }
    new
}
