//! Defines signs: words of a payload that identify its format before it is read.
//!
//! A format lists the keys, roles and types that distinguish it from others. It knows the words that it lists. A word
//! in no list is not a sign. Detection looks for the formats that know every sign of an element. So a list may contain
//! anything that the format's parser takes, and must contain what its documentation shows.

/// Where a sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A key of a body.
    Body,
    /// A key of a tool's definition in a body.
    Tool,
    /// A key of a body's tool definition whose type is not `function`.
    ProviderTool,
    /// The role of the first element of a list, which decides only how that element is read.
    Head,
    /// A key of an element.
    Key,
    /// An element's role.
    Role,
    /// An element's type.
    Type,
    /// The form of an element's content: `text` or `list`.
    Content,
    /// The type of a block of content.
    Block,
    /// A key of a block without a type.
    Bare,
    /// A key or a form that other formats may also have, so it decides only what no other sign does. `signature`,
    /// `thought` and `thoughts` are forms of thinking. `thinking:` precedes a value of that setting, `choice:` a choice
    /// of tools, `tool:` the name of a gateway that owns a tool, `model:` the beginning of a model's name.
    Mark,
    /// A key of a body that is a setting of a request. The table of settings has the words of each format, so a format
    /// lists only those that its servers take beside these. It decides as a mark does.
    Setting,
    /// A key of a block of type `text`.
    Text,
    /// `source` if a block of type `image`, `audio`, `video` or `document` has it, or `value` if that key is in the
    /// source; `none` if one of the first three has its data elsewhere.
    Source,
    /// A key of a block of type `tool_result`.
    Result,
    /// A key of a call in a list of calls.
    Call,
    /// The form of a call's arguments in such a list: `text` or `object`.
    Args,
    /// Such a call, or the result of one in a message of its own, without an id: `call` or `result`, and `named` for a
    /// result with the name of its tool. It decides only between formats that know all of a list.
    NoId,
    /// A message whose parts all have no type: `part`. It decides as a mark does, and before the role.
    Untyped,
}

/// Known words by place, with blanks between them.
pub(crate) type Words = &'static [(Spot, &'static str)];

/// The words of a format: its own, and shared ones.
pub(crate) type Signs = &'static [Words];

/// The words that all chat endpoints share.
pub(crate) const SHARED: Words = &[
    (Spot::Body, "messages tools"),
    (Spot::Tool, "function"),
    (Spot::Head, "system"),
    (Spot::Role, "system user assistant tool"),
    (Spot::Call, "function"),
];
