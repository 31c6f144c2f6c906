//! Records what each block of reasoning is bound to, in the order in which that was learned. So a stored state only
//! grows at its end, and a stored history writes only what is new.

use crate::value::HashMap;

/// What a signed block of reasoning is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// Nothing: its model does not bind reasoning.
    Free,
    /// Everything before it, and the block before it, if any.
    Bound {
        /// The hash of everything before it.
        all: u64,
        /// The block before it.
        last: Option<u64>,
    },
    /// No longer known.
    Unknown,
}

/// The records of all blocks, by their identities.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    by_token: HashMap<u64, Record>,
    order: Vec<u64>,
}

impl Records {
    /// The record of a block.
    pub(super) fn get(&self, token: u64) -> Option<&Record> {
        self.by_token.get(&token)
    }

    /// Adds a record, unless this block already has one.
    pub(super) fn add(&mut self, token: u64, record: Record) {
        self.by_token.entry(token).or_insert_with(|| {
            self.order.push(token);
            record
        });
    }

    /// Drops the oldest records of blocks that are no longer in the list, if there are more than `most` of them.
    /// Returns whether it dropped any.
    pub(super) fn keep(&mut self, most: usize, is_said: impl Fn(u64) -> bool) -> bool {
        if self.order.len() <= most {
            return false;
        }
        let gone = self.order.iter().filter(|token| !is_said(**token)).count();
        let mut too_many = gone.saturating_sub(most);
        let dropped = too_many > 0;
        let by_token = &mut self.by_token;
        self.order.retain(|token| {
            let drop = too_many > 0 && !is_said(*token);
            if drop {
                too_many -= 1;
                by_token.remove(token);
            }
            !drop
        });
        dropped
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.order.len()
    }

    /// All of them, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Record)> {
        self.order.iter().filter_map(|token| Some((*token, self.by_token.get(token)?)))
    }
}
