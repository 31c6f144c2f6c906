//! Finds results without the id of their call for which it is not clear which call they answer.

use crate::{
    model::{Flaw, Turn},
    pairing::{Fate, Matching},
    report::{Error, Trail, error::Code},
    value::Host,
};

/// A turn that is such a result, in a format where results have an id.
pub(crate) static NO_CALL_ID: Flaw = Flaw::refused("a result must have the id of its call");

/// The index of the first turn whose result may answer several calls, or none.
pub(super) fn first<H: Host>(turns: &[Turn<H>]) -> Option<usize> {
    let lacks_id = |turn: &Turn<H>| turn.flaw.is_some_and(|flaw| std::ptr::eq(flaw, &raw const NO_CALL_ID));
    if !turns.iter().any(lacks_id) {
        return None;
    }
    let matching = Matching::of(turns.iter(), false);
    let unclear = matching.results.iter().filter(|result| result.fate == Fate::Orphan);
    unclear.map(|result| result.turn).find(|turn| lacks_id(&turns[*turn]))
}

/// The error for such a turn.
#[cold]
pub(super) fn error(at: &Trail<'_>) -> Error {
    let text = "expected the id of a call, got a result without one, and no call before it is open";
    Error::new(Code::MissingKey, text).at(at)
}
