//! What a provider makes of a long conversation: a block that stands for what was said before it.

/// A format's block of this kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompactionRule {
    /// The type of the block.
    pub(crate) kind: &'static str,
    /// The key of its summary; `None` where only the provider can read it.
    pub(crate) summary: Option<&'static str>,
    /// Whether it stands for what users and the system said before it, too.
    pub(crate) covers_users: bool,
}
