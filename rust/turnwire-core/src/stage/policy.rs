//! The target's rules and the caller's choices, as the steps see them.

use super::inputs::Inputs;
use crate::{
    model::{Kind, Part, Turn},
    pairing::links::waits,
    report::{Error, Options, PLAIN},
    rules::{DialectId, IdRule, Limits, Target},
    value::Host,
};

/// The target's rules and the caller's choices, as the steps see them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy<'a> {
    pub(crate) limits: Option<&'static Limits>,
    pub(crate) target: Option<DialectId>,
    pub(crate) keep_open: bool,
    pub(crate) prefill: bool,
    pub(crate) rendering: &'a Options,
}

impl<'a> Policy<'a> {
    /// The policy without a target.
    pub(crate) fn none() -> Self {
        Self { limits: None, target: None, keep_open: false, prefill: false, rendering: &PLAIN }
    }

    pub(super) fn of<H: Host>(inputs: &Inputs<'a, H>) -> Result<Self, Error> {
        let limits = inputs.target.map(DialectId::limits).transpose()?;
        let Inputs { target, keep_open, prefill, rendering, .. } = *inputs;
        Ok(Self { limits, target, keep_open, prefill, rendering })
    }

    /// What the result is written for. `None` without a target.
    #[inline]
    pub(crate) fn written_for(&self) -> Option<Target<'a>> {
        Some(Target { id: self.target?, limits: self.limits?, options: self.rendering })
    }

    /// Whether the target knows content that only the dialect `from` knows. Without a target, a turn returns to its own
    /// dialect.
    #[inline]
    pub(crate) fn is_home(&self, from: DialectId) -> bool {
        self.target.is_none_or(|target| target.same_wire(from))
    }

    /// Whether the target can read reasoning from `from`: its own, or signed reasoning in another format of the same
    /// family of models.
    pub(crate) fn replays_reasoning(&self, from: DialectId, signed: bool) -> bool {
        self.target.is_none_or(|target| from.reasons_as(target, signed) || signed && from.is_relative(target))
    }

    /// Whether the result of a call may come in a later request, behind what others say.
    pub(crate) fn may_wait<H: Host>(&self, turn: &Turn<H>, part: &Part<H>) -> bool {
        matches!(part.kind, Kind::Call(_)) && self.is_home(turn.from) && waits(turn, part)
    }

    /// The form of ids.
    pub(crate) fn id_rule(&self) -> IdRule {
        self.written_for().map_or(IdRule::ANY, |target| target.id_rule())
    }

    /// Whether the made-up id of a call from `from` will be written for the target.
    pub(crate) fn writes_made_up_ids<H: Host>(&self, from: DialectId, call: &Part<H>) -> bool {
        let needed = self.limits.is_some_and(Limits::needs_ids);
        needed && !(self.target.is_some_and(|target| target.same_wire(from)) && call.has_no_id_at_home())
    }
}
