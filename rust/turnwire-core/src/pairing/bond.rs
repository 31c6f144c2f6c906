//! Keeps reasoning and the items that it led to together. If the reasoning is removed, they lose the ids that refer to it.

use super::{answers, links::ran};
use crate::{
    model::{Kind, Part, Role, Tie, Turn},
    rules::{
        CallForm, DialectId,
        block_rule::{block_rule_of, without_key},
    },
    value::Host,
};

/// The removed reasoning before the current turn, if it led to it, and why it was removed.
pub(crate) struct Bond<C> {
    gone: Option<C>,
    /// Whether an item that it led to has followed.
    led: bool,
}

/// What becomes of an item that removed reasoning led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follower {
    /// It stays without its id.
    LosesId,
    /// It is nothing without its id.
    Goes,
}

impl Follower {
    /// Why, in a sentence.
    pub(crate) fn why(self) -> &'static str {
        match self {
            Self::LosesId => "its id would ask for the reasoning that is gone: the id is left out",
            Self::Goes => "its id would ask for the reasoning that is gone, and the target refuses it without an id",
        }
    }
}

impl<C> Default for Bond<C> {
    fn default() -> Self {
        Self { gone: None, led: false }
    }
}

impl<C: Copy> Bond<C> {
    /// Handles a turn that is removed because of `why`.
    pub(crate) fn removed<H: Host>(&mut self, turn: &Turn<H>, why: C) {
        if is_reasoning_alone(turn) {
            *self = Self { gone: Some(why), led: false };
        }
    }

    /// Handles a turn that is kept. What becomes of it, if it follows removed reasoning that it refers to.
    pub(crate) fn kept<H: Host>(&mut self, turn: &Turn<H>) -> Option<(C, Follower)> {
        let why = self.gone?;
        if is_reasoning_alone(turn) {
            // Several reasoning turns in a row led to the same items after them.
            self.gone = self.gone.filter(|_| !self.led);
            return None;
        }
        if turn.role != Role::Assistant || turn.tie == Tie::GivesBack || !from_binds(turn.from) {
            self.gone = None;
            return None;
        }
        self.led = true;
        follower(turn).map(|becomes| (why, becomes))
    }
}

/// What becomes of an item that reasoning led to, if that reasoning has no id any more. `None` if nothing refers to it.
pub(crate) fn follower<H: Host>(turn: &Turn<H>) -> Option<Follower> {
    if turn.id.is_some() {
        // Without its id, a call of the client would be refused, or its result would be lost.
        let needs = turn.calls().any(|call| call.form.is_some_and(CallForm::needs_item_id));
        return (!needs).then_some(Follower::LosesId);
    }
    let [Part { kind: Kind::Opaque(kind), .. }] = turn.parts.as_slice() else { return None };
    let rule = block_rule_of(turn.from.keys().blocks, &kind.to_str(turn.input.as_ref()))?;
    let named = |keys: &[(&'static str, _)]| keys.iter().any(|(name, _)| *name == "id");
    // The client's answer names what it asks for, so that stays.
    let asks = answers::item_of(turn, None).is_some();
    match has_id(turn) {
        true if named(rule.needs) && !asks => Some(Follower::Goes),
        true if named(rule.may) && asks => Some(Follower::LosesId),
        _ => None,
    }
}

/// An item without its id.
pub(crate) fn without_id<H: Host>(turn: &Turn<H>) -> Turn<H> {
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

/// Whether a part of the turn has an id of its own.
pub(crate) fn has_id<H: Host>(turn: &Turn<H>) -> bool {
    turn.parts.iter().any(|part| ran::id_of(part, turn.input.as_ref()).is_some())
}

/// Whether the turn holds only reasoning, in a dialect that may bind it to the item it led to.
pub(crate) fn is_reasoning_alone<H: Host>(turn: &Turn<H>) -> bool {
    !turn.parts.is_empty()
        && turn.parts.iter().all(|part| matches!(part.kind, Kind::Reasoning(_)))
        && from_binds(turn.from)
}

pub(crate) fn from_binds(from: DialectId) -> bool {
    from.limits().is_ok_and(|limits| limits.binds_reasoning.is_some())
}
