//! Which roles must send one text instead of a list of parts.

/// Which roles must send one text instead of a list of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneText {
    /// None.
    Nobody,
    /// The assistant and tools.
    Replies,
    /// All but the user.
    AllButUser,
    /// Everybody. A list with media stays a list.
    All,
}

/// Whose texts a format writes as one, with a line break between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinedTexts {
    /// Nobody's.
    Nobody,
    /// System texts.
    System,
    /// System texts, and those of an assistant's message.
    SystemAndAssistant,
    /// Everybody's.
    Everybody,
}
