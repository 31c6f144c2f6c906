//! What a caller chooses for a head that changes.

/// What happens when the head changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnChange {
    /// Changes are appended at the end if the target allows that. Otherwise they are a break.
    #[default]
    Append,
    /// The first head stays.
    Freeze,
    /// The new head is sent, which is a break.
    Break,
}

impl OnChange {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Append, Self::Freeze, Self::Break];

    /// The name of the option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::Freeze => "freeze",
            Self::Break => "break",
        }
    }
}
