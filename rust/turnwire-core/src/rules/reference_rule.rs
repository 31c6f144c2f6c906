//! Describes the places of a format that name a tool which the request must define.

/// Blocks that name a defined tool.
pub(crate) struct ReferenceRule {
    /// The type of such a block, in the content of a result.
    pub(crate) block: &'static str,
    /// Its key with the tool's name.
    pub(crate) name: &'static str,
    /// A block of the provider's with a list of them: its type, and the keys of the list, from the block inwards.
    pub(crate) listed: (&'static str, [&'static str; 2]),
    /// The type of an object with a definition that messages bring, and its key.
    pub(crate) brought: (&'static str, &'static str),
    /// The types of blocks that add or withdraw a tool of the request, with the type under their key and its name there.
    pub(crate) changes: ChangeRule,
    /// A word in the types of tools that stand for tools which the request does not name.
    pub(crate) unnamed: &'static str,
    /// A key of the request that does the same.
    pub(crate) server: &'static str,
}

/// Blocks that change which tools of the request the model sees.
pub(crate) struct ChangeRule {
    /// Their types.
    pub(crate) blocks: [&'static str; 2],
    /// The key of the tool.
    pub(crate) key: &'static str,
    /// The type of a tool that is named, and the key of its name.
    pub(crate) named: (&'static str, &'static str),
}
