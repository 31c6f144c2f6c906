//! Checks a conversation: runs a build, reports what it changed or refused, and discards the result.

mod after;
mod by_model;

use std::borrow::Cow;

pub use self::after::after;
use super::{draft::Draft, inputs::Inputs};
use crate::{
    model::{Conversation, RestKey},
    report::{Entry, Path, Severity, notice::Notice, sentence},
    value::Host,
    wire::settings,
};

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its stable code: that of a change, a notice, an error, or a diff.
    pub code: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// Its place in the caller's payload.
    pub path: Path,
    /// The id of the call concerned.
    pub id: Option<String>,
    /// The problem, in a sentence.
    pub message: Cow<'static, str>,
    /// What a build would do about it, as a sentence.
    pub would: &'static str,
}

/// Everything that a build would change, warn of or refuse, in that order. Turns before a provider's compaction are
/// checked too, because they are sent if there is no build.
pub fn check<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Vec<Finding> {
    let mut draft = Draft::of(conversation);
    let outcome = super::repair(&mut draft, inputs);
    // A setting that a build removes is one finding.
    let removed: Vec<_> = draft.receipt.entries.iter().map(|entry| entry.path.clone()).collect();
    let refused = refused(conversation, inputs).into_iter().filter(|finding| !removed.contains(&finding.path));
    let refused: Vec<_> = refused.collect();
    let taken = draft.taken.into_iter().map(|entry| found(entry, STAYS));
    let changes = draft.receipt.entries.into_iter().map(|entry| {
        let would = entry.code.meaning();
        found(entry, would)
    });
    let warnings = draft.receipt.warnings.into_iter().map(|warning| Finding {
        code: warning.code.name(),
        // Content that no dialect understands is lost with every target.
        severity: if warning.code == Notice::WrongDialect { Severity::Error } else { Severity::Warning },
        path: warning.path,
        id: None,
        message: warning.text,
        would: "Nothing is changed; a warning is logged.",
    });
    let refusal = outcome.err().map(|error| Finding {
        code: error.code().name(),
        severity: Severity::Error,
        path: error.path().clone(),
        id: None,
        message: error.text().to_owned().into(),
        would: "The build raises this as an error.",
    });
    let of_settings = foreign(conversation, inputs).into_iter().chain(refused);
    let of_content = by_model::refused(conversation, inputs);
    changes.chain(taken).chain(warnings).chain(of_settings).chain(of_content).chain(refusal).collect()
}

/// What a build does about something that the target accepts.
const STAYS: &str = "Nothing is changed, because the target accepts it.";

fn found(entry: Entry, would: &'static str) -> Finding {
    Finding {
        code: entry.code.name(),
        severity: entry.severity,
        path: entry.path,
        id: entry.id,
        message: sentence::would(entry.text),
        would,
    }
}

/// Settings of a body for its own wire that the wire's servers refuse. No server reads those of a row.
fn refused<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Vec<Finding> {
    let from = conversation.frame.settings_from();
    let target = inputs.target.unwrap_or(from);
    if inputs.rendering.row || !from.same_wire(target) {
        return Vec::new();
    }
    let finding = |refusal: settings::Refusal| Finding {
        code: Notice::RefusedSetting.name(),
        severity: if refusal.is_recorded { Severity::Error } else { Severity::Warning },
        path: refusal.report.path,
        id: None,
        message: refusal.report.reason,
        would: "Nothing is changed: a body that stays with its provider keeps its settings.",
    };
    // A body that cannot be read has its own error.
    settings::refusals(&conversation.frame, target).unwrap_or_default().into_iter().map(finding).collect()
}

/// Settings of a body that would reach the target unchanged, although it does not know them or understands them
/// differently. No server reads those of a row.
fn foreign<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Vec<Finding> {
    if inputs.rendering.row {
        return Vec::new();
    }
    let (frame, Some(target)) = (&conversation.frame, inputs.target) else { return Vec::new() };
    let keys = frame.rest.iter().flat_map(|rest| &rest.keys).filter(|one| !one.continues);
    let is_foreign =
        |one: &&RestKey<H>| !one.value.is_null(frame.input.as_ref()) && settings::is_foreign(frame, target, one);
    let finding = |one: &RestKey<H>| Finding {
        code: Notice::ForeignSetting.name(),
        severity: Severity::Warning,
        path: one.path(frame.input.as_ref()),
        id: None,
        message: "the target does not have this setting, or it means something else there".into(),
        would: "It is left to the caller; a conversion of the whole body says it in the target's words.",
    };
    keys.filter(is_foreign).map(finding).collect()
}
