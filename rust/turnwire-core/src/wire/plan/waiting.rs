//! Holds calls that wait for their results, with the items around them.

use std::collections::VecDeque;

use smallvec::SmallVec;

use super::item::Item;
use crate::{model::At, value::Host};

/// An assistant's waiting items. Some of the message may already be written.
pub(super) struct Waiting<'a, H: Host> {
    pub(super) items: VecDeque<Waits<'a, H>>,
    /// The site of the last call.
    pub(super) last: Option<(usize, usize)>,
    /// Whether a result was written, so that no further message joins.
    pub(super) answered: bool,
}

/// One waiting item. The first item of each message has that message's turns.
pub(super) struct Waits<'a, H: Host> {
    pub(super) item: Item<'a, H>,
    pub(super) turns: SmallVec<[At<'a, H>; 1]>,
    /// Whether the changed order was reported.
    pub(super) told: bool,
}
