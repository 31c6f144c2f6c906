//! What a wire's replies say beside their turns, as data.

use super::{end::EndWords, failure::FailureRows, usage::UsageRule};
use crate::report::path::{Path, Step};

/// What a wire's replies say beside their turns. The words are its SDK's.
pub(crate) struct ResponseRule {
    /// What its ids of replies begin with.
    pub(crate) id: &'static str,
    /// Where the word for the end stands, with dots between the keys.
    pub(crate) end: &'static str,
    pub(crate) words: EndWords,
    pub(crate) usage: UsageRule,
    pub(crate) failures: FailureRows,
}

/// The path of keys and indices with dots between.
pub(crate) fn path(dots: &'static str) -> Path {
    let step = |word: &'static str| word.parse().map_or(Step::Key(word), Step::Index);
    Path::of(dots.split('.').filter(|word| !word.is_empty()).map(step))
}
