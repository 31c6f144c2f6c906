//! Declares how the list of a format says that settings change from there on.

/// The form of such a change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum UpdateForm {
    /// An item of this type.
    Item(&'static str),
    /// A key of a system message, which may be without text.
    Key(&'static str),
    /// A provider's option of a system message without text, which is a part of this type.
    Option(&'static str),
}

/// How a format says it.
#[derive(Debug)]
pub(crate) struct UpdateRule {
    pub(crate) form: UpdateForm,
    /// The profiles that take it. Each profile of the format reads it.
    pub(crate) profiles: &'static [&'static str],
    /// The keys, from the outside inwards, under which the effort is.
    pub(crate) effort: &'static [&'static str],
    /// The lowest effort that it has a word for. Empty if it has all of them.
    pub(crate) lowest: &'static str,
    /// The key of system text that says until when it is shown. Empty if there is none.
    pub(crate) until: &'static str,
    /// Whether two of them side by side are refused.
    pub(crate) alone: bool,
    /// Whether the first of the list stands behind the user's first turn.
    pub(crate) behind_user: bool,
}

impl UpdateRule {
    /// Its word for an effort, by OpenAI's words.
    pub(crate) fn word<'w>(&self, word: &'w str) -> Option<&'w str> {
        match word {
            "none" if !self.lowest.is_empty() => None,
            "minimal" if !self.lowest.is_empty() => Some(self.lowest),
            known => Some(known),
        }
    }
}
