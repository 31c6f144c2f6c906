//! Describes calls of tools that a format shows to the model only after a search.

/// What a call of such a tool must say.
pub(crate) struct DeferredRule {
    /// The key of a definition that hides its tool.
    pub(crate) flag: &'static str,
    /// An item that shows more tools: its type, and its key with their definitions.
    pub(crate) shown: (&'static str, &'static str),
    /// An item that adds tools without a search.
    pub(crate) added: &'static str,
    /// The key of a call that says where its tool is: for a tool of the request, the tool's own name.
    pub(crate) place: &'static str,
}
