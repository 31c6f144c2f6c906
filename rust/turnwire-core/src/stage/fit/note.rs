//! The caller's note in place of dropped exchanges: one user turn after the first gap.

use crate::{
    model::{Kind, Part, Role, Turn, surrogate::repair},
    report::{Change, Edit, Error, Path},
    stage::{Draft, DraftTurn, size::Meter},
    value::{Host, Text},
};

/// The note, and its size.
pub(super) struct Note<H: Host> {
    part: Part<H>,
    pub(super) size: usize,
}

impl<H: Host> Note<H> {
    pub(super) fn of(words: &Text<H>, meter: &Meter<'_>) -> Result<Self, Error> {
        let part = Part::text(repair::text(words, None));
        let turn = Turn::new(Role::User, [part.share()]);
        Ok(Self { size: meter.part(meter.seat(&turn), &part)?, part })
    }

    /// Puts the note before the turn at `place`, unless a turn of the user already has its text. Its size counts only
    /// if it is added.
    pub(super) fn put(self, draft: &mut Draft<'_, H>, place: usize) {
        let Kind::Text(words) = &self.part.kind else { return };
        let says_it = |turn: &Turn<H>| {
            let parts = turn.parts.iter();
            turn.role == Role::User
                && parts.into_iter().any(|part| match &part.kind {
                    Kind::Text(text) => text.wtf8(turn.input.as_ref()) == words.wtf8(None),
                    _ => false,
                })
        };
        if words.is_blank(None) || draft.turns().any(|turn| says_it(turn)) {
            return;
        }
        let bytes = words.utf8_len(None);
        let slots = draft.slots();
        let near = slots.get(place).or_else(|| slots.last());
        let (index, path) = near.map_or((0, Path::default()), |slot| (slot.index, slot.path()));
        slots.insert(place, DraftTurn::made(Turn::new(Role::User, [self.part]), index));
        let why = "exchanges are left out: your note says so";
        draft.report(Change::new(Edit::OmittedNote, index, path, why).sized(0, bytes));
        if let Some(totals) = &mut draft.receipt.totals {
            totals.after += self.size;
        }
    }
}
