//! Says whether the assistant may have the first and the last word.

/// Whether an assistant turn may be first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstWord {
    /// Any turn may be first.
    Anybody,
    /// The assistant's may not.
    NotAssistant,
    /// The assistant's may if system text is before it, or if it calls no tools and a turn follows.
    Followed,
}

/// Whether an assistant turn may be last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastWord {
    /// Any turn may be last.
    Anybody,
    /// The assistant's may not.
    NotAssistant,
    /// The assistant's may not, unless it ends in a provider-run call or its result, after which the model continues.
    OnServer,
    /// The assistant's may not, unless this key is true, so that the model continues it. In no other turn may the key
    /// be true.
    Marked(&'static str),
}
