//! The words that every door shares for a node of JSON: what it is, how deep it may lie, and what arguments are.

/// Containers nested deeper than this are refused, on every door.
pub const MAX_DEPTH: usize = 256;

/// What a node is, without looking into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array.
    List,
    /// An object.
    Map,
    /// Raw bytes of the host.
    Blob,
    /// Something of the host that is no JSON.
    Other,
}

impl NodeKind {
    /// Its name in an error message.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Map => "an object",
            Self::Blob => "bytes",
            Self::Other => "a foreign object",
        }
    }
}

/// What arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgsState {
    /// One JSON object; nothing at all counts as the empty one.
    Object,
    /// JSON of another type, or no JSON.
    Invalid,
    /// The beginning of a JSON object: the reply was cut.
    Incomplete,
}
