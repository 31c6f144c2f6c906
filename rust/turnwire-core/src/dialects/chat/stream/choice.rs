//! Decides which pieces of a stream belong to the choice that is taken: the first to arrive.
//!
//! Some servers count their chunks where the index of the choice belongs. Then no index comes again, and all of them
//! belong to one choice. Of several choices, the first one's index comes again.

use std::collections::BTreeSet;

/// The choice that is taken, and the others.
#[derive(Default)]
pub(super) struct Choice {
    index: Option<u64>,
    numbers: Numbers,
    others: BTreeSet<u64>,
}

/// What the indices number.
#[derive(Clone, Copy, Default)]
enum Numbers {
    /// Nobody knows yet. So far, each was the next one; this was the last.
    Next(u64),
    Chunks,
    #[default]
    Choices,
}

/// Where a piece belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Belongs {
    Here,
    Elsewhere,
    /// The next piece says where.
    Waits,
}

/// A piece of a choice.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) index: u64,
    /// Whether it may continue the choice that is taken: that one has not ended, and the chunk has no other piece.
    pub(super) continues: bool,
    /// Whether it has a part of the message.
    pub(super) says: bool,
    /// Whether it certainly continues it, if it may: it ends the reply, or another one waits.
    pub(super) certain: bool,
}

impl Choice {
    /// The index of the choice that is taken.
    pub(super) fn index(&self) -> Option<u64> {
        self.index
    }

    /// The indices of the others.
    pub(super) fn others(&self) -> impl Iterator<Item = u64> {
        self.others.iter().copied()
    }

    /// Whether the indices are known to number the choices.
    pub(super) fn numbers_choices(&self) -> bool {
        matches!(self.numbers, Numbers::Choices)
    }

    /// Takes the index of a piece. Returns whether it is that of all pieces so far.
    #[inline]
    pub(super) fn is_usual(&mut self, index: u64) -> bool {
        let first = *self.index.get_or_insert_with(|| {
            self.numbers = Numbers::Next(index);
            index
        });
        index == first && matches!(self.numbers, Numbers::Next(last) if last == first)
    }

    /// Says where a piece with another index belongs.
    #[cold]
    pub(super) fn take(&mut self, piece: Piece) -> Belongs {
        let first = self.index.unwrap_or(piece.index);
        match self.numbers {
            Numbers::Chunks => return Belongs::Here,
            Numbers::Next(last) if piece.continues && piece.index == last + 1 => {
                self.numbers = if piece.certain { Numbers::Chunks } else { Numbers::Next(piece.index) };
                return if piece.certain || !piece.says { Belongs::Here } else { Belongs::Waits };
            }
            Numbers::Next(last) => {
                self.numbers = Numbers::Choices;
                self.others.extend(first + 1..=last);
            }
            Numbers::Choices => {}
        }
        if piece.index == first {
            return Belongs::Here;
        }
        self.others.insert(piece.index);
        Belongs::Elsewhere
    }
}
