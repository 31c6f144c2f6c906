//! Pairs a result with a call whose id differs from its own only by the signature behind one of them.

use super::matching::{Fate, Matching};
use crate::value::HashMap;

/// The ids without the signature behind them, by their indices among the distinct ids.
pub(super) type Bare = HashMap<usize, Vec<u8>>;

impl Matching<'_> {
    /// Pairs each such result with the last open call before it, or else with the first one behind it.
    pub(super) fn by_bare_id(&mut self, bare: &Bare) {
        let own = |id: usize| bare.get(&id).map_or_else(|| &*self.ids[id], Vec::as_slice).to_vec();
        let open = |call: &usize| self.calls[*call].result.is_none() && !self.ids[self.calls[*call].id].is_empty();
        let mut calls: HashMap<Vec<u8>, Vec<usize>> = HashMap::default();
        for call in (0..self.calls.len()).filter(open) {
            calls.entry(own(self.calls[call].id)).or_default().push(call);
        }
        let orphans = (0..self.results.len()).filter(|result| self.results[*result].fate == Fate::Orphan);
        let left: Vec<_> = orphans.map(|result| (result, own(self.results[result].id))).collect();
        for (result, id) in left {
            let Some(open) = calls.get_mut(&id).filter(|open| !open.is_empty()) else { continue };
            let here = (self.results[result].turn, self.results[result].part);
            let before = open.iter().rposition(|call| (self.calls[*call].turn, self.calls[*call].part) < here);
            let call = open.remove(before.unwrap_or(0));
            self.pair(call, result);
        }
    }
}
