//! The caller's choice of the reasoning that is sent.

/// Which reasoning is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReasoningChoice {
    /// The reasoning that the provider which made it still accepts.
    #[default]
    Valid,
    /// All of the target's own, although something before it has changed.
    Keep,
    /// None.
    Drop,
    /// As `Valid`, and the readable text of all other reasoning as text.
    Text,
}

impl ReasoningChoice {
    /// Every choice, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Valid, Self::Keep, Self::Drop, Self::Text];

    /// The name of the choice.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Keep => "keep",
            Self::Drop => "drop",
            Self::Text => "text",
        }
    }

    /// The choice with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}
