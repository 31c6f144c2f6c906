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
}
