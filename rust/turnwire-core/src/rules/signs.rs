//! Signs: what can be seen of a payload before anybody reads it.
//!
//! A format lists the keys, roles and types by which it can be told from another. Whoever lists a word knows it; a word that
//! nobody lists is no sign. Detection asks for all who know every sign of an element, so a list may be generous with what a
//! format's parser takes, but never lacks what its documentation shows.

/// Where a sign is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A key of a body.
    Body,
    /// A key of a tool's definition in a body.
    Tool,
    /// A key of such a tool where it has a type that is no function's.
    ProviderTool,
    /// The role of the first element of a list: it only settles how that one is read.
    Head,
    /// A key of an element.
    Key,
    /// An element's role.
    Role,
    /// An element's type.
    Type,
    /// What the content of an element is: `text` or `list`.
    Content,
    /// The type of a block of content.
    Block,
    /// A key of a block without a type.
    Bare,
    /// A key of a block of any type, which others take along, too, or a form that others may have: it only settles what no
    /// other sign does. `signature`, `thought` and `thoughts` are forms of thinking, `choice:` is before a choice of tools, `tool:` before the
    /// name of a gateway whose tool it is.
    Mark,
    /// A key of a block of type `text`.
    Text,
    /// A key of a block of type `tool_result`.
    Result,
    /// A key of a call in a list of calls.
    Call,
    /// What the arguments of such a call are: `text` or `object`.
    Args,
}

/// Words that somebody knows, by where they are seen, with blanks between them.
pub(crate) type Words = &'static [(Spot, &'static str)];

/// What a format knows: words of its own, and those that it shares.
pub(crate) type Signs = &'static [Words];

/// What every chat endpoint took over from the first.
pub(crate) const SHARED: Words = &[
    (Spot::Body, "messages tools"),
    (Spot::Tool, "function"),
    (Spot::Head, "system"),
    (Spot::Role, "system user assistant tool"),
    (Spot::Call, "function"),
];
