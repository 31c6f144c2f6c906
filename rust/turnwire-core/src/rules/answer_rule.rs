//! Describes a format's items that ask the client for something, and the items that answer them.

/// An item that asks the client, and the item that answers it.
pub(crate) struct AnswerRule {
    /// The type of the item that asks.
    pub(crate) call: &'static str,
    /// The type of the item that answers.
    pub(crate) result: &'static str,
    /// How an answer names its call: a key of the answer, and the key of the call with the same value. The first pair
    /// that fits counts.
    pub(crate) names: &'static [(&'static str, &'static str)],
    /// Where a value says that the provider answers by itself: the keys from the item inwards, and the value.
    pub(crate) hosted: Option<(&'static [&'static str], &'static str)>,
    /// What happens to an item without an answer.
    pub(crate) open: Open,
}

/// What happens to an item without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// It may stay open.
    Stays,
    /// It is left out, because nothing true can stand for its answer.
    Goes,
    /// It gets an answer of this type, with its `call_id` and these members. `$` is the text of a missing result, in quotes.
    Answered(&'static str, &'static str),
}
