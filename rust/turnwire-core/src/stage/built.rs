//! The result of a build.

use crate::{model::Conversation, report::Receipt, value::Host};

/// The result of a build.
#[derive(Debug)]
pub struct Built<H: Host> {
    /// The turns to send.
    pub conversation: Conversation<H>,
    /// The changes.
    pub receipt: Receipt,
    /// The indices of the given turns that the budget shortened or dropped, and whether nothing of them is left.
    pub dropped: Vec<(usize, bool)>,
}

impl<H: Host> Built<H> {
    /// The result of a build without a budget.
    pub fn new(conversation: Conversation<H>, receipt: Receipt) -> Self {
        Self { conversation, receipt, dropped: Vec::new() }
    }
}
