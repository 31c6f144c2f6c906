//! What happens to reasoning after a change.

/// What happens to reasoning after a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// Signed reasoning after the first change of this build is left out if the model would refuse it.
    #[default]
    Valid,
    /// All reasoning is kept.
    Keep,
    /// All reasoning from the first changed turn on is left out.
    StripAfterChange,
}

impl Thinking {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Valid, Self::Keep, Self::StripAfterChange];

    /// The name of the option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Keep => "keep",
            Self::StripAfterChange => "strip_after_change",
        }
    }

    /// The option with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|option| option.name() == name)
    }
}
