//! Says what a decision about a part knows of its turn.

use crate::{
    model::{Role, Turn},
    rules::DialectId,
    value::{Host, Input},
};

/// What a turn says about a part in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    /// The dialect of the turn.
    pub(crate) from: DialectId,
    /// The speaker.
    pub(crate) role: Role,
    /// The input that its spans point into.
    pub(crate) input: Option<&'a Input>,
}

impl<'a> Scope<'a> {
    /// The scope of a turn.
    #[inline]
    pub(crate) fn of<H: Host>(turn: &'a Turn<H>) -> Self {
        Self { from: turn.from, role: turn.role, input: turn.input.as_ref() }
    }
}
