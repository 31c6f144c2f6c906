//! Finds Google's signature of a part, wherever its message has it.

use super::{
    Planner,
    carried::{self, Signatures},
};
use crate::{
    model::{Call, Kind, Part, Turn},
    value::{Host, Text},
};

impl<'a, H: Host> Planner<'a, H> {
    /// Google's signature of a call or of a text, wherever the message has it.
    pub(super) fn signature(&mut self, turn: &'a Turn<H>, part: &Part<H>) -> Option<Text<H>> {
        if part.touched || !carried::signs(&self.target, turn) {
            return None;
        }
        // A gateway takes what names no call for the first call's.
        if self.target.limits.details && matches!(part.kind, Kind::Text(_)) && turn.calls().next().is_some() {
            return None;
        }
        let found = carried::signature(turn, part).or_else(|| match &part.kind {
            Kind::Call(call) => self.signature_in_details(turn, call).or_else(|| carried::in_id(turn, call)),
            _ => None,
        });
        found.filter(|signature| carried::is_sound(&self.target, signature, turn.input.as_ref()))
    }

    /// The signature of a call among the details of its message, which are read once for all calls.
    fn signature_in_details(&mut self, turn: &'a Turn<H>, call: &Call<H>) -> Option<Text<H>> {
        if self.target.limits.details || turn.from.facts.carriers.keys.is_empty() {
            return None;
        }
        if !self.signatures.as_ref().is_some_and(|(known, _)| std::ptr::eq(*known, turn)) {
            self.signatures = Some((turn, Signatures::of(turn)));
        }
        let (_, signatures) = self.signatures.as_ref()?;
        signatures.of_call(turn, call).map(Text::share)
    }
}
