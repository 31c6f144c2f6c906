//! The turns of a conversation. A conversation that extends another shares its turns, so adding turns costs only the
//! new ones.

use std::sync::{Arc, OnceLock};

use crate::{model::Turn, value::Host};

/// A shared list, and turns that were added to it. Reading joins them.
#[derive(Debug)]
pub(super) struct Turns<H: Host> {
    shared: Arc<Vec<Arc<Turn<H>>>>,
    added: Vec<Arc<Turn<H>>>,
    whole: OnceLock<Arc<Vec<Arc<Turn<H>>>>>,
}

/// How many turns may be unjoined: each addition copies them.
const MOST_ADDED: usize = 64;

impl<H: Host> Turns<H> {
    pub(super) fn new(turns: Vec<Arc<Turn<H>>>) -> Self {
        Self::of(Arc::new(turns))
    }

    fn of(shared: Arc<Vec<Arc<Turn<H>>>>) -> Self {
        Self { shared, added: Vec::new(), whole: OnceLock::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.shared.len() + self.added.len()
    }

    pub(super) fn all(&self) -> &[Arc<Turn<H>>] {
        self.whole()
    }

    fn whole(&self) -> &Arc<Vec<Arc<Turn<H>>>> {
        if self.added.is_empty() {
            return &self.shared;
        }
        self.whole.get_or_init(|| Arc::new(self.shared.iter().chain(&self.added).cloned().collect()))
    }

    /// A copy with more turns at the end.
    pub(super) fn extended(&self, turns: Vec<Arc<Turn<H>>>) -> Self {
        let looked_at = self.added.is_empty() || self.whole.get().is_some();
        if looked_at || self.added.len() + turns.len() > MOST_ADDED {
            return Self { added: turns, ..Self::of(self.whole().clone()) };
        }
        let added = [self.added.clone(), turns].concat();
        Self { added, ..Self::of(self.shared.clone()) }
    }

    /// All turns, to be changed.
    pub(super) fn all_mut(&mut self) -> &mut Vec<Arc<Turn<H>>> {
        if !self.added.is_empty() {
            *self = Self::of(self.whole().clone());
        }
        Arc::make_mut(&mut self.shared)
    }
}

impl<H: Host> Clone for Turns<H> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), added: self.added.clone(), whole: self.whole.clone() }
    }
}
