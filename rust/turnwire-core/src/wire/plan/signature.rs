//! Finds Google's signature of a part, wherever its message has it.

use super::{
    Planner,
    carried::has_details,
    item::{Item, Said},
    part::Site,
    proof,
    signed::{self, Signatures},
};
use crate::{
    model::{Kind, Part, Turn},
    value::{Host, Text},
};

impl<'a, H: Host> Planner<'a, H> {
    /// Google's signature of a call or of a text, wherever the message has it.
    pub(super) fn signature(&mut self, turn: &'a Turn<H>, part: &Part<H>) -> Option<Text<H>> {
        if part.touched || !signed::signs(&self.target, turn) {
            return None;
        }
        // A gateway takes what names no call for the first call's.
        if has_details(&self.target) && matches!(part.kind, Kind::Text(_)) && turn.calls().next().is_some() {
            return None;
        }
        let found = signed::signature(turn, part).or_else(|| match &part.kind {
            Kind::Call(call) => {
                let found = self.in_details(turn).and_then(|found| found.of_call(turn, call)).map(Text::share);
                found.or_else(|| signed::in_id(turn, call))
            }
            Kind::Text(_) => self.in_details(turn).and_then(|found| found.of_text(turn, part)).map(Text::share),
            _ => None,
        });
        found.filter(|signature| proof::is_sound(&self.target, signature, turn.input.as_ref()))
    }

    /// Google's signature of a part, for a gateway that takes it as a detail of the message.
    pub(super) fn as_detail(
        &self,
        site: &Site<'_, 'a, H>,
        part: &'a Part<H>,
        signed: &Text<H>,
        to: &mut Vec<Item<'a, H>>,
    ) {
        let call = if let Kind::Call(call) = &part.kind { Some(&call.id) } else { None };
        let details = signed::as_details(signed.share(), call, site.turn.input.as_ref());
        to.push(self.made(site, part, Said::Listed(details)));
    }

    /// A call of the target's own format, with its signature where this server reads it.
    pub(super) fn resigned(
        &mut self,
        site: &Site<'_, 'a, H>,
        part: &'a Part<H>,
        item: Item<'a, H>,
        to: &mut Vec<Item<'a, H>>,
    ) -> Item<'a, H> {
        let Kind::Call(call) = &part.kind else { return item };
        let target = self.target;
        match signed::loose_signature(&target, site.turn, part, self.in_details(site.turn)) {
            Some(signature) if has_details(&self.target) => {
                self.as_detail(site, part, &signature, to);
                item
            }
            Some(signature) => Item { said: Said::Call(call), signature: Some(signature), ..item },
            None => item,
        }
    }

    /// Google's signatures among the details of a message, which are read once for all of its parts.
    fn in_details(&mut self, turn: &'a Turn<H>) -> Option<&Signatures<H>> {
        if has_details(&self.target) || turn.from.facts.carriers.keys.is_empty() {
            return None;
        }
        if !self.signatures.as_ref().is_some_and(|(known, _)| std::ptr::eq(*known, turn)) {
            self.signatures = Some((turn, Signatures::of(turn)));
        }
        self.signatures.as_ref().map(|(_, signatures)| signatures)
    }
}
