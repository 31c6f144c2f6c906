//! Where a target keeps system text.

/// Where system text is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemPlace {
    /// In messages, anywhere.
    Anywhere,
    /// In messages, but only before all others.
    First,
    /// In messages, before all others or right behind the user's.
    BehindUser,
    /// In one message before all others.
    One,
    /// In front of the user's first words.
    User,
    /// In a separate key, or in the first message.
    Head,
    /// In a separate key alone.
    Beside,
    /// In a separate key. Among the messages, only before the assistant's or at the end.
    Top,
    /// Nowhere.
    Nowhere,
}

impl SystemPlace {
    /// Whether new system text may be a message at the end of a list. Elsewhere it moves to the front.
    #[must_use]
    pub fn takes_later(self) -> bool {
        matches!(self, Self::Anywhere | Self::Top)
    }
}
