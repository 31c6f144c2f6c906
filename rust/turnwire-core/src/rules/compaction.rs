//! Describes the block with which a provider replaces the older part of a long conversation.

/// A format's compaction block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompactionRule {
    /// The type of the block.
    pub(crate) kind: &'static str,
    /// The key of its summary. `None` if only the provider can read it.
    pub(crate) summary: Option<&'static str>,
    /// Whether it also replaces the texts of users and the system.
    pub(crate) covers_users: bool,
    /// How a request asks for it. `None` if no request can.
    pub(crate) asked: Option<Asked>,
}

/// How a request asks for a compaction of all of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// An object of this type under a key of the body.
    Key(&'static str, &'static str),
    /// An object of this type at the end of the list under a key of the body.
    Last(&'static str, &'static str),
}
