//! Describes a format's items that ask the client for something, and the items that answer them.

/// An item that asks, and the item that answers it.
pub(crate) struct AnswerRule {
    /// The type of the item that asks.
    pub(crate) call: &'static str,
    /// The type of the item that answers.
    pub(crate) result: &'static str,
    /// The key by which an answer names its item.
    pub(crate) name: &'static str,
    /// The key of the item with that name.
    pub(crate) id: &'static str,
    /// Whether it may stay open, because the client answers it. Nobody can make up what the provider answers.
    pub(crate) may_wait: bool,
}
