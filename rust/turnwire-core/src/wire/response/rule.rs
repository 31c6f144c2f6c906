//! What a wire's replies say beside their turns, as data.

use super::{end::EndWords, failure::FailureRows, usage::UsageRule};

/// What a wire's replies say beside their turns. The words are its SDK's.
pub(crate) struct ResponseRule {
    /// What its ids of replies begin with.
    pub(crate) id: &'static str,
    /// Where the word for the end stands.
    pub(crate) end: &'static str,
    /// The keys of a reply, and of its choice, that are read, or say nothing of what was said.
    pub(crate) known: &'static str,
    /// Whether all texts of a message are one.
    pub(crate) one_text: bool,
    pub(crate) words: EndWords,
    pub(crate) usage: UsageRule,
    pub(crate) failures: FailureRows,
}
