//! Says what stands for the content of a message that has only calls.

/// What stands for the content of a message that has only calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SilentCalls {
    /// `null`, or no key. The format's own text without a character stays, too.
    Null,
    /// An empty text.
    Empty,
    /// Nothing: there is no key.
    Absent,
}
