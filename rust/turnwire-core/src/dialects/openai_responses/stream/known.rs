//! Finds the item that has begun for a whole one: by its id and type, its place, or as the same call under another id.

use super::{super::keys as k, Stream, item::kind};
use crate::{
    report::Error,
    value::{Host, Source, Tree, Value},
};

impl<H: Host> Stream<H> {
    /// The indices of the items of a response that have begun. Those of the final one may be calls under other ids, which
    /// would otherwise run twice.
    pub(super) fn all_known(&self, items: &[Value<H>], ended: bool) -> Result<Vec<Option<usize>>, Error> {
        let mut known: Vec<_> = items.iter().enumerate().map(|(at, item)| self.known(item, at as u64)).collect();
        for (at, item) in items.iter().enumerate().filter(|_| ended) {
            if known[at].is_none() {
                known[at] = self.renamed(item, at as u64, |place| !known.contains(&Some(place)))?;
            }
        }
        Ok(known)
    }

    /// The index of a call that a whole item is under another id, among those that are free: that at its index first.
    pub(super) fn renamed(
        &self,
        item: &Value<H>,
        index: u64,
        is_free: impl Fn(usize) -> bool,
    ) -> Result<Option<usize>, Error> {
        let there = self.places.get(&index).copied();
        for place in there.into_iter().chain(0..self.items.len()).filter(|place| is_free(*place)) {
            if self.items[place].is_renamed(item, there == Some(place))? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// The index of the item with the id and type of this one, unless that is another call.
    pub(super) fn typed(&self, item: &Value<H>) -> Option<usize> {
        let id = Tree(item).get(&k::ID).and_then(|id| id.text())?;
        let place = self.typed.get(&(id.wtf8(None).into_owned(), kind(item))).copied();
        place.filter(|place| self.items[*place].may_be(item))
    }

    /// The index of a whole item: that with its id and type, that of its type at its index, or the same call. An item
    /// of another type under its id is another item.
    pub(super) fn known(&self, item: &Value<H>, index: u64) -> Option<usize> {
        let may_be = |place: &usize| self.items[*place].may_be(item);
        let there = || self.places.get(&index).copied().filter(may_be);
        let called = || {
            let call = Tree(item).get(&k::CALL_ID).and_then(|call| call.text())?;
            self.ids.get(&*call.wtf8(None)).copied().filter(may_be)
        };
        self.typed(item).or_else(there).or_else(called)
    }
}
