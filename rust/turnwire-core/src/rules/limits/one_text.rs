//! Which roles must send one text instead of a list of parts.

use crate::model::turn::Role;

/// Which roles must send one text instead of a list of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneText {
    /// None.
    Nobody,
    /// The assistant and tools.
    Replies,
    /// All but the user.
    AllButUser,
}

impl OneText {
    /// Whether this role must.
    #[must_use]
    pub fn is_for(self, role: Role) -> bool {
        match self {
            Self::Nobody => false,
            Self::Replies => matches!(role, Role::Assistant | Role::Tool),
            Self::AllButUser => role != Role::User,
        }
    }
}
