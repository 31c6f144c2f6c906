//! Says what a target does with a result that says nothing.

use super::Limits;
use crate::value::{Host, Input, Text};

/// What happens to a failed result without a visible character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MuteError {
    /// It stays so: the format is only stored.
    Kept,
    /// A text says so where the result is written. The target's own is sent back unchanged.
    Told,
    /// A text says so, because the target refuses it.
    Refused,
}

impl Limits {
    /// Whether a text in a result counts as nothing. What failed must say something visible.
    #[must_use]
    pub(crate) fn is_nothing<H: Host>(&self, text: &Text<H>, failed: bool, input: Option<&Input>) -> bool {
        if failed && self.mute_error != MuteError::Kept { text.is_blank(input) } else { text.is_empty() }
    }
}
