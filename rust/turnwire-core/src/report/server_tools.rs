//! The caller's choice for calls that another provider ran, and their results.

/// What becomes of calls that another provider ran, and of their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServerTools {
    /// They are left out.
    #[default]
    Drop,
    /// What is readable of them is written as the assistant's text.
    Text,
}

impl ServerTools {
    /// Every choice, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Drop, Self::Text];

    /// The name of the choice.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
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
