//! Says what to report about a setting: whether it is lost, added or changed, where, and why.

use crate::report::{ChangeKind, Path, Why};

/// One setting that was lost, added or changed.
pub(crate) struct Report {
    pub(crate) kind: ChangeKind,
    pub(crate) path: Path,
    pub(crate) why: Why,
}

/// What to report about a setting that is written.
pub(super) type Told = Option<(ChangeKind, Why)>;

#[expect(clippy::unnecessary_wraps, reason = "it is what a writer tells, which may be nothing")]
pub(super) fn lost(why: impl Into<Why>) -> Told {
    Some((ChangeKind::Lost, why.into()))
}

#[expect(clippy::unnecessary_wraps, reason = "it is what a writer tells, which may be nothing")]
pub(super) fn added(why: impl Into<Why>) -> Told {
    Some((ChangeKind::Added, why.into()))
}

#[expect(clippy::unnecessary_wraps, reason = "it is what a writer tells, which may be nothing")]
pub(super) fn changed(why: impl Into<Why>) -> Told {
    Some((ChangeKind::Restated, why.into()))
}
