//! Says what to report about a setting: whether it is lost or changed, where, and why.

use std::borrow::Cow;

use crate::report::{LossKind, Path};

/// One setting that was lost or changed.
pub(crate) struct Report {
    pub(crate) kind: LossKind,
    pub(crate) path: Path,
    pub(crate) reason: Cow<'static, str>,
}

/// What to report about a setting that is written.
pub(super) type Told = Option<(LossKind, Cow<'static, str>)>;

#[expect(clippy::unnecessary_wraps, reason = "it is what a writer tells, which may be nothing")]
pub(super) fn lost(reason: impl Into<Cow<'static, str>>) -> Told {
    Some((LossKind::Lost, reason.into()))
}

#[expect(clippy::unnecessary_wraps, reason = "it is what a writer tells, which may be nothing")]
pub(super) fn changed(reason: impl Into<Cow<'static, str>>) -> Told {
    Some((LossKind::Changed, reason.into()))
}
