//! Reports what becomes of the items that removed reasoning led to.

use std::sync::Arc;

use super::{draft::DraftTurn, size};
use crate::{
    model::Turn,
    pairing::bond::{self, Follower},
    report::{Change, Edit},
    value::Host,
};

/// The removed reasoning before the current turn, if it led to it.
#[derive(Default)]
pub(super) struct Bond(bond::Bond<Edit>);

impl Bond {
    /// Handles a turn that is removed by the change `code`.
    pub(super) fn removed<H: Host>(&mut self, turn: &Turn<H>, code: Edit) {
        self.0.removed(turn, code);
    }

    /// Handles a turn that is kept. Returns whether it stays.
    pub(super) fn kept<H: Host>(&mut self, slot: &mut DraftTurn<H>, entries: &mut Vec<Change>) -> bool {
        let Some((code, becomes)) = self.0.kept(&slot.turn) else { return true };
        let entry = |code: Edit| Change::new(code, slot.index, slot.path(), becomes.why());
        match becomes {
            Follower::LosesId => {
                // The item itself stays.
                entries.push(entry(Edit::Reshaped).graded(code.severity()));
                slot.turn = Arc::new(bond::without_id(&slot.turn));
                true
            }
            Follower::Goes => {
                entries.push(entry(code).sized(size::turn(&slot.turn), 0));
                false
            }
        }
    }
}
