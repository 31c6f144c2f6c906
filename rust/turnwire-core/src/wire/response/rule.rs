//! Describes a wire's replies beside their turns, as data.

use super::{end::EndWords, failure::FailureRows, usage::UsageRule};

/// A wire's replies beside their turns. The words are those of its SDK.
pub(crate) struct ResponseRule {
    /// The prefix of its reply ids.
    pub(crate) id: &'static str,
    /// The key of the finish reason.
    pub(crate) end: &'static str,
    /// The keys of a reply and of its choice that are read, or can be ignored.
    pub(crate) known: &'static str,
    /// Whether all texts of a message are one.
    pub(crate) one_text: bool,
    pub(crate) words: EndWords,
    pub(crate) usage: UsageRule,
    pub(crate) failures: FailureRows,
}
