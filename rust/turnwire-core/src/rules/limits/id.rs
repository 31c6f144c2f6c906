//! Which ids calls and messages have.

use super::Alphabet;
use crate::{
    report::Severity,
    rules::tool_name::{characters, fits},
};

/// The form of an id.
#[derive(Clone, Copy, Debug)]
pub struct IdRule {
    /// The largest number of characters.
    pub max: usize,
    /// The exact number of characters, if the target requires one.
    pub exact: Option<usize>,
    /// The allowed bytes.
    pub alphabet: &'static Alphabet,
    /// Whether an id may be missing.
    pub optional: bool,
    /// Which calls may not share one.
    pub once: Once,
    /// What the servers do about an id of another form. They refuse an empty one.
    pub form: Severity,
}

/// Among which calls an id must be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    /// It may repeat.
    Free,
    /// It is unique among parallel calls, whose results could not be distinguished otherwise.
    InStep,
    /// It is unique in the whole conversation.
    InPayload,
}

/// Which messages have an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageId {
    /// No message.
    NoMessage,
    /// The assistant's messages.
    Assistant,
    /// All messages.
    EveryMessage,
    /// Messages of the target's own format only, because no other id has its form.
    Own,
    /// All messages, in an entity around the message.
    Entity,
}

impl IdRule {
    /// Any text.
    pub const ANY: Self = Self {
        max: usize::MAX,
        exact: None,
        alphabet: Alphabet::ANY,
        optional: false,
        once: Once::Free,
        form: Severity::Error,
    };

    /// Ids of exactly nine letters and digits, as Mistral's models write them.
    pub const NINE: Self =
        Self { max: 9, exact: Some(9), alphabet: Alphabet::ALPHANUMERIC, once: Once::InStep, ..Self::ANY };

    /// Whether `id` is allowed.
    #[must_use]
    #[inline]
    pub fn allows(&self, id: &[u8]) -> bool {
        if id.is_empty() {
            return self.optional;
        }
        let long_enough = self.exact.is_none_or(|exact| characters(id) == exact);
        long_enough && fits(id, self.max) && self.alphabet.has_all(id)
    }
}
