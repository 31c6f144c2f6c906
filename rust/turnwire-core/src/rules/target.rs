//! Describes what a payload is written for: a dialect, its limits, and the caller's options.

use super::{
    bound,
    dialect_id::DialectId,
    family::Family,
    limits::{IdRule, Limits},
    mark_rule::{MarkForm, Marks},
};
use crate::report::Options;

/// What a payload is written for.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) id: DialectId,
    pub(crate) limits: &'a Limits,
    pub(crate) options: &'a Options,
}

impl DialectId {
    /// Where it takes marks of the caller's.
    pub(crate) fn marks(self) -> Option<Marks> {
        self.limits().ok()?.marks
    }
}

impl Target<'_> {
    /// The form of ids, which may depend on the model.
    pub(crate) fn id_rule(&self) -> IdRule {
        let IdRule { once, .. } = self.limits.id;
        let nine = (self.limits.nine)(self.options.model.as_deref());
        if nine { IdRule { once, ..IdRule::NINE } } else { self.limits.id }
    }

    /// Whether system text that stands beside the source's list may have one: it is written there, or into the list.
    pub(crate) fn marks_system(&self, marks: Marks) -> bool {
        marks.beside || !self.id.keeps_system_beside()
    }

    /// The family of the model that the request is for.
    pub(crate) fn family(&self) -> Family {
        let family = self.limits.family;
        if self.options.model.as_deref().is_none_or(|model| family.has(model)) { family } else { Family::Any }
    }

    /// Whether it is another format than this one, for a model of the same family.
    pub(crate) fn is_relative(&self, from: DialectId) -> bool {
        self.family() != Family::Any && from.is_relative(self.id)
    }

    /// Where it takes marks that came in this form. A model that may not know its marks gets none made of others.
    pub(crate) fn marks_of(&self, form: MarkForm) -> Option<Marks> {
        if self.id.facts.options.is_some() {
            // It has those of every provider.
            return Some(Marks::anywhere(form));
        }
        let model = self.options.model.as_deref();
        let knows =
            |marks: &Marks| marks.form != MarkForm::Breakpoint || marks.form == form || bound::has_breakpoints(model);
        self.id.marks().filter(knows)
    }
}
