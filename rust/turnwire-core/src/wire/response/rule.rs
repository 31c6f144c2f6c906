//! Describes how a format's replies are written around their turns, as data.

use super::{end::EndWords, failure::FailureRows, usage::UsageRule};

/// How the texts of a reply are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// In their original order.
    Free,
    /// In their original order, each in a separate message, followed by its calls.
    Apart,
    /// All are joined into one.
    One,
}

/// How a format's replies are written around their turns. The words are those of its SDK.
pub(crate) struct ResponseRule {
    /// The prefix of its reply ids.
    pub(crate) id: &'static str,
    /// The key of the finish reason.
    pub(crate) end: &'static str,
    /// The keys of a reply and of its choice that are read or can be ignored.
    pub(crate) known: &'static str,
    pub(crate) texts: Texts,
    /// Whether a reply may hold the results of calls that its server has run.
    pub(crate) answers: bool,
    pub(crate) words: EndWords,
    pub(crate) usage: UsageRule,
    pub(crate) failures: FailureRows,
}
