//! What is wrong at a place, the change that repairs it, and what the target's servers do about it.

use crate::{
    model::{Flaw, Served},
    report::{Severity, receipt::Change},
    rules::Limits,
};

/// Something that is wrong at a place.
#[derive(Clone, Copy)]
pub(super) struct Wrong {
    /// The change that repairs it.
    pub(super) code: Change,
    /// The reason, in a sentence.
    pub(super) why: &'static str,
    /// [`Severity::Info`] if the target accepts it: then it stays.
    pub(super) severity: Severity,
}

impl Wrong {
    /// With the severity of its code.
    pub(super) fn new(code: Change, why: &'static str) -> Self {
        Self { code, why, severity: code.severity() }
    }

    /// With the severity of a flaw.
    pub(super) fn flawed(code: Change, flaw: &Flaw, limits: &Limits) -> Self {
        Self { code, why: flaw.says, severity: of_flaw(flaw, limits) }
    }

    /// With another severity.
    pub(super) fn graded(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }
}

/// What the target's servers do about a flaw.
pub(super) fn of_flaw(flaw: &Flaw, limits: &Limits) -> Severity {
    match flaw.served {
        Served::Refused => Severity::Error,
        Served::Unsure => Severity::Warning,
        Served::Taken => Severity::Info,
        Served::AsNull => of_null(limits),
        Served::AsReplyKey => limits.reply_keys,
    }
}

/// What the target's servers do about `null` in a key that they know.
pub(super) fn of_null(limits: &Limits) -> Severity {
    // Where nobody knows which keys the servers accept, nobody knows this.
    if limits.reply_keys == Severity::Warning { Severity::Warning } else { Severity::Error }
}

/// Whether a build repairs it. What the target accepts stays as it came.
pub(super) fn is_repaired(severity: Severity) -> bool {
    severity > Severity::Info
}

/// Why a tool gets another name.
pub(super) const TOOL_NAME_REFUSED: &str = "the target refuses the name of this tool";
