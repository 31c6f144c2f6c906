//! Describes the block with which a provider replaces the older part of a long conversation.

/// A format's compaction block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompactionRule {
    /// The type of the block.
    pub(crate) kind: &'static str,
    /// The key of its summary; `None` where only the provider can read it.
    pub(crate) summary: Option<&'static str>,
    /// Whether it replaces the texts of users and the system, too.
    pub(crate) covers_users: bool,
    /// The key of a request that asks for it, and the type of the object there; `None` where a request cannot.
    pub(crate) asked: Option<(&'static str, &'static str)>,
}
