//! Tells how a request changes what the previous one sent: reasoning that a model refuses, and bytes that a cache has to
//! read again.

use crate::{
    prefix::{Cause, Diff},
    report::{Change, ChangeCode, Edit, Path, Severity},
};

/// The result of `diff` as warnings: the change, each block that became stale, and where a cache starts again.
#[must_use]
pub fn after(diff: &Diff) -> Vec<Change> {
    let place = diff.path().cloned().unwrap_or_default();
    let warning =
        |code, severity, path: &Path, text: String| Change::warning(code, path.clone(), text).graded(severity);
    let mut found = Vec::new();
    if diff.edit {
        let severity = if diff.stale.is_empty() { Severity::Warning } else { Severity::Error };
        let edited = warning(Edit::HistoryEdited, severity, &place, diff.headline());
        found.push(Change { code: code(diff.cause), id: diff.id.clone(), ..edited });
    }
    let before = diff.before.as_ref().map_or(&place, |before| before);
    found.extend(diff.stale.iter().map(|path| {
        let text = format!("it is bound to what was before it, which differs from {before} of the last request on");
        warning(Edit::StaleReasoning, Severity::Error, path, text)
    }));
    let goes_on = matches!(diff.cause, Cause::Equal | Cause::Append | Cause::Rewound | Cause::Compacted);
    if let (false, Some(anew)) = (goes_on, &diff.anew) {
        let (cached, total) = (diff.cached, diff.total);
        let text = format!("a cache can read {cached} of {total} bytes again, up to here: {}", diff.sentence());
        found.push(warning(Edit::CacheBreak, Severity::Warning, anew, text));
    }
    found
}

/// The code of an edit.
fn code(cause: Cause) -> ChangeCode {
    match cause {
        Cause::SystemChanged
        | Cause::ToolsChanged
        | Cause::FormatChanged
        | Cause::ReasoningGap
        | Cause::ReasoningPutBack
        | Cause::ReasoningMoved
        | Cause::ReasoningChanged => ChangeCode::Diff(cause.name()),
        _ => Edit::HistoryEdited.into(),
    }
}
