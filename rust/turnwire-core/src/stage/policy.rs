//! What the target allows and the caller chose, as the steps see it.

use super::inputs::Inputs;
use crate::{
    report::error::Error,
    rules::{dialect_id::DialectId, limits::Limits},
    value::handle::Host,
};

/// What the target allows and the caller chose, as the steps see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) limits: Option<&'static Limits>,
    pub(crate) target: Option<DialectId>,
    pub(crate) keep_open: bool,
    pub(crate) prefill: bool,
}

impl Policy {
    /// Nobody in particular.
    pub(crate) const NONE: Self = Self { limits: None, target: None, keep_open: false, prefill: false };

    pub(super) fn of<H: Host>(inputs: &Inputs<'_, H>) -> Result<Self, Error> {
        let limits = inputs.target.map(DialectId::limits).transpose()?;
        Ok(Self { limits, target: inputs.target, keep_open: inputs.keep_open, prefill: inputs.prefill })
    }

    /// Whether the target knows what only the dialect `from` knows. Without a target, a turn goes back where it came from.
    pub(crate) fn is_home(&self, from: DialectId) -> bool {
        self.target.is_none_or(|target| target.same_wire(from))
    }

    /// Whether the target gets the reasoning that came from `from`: nobody else can read it, but for another wire of the same
    /// family of models, if it is signed.
    pub(crate) fn replays_reasoning(&self, from: DialectId, signed: bool) -> bool {
        self.target.is_none_or(|target| target == from || signed && from.is_relative(target))
    }

    /// Whether an id that was made up for a turn without one will be written for the target.
    pub(crate) fn writes_made_up_ids(&self, from: DialectId) -> bool {
        let needed = self.limits.is_some_and(|limits| !limits.id.optional);
        needed && !self.target.is_some_and(|target| target.same_wire(from))
    }
}
