//! Warns of what a build leaves as it is, although a server refuses or does not know it: settings of a body, and content
//! that a model does not take.

mod by_model;

use super::inputs::Inputs;
use crate::{
    model::{Conversation, RestKey},
    report::{Change, ChangeKind, Edit, Options, Others, Receipt, Severity, loss::PLAIN},
    rules::Target,
    value::Host,
    wire::settings,
};

/// Adds these warnings to the receipt of a build. A setting that the build removes is told already.
pub(super) fn add<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>, receipt: &mut Receipt) {
    // No server reads the settings of a row.
    if inputs.rendering.row {
        return;
    }
    let is_told = |new: &Change| receipt.changes.iter().any(|old| old.path == new.path);
    let mut found: Vec<_> = refused(conversation, inputs).into_iter().filter(|new| !is_told(new)).collect();
    found.extend(foreign(conversation, inputs));
    found.extend(by_model::refused(conversation, inputs));
    receipt.changes.append(&mut found);
}

/// Settings of a body for its own wire that the wire's servers refuse.
fn refused<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Vec<Change> {
    let from = conversation.frame.settings_from();
    let target = inputs.target.unwrap_or(from);
    if !from.same_wire(target) {
        return Vec::new();
    }
    let Ok(limits) = target.limits() else { return Vec::new() };
    // They are converted, and told with the rest of the frame.
    if inputs.rendering.rest == Others::Convert && inputs.target.is_some() && !conversation.frame.order.is_empty() {
        return Vec::new();
    }
    let options = Options { model: inputs.model.map(Into::into), ..PLAIN.clone() };
    let target = Target { id: target, limits, options: &options };
    let warning = |refusal: settings::Refusal| {
        let severity = if refusal.is_recorded { Severity::Error } else { Severity::Warning };
        Change::told(ChangeKind::Warning, Edit::RefusedSetting, refusal.report.path, refusal.report.why)
            .graded(severity)
    };
    // A body that cannot be read has its own error.
    settings::refusals(&conversation.frame, target).unwrap_or_default().into_iter().map(warning).collect()
}

/// Settings of a body that would reach the target unchanged, although it does not know them or understands them
/// differently. A conversion of the whole body writes them in the target's words, and whoever writes them unchanged says so.
fn foreign<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Vec<Change> {
    let (frame, Some(target)) = (&conversation.frame, inputs.target) else { return Vec::new() };
    if inputs.rendering.rest != Others::Caller {
        return Vec::new();
    }
    let keys = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|one| !one.continues);
    let is_foreign =
        |one: &&RestKey<H>| !one.value.is_null(frame.input.as_ref()) && settings::is_foreign(frame, target, one);
    let warning = |one: &RestKey<H>| {
        let text = "the target does not have this setting, or it means something else there";
        Change::warning(Edit::ForeignSetting, one.path(frame.input.as_ref()), text)
    };
    keys.filter(is_foreign).map(warning).collect()
}
