//! Finds where a request differs from the one before it.

use super::{seen::Seen, state::State};
use crate::report::provenance::Sources;

/// How many messages come before the caller's turn at an index.
pub(super) fn standing(seen: &Seen, index: usize) -> usize {
    let later = |sources: &Sources| sources.iter().any(|source| *source >= index);
    seen.sources().iter().position(later).unwrap_or(seen.sources().len())
}

/// The first of the caller's answered turns whose message differs from the last request.
pub(super) fn edit(state: &State, seen: &Seen) -> Option<usize> {
    let answered = state.newest_answer();
    let count = standing(seen, answered).min(state.messages.len());
    let common = state.messages[..count].iter().zip(seen.messages()).take_while(|(a, b)| a == b).count();
    (common < count).then(|| seen.index_of(common)).flatten().filter(|index| *index < answered)
}
