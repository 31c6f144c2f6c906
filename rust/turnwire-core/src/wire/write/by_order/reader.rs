//! Holds what a reader knows about the calls that were written without ids.

use crate::pairing::Open;

/// What a reader knows about the calls that were written.
#[derive(Default)]
pub(crate) struct ByOrder<'a> {
    pub(super) open: Open<'a>,
    /// How many runs there are, and whether the calling side wrote the last one.
    pub(super) run: usize,
    pub(super) calls: bool,
    /// The turns that were sent back unchanged since the last element; their parts are read on demand.
    pub(super) replayed: Vec<usize>,
}

impl ByOrder<'_> {
    /// Counts an element. `calls`: whether the calling side wrote it.
    pub(super) fn element(&mut self, calls: bool) {
        self.run += usize::from(self.calls != calls);
        self.calls = calls;
    }

    /// Records a turn that is sent back unchanged.
    pub(crate) fn replayed(&mut self, turn: usize) {
        self.replayed.push(turn);
    }
}
