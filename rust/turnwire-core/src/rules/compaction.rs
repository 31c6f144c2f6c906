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
    /// What a request asks for it with; `None` where a request cannot.
    pub(crate) asked: Option<Asked>,
}

/// What asks for a compaction of all messages of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// An object of this type under a key of the body.
    Key(&'static str, &'static str),
    /// An object of this type at the end of the list under a key of the body.
    Last(&'static str, &'static str),
}
