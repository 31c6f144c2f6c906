//! What is wrong at a place, the change that repairs it, and what the target's servers do about it.

use crate::{
    model::{Flaw, Served},
    report::{Edit, Severity},
    rules::Limits,
};

/// Something that is wrong at a place.
#[derive(Clone, Copy)]
pub(crate) struct Wrong {
    /// The change that repairs it.
    pub(crate) code: Edit,
    /// The reason, in a sentence.
    pub(crate) why: &'static str,
    /// [`Severity::Info`] if the target accepts it: then it stays.
    pub(crate) severity: Severity,
}

impl Wrong {
    /// With the severity of its code.
    pub(crate) fn new(code: Edit, why: &'static str) -> Self {
        Self { code, why, severity: code.severity() }
    }

    /// With the severity of a flaw.
    pub(crate) fn flawed(code: Edit, flaw: &Flaw, limits: &Limits) -> Self {
        Self { code, why: flaw.says, severity: of_flaw(flaw, limits) }
    }

    /// What some models of the target refuse.
    pub(crate) fn of_some(code: Edit, why: &'static str) -> Self {
        Self::new(code, why).graded(Severity::Warning)
    }

    /// With another severity.
    pub(crate) fn graded(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }
}

/// What the target's servers do about a flaw.
pub(crate) fn of_flaw(flaw: &Flaw, limits: &Limits) -> Severity {
    match flaw.served {
        Served::Refused => Severity::Error,
        Served::Unsure => Severity::Warning,
        Served::Taken => Severity::Info,
        Served::AsNull => of_null(limits),
        Served::AsReplyKey => of_reply_key(limits, true),
    }
}

/// What the target's servers do about `null` in a key that they know.
pub(crate) fn of_null(limits: &Limits) -> Severity {
    // Where nobody knows which keys the servers accept, nobody knows this.
    if limits.reply_keys == Severity::Warning { Severity::Warning } else { Severity::Error }
}

/// What the target's servers do about a key that only replies have. `echoed`: whether people send it back with a reply.
pub(crate) fn of_reply_key(limits: &Limits, echoed: bool) -> Severity {
    if echoed { limits.reply_keys } else { limits.reply_keys.max(Severity::Warning) }
}

/// Whether a build repairs it. What the target accepts stays as it came.
pub(crate) fn is_repaired(severity: Severity) -> bool {
    severity > Severity::Info
}
