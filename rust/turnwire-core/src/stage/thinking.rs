//! Reasoning behind a change: some providers bind it to everything that was said before.

use std::sync::Arc;

use super::{bond::Bond, draft::Draft, size};
use crate::{
    model::part::Kind,
    report::receipt::{Change, Entry},
    value::handle::Host,
};

/// What becomes of reasoning once something before it has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// It stays.
    #[default]
    Keep,
    /// It goes from the first turn on that is not what it was.
    StripAfterChange,
}

impl Thinking {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Keep, Self::StripAfterChange];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::StripAfterChange => "strip_after_change",
        }
    }

    /// The option of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|option| option.name() == name)
    }
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, thinking: Thinking) {
    if thinking == Thinking::Keep {
        return;
    }
    let Some(first) = draft.first_changed() else { return };
    let mut entries = Vec::new();
    let (mut at, mut bond) = (0, Bond::default());
    draft.slots().retain_mut(|slot| {
        at += 1;
        let thinks = |kind: &Kind<H>| matches!(kind, Kind::Reasoning(_));
        if at <= first || !slot.turn.parts.iter().any(|part| thinks(&part.kind)) {
            bond.stays(slot, &mut entries);
            return true;
        }
        bond.gone(&slot.turn, Change::StrippedReasoning);
        let before = size::turn(&slot.turn);
        let mut turn = slot.turn.touch();
        turn.parts.retain(|part| !thinks(&part.kind));
        let why = "something before it has changed";
        let entry = Entry::new(Change::StrippedReasoning, slot.index, slot.path(), why);
        entries.push(entry.sized(before, size::turn(&turn)));
        let says_something = !turn.parts.is_empty();
        slot.turn = Arc::new(turn);
        says_something
    });
    draft.receipt.entries.append(&mut entries);
}
