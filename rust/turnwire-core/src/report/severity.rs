//! How serious a change is: whether the target refuses what was given.

/// The severity of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The caller asked for it, or the target accepts the original as well.
    Info,
    /// Something was left out or shortened, or some servers of the target refuse the original.
    Warning,
    /// The target is known to refuse the original.
    Error,
}

impl Severity {
    /// All severities.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Error];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
