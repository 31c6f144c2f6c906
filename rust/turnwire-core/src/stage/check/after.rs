//! Describes how a request changes what the previous one sent: reasoning that a model refuses, and bytes that a cache
//! has to read again.

use super::Finding;
use crate::{
    prefix::{Cause, Diff},
    report::{Edit, Path, Severity, notice::Notice},
};

const SENT_AS_IT_IS: &str = "Nothing is changed: a build sends what it is given.";

/// The result of `diff` as findings: the change, each block that became stale, and where a cache starts again.
#[must_use]
pub fn after(diff: &Diff) -> Vec<Finding> {
    let place = diff.path().cloned().unwrap_or_default();
    let finding = |code, severity, path: &Path, message: String| Finding {
        code,
        severity,
        path: path.clone(),
        id: None,
        message: message.into(),
        would: SENT_AS_IT_IS,
    };
    let mut findings = Vec::new();
    if diff.edit {
        let severity = if diff.stale.is_empty() { Severity::Warning } else { Severity::Error };
        let found = finding(code(diff.cause), severity, &place, diff.headline());
        findings.push(Finding { id: diff.id.clone(), ..found });
    }
    let before = diff.before.as_ref().map_or(&place, |before| before);
    findings.extend(diff.stale.iter().map(|path| {
        let message = format!("it is bound to what was before it, which differs from {before} of the last request on");
        finding(Edit::StaleReasoning.name(), Severity::Error, path, message)
    }));
    let goes_on = matches!(diff.cause, Cause::Equal | Cause::Append | Cause::Rewound | Cause::Compacted);
    if let (false, Some(anew)) = (goes_on, &diff.anew) {
        let (cached, total) = (diff.cached, diff.total);
        let message = format!("a cache can read {cached} of {total} bytes again, up to here: {}", diff.sentence());
        findings.push(finding(Notice::CacheBreak.name(), Severity::Warning, anew, message));
    }
    findings
}

/// The finding code of an edit.
fn code(cause: Cause) -> &'static str {
    match cause {
        Cause::SystemChanged
        | Cause::ToolsChanged
        | Cause::FormatChanged
        | Cause::ReasoningGap
        | Cause::ReasoningPutBack
        | Cause::ReasoningMoved
        | Cause::ReasoningChanged => cause.name(),
        _ => Notice::HistoryEdited.name(),
    }
}
