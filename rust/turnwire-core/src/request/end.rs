//! How a list of messages may end.

/// How a list of messages may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum End {
    /// The provider answers next, so every call needs its result.
    #[default]
    Request,
    /// You run the calls of the last turn next, so they stay without results.
    Calls,
    /// The provider continues the last assistant turn.
    Prefill,
    /// It is a row of training data, which no server reads. It may end with the assistant and with open calls.
    Row,
}

impl End {
    /// Every word, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Request, Self::Calls, Self::Prefill, Self::Row];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Calls => "calls",
            Self::Prefill => "prefill",
            Self::Row => "row",
        }
    }

    /// The word with this name.
    ///
    /// ```
    /// use turnwire_core::End;
    ///
    /// assert_eq!(End::from_name("calls"), Some(End::Calls));
    /// assert_eq!(End::from_name("soon"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|end| end.name() == name)
    }

    /// Whether calls of the last turn stay open. A row may end with the assistant, so its last calls may be open, too.
    pub(super) fn keeps_open(self) -> bool {
        matches!(self, Self::Calls | Self::Row)
    }
}
