//! Names the choices of tools.

/// A choice of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The model decides. If the target has no word for it, leaving the choice out means the same.
    Auto,
    /// At least one tool.
    Required,
    /// No tool.
    None,
    /// This tool.
    One,
}

impl Chosen {
    /// Every choice.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Required, Self::None, Self::One];

    /// Its name for readers.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Required => "required",
            Self::None => "none",
            Self::One => "named",
        }
    }
}
