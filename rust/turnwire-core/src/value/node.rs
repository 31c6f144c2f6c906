//! What all doors share about a node of JSON: its kind, how deep it may be nested, and the states of arguments.

/// Containers nested deeper than this are refused at every door.
pub const MAX_DEPTH: usize = 256;

/// The kind of a node, known without reading its content.
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
    /// A host's value that is not JSON.
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

/// The state of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgsState {
    /// One JSON object. Empty text counts as an empty object.
    Object,
    /// JSON of another type, or not JSON.
    Invalid,
    /// The beginning of a JSON object, because the reply was cut off.
    Incomplete,
}
