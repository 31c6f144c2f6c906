//! The texts that are written in the caller's name.

use crate::value::{NoHost, Text};

/// The texts that are written in your name. `None` leaves the usual text, or writes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wording<'a> {
    /// The user's text before an assistant that speaks first, if the target requires the user to begin. `None`: such a
    /// list is refused.
    pub opening: Option<&'a str>,
    /// The assistant's text between a result and the user's words, if the target refuses these right after it. `None`: such a
    /// list is refused.
    pub bridge: Option<&'a str>,
    /// A note as the user's text where the budget dropped exchanges. `None`: there is no note.
    pub omitted: Option<&'a str>,
    /// The text of a result that is made up for a call without one.
    pub missing_result: Option<&'a str>,
    /// What marks a cut in a result. `{bytes}` stands for the number of bytes that are left out.
    pub cut: Option<&'a str>,
}

/// The same texts in the form that a build takes.
pub(super) struct Texts {
    pub(super) opening: Option<Text<NoHost>>,
    pub(super) bridge: Option<Text<NoHost>>,
    pub(super) omitted: Option<Text<NoHost>>,
    pub(super) missing_result: Option<Text<NoHost>>,
}

impl Wording<'_> {
    pub(super) fn texts(&self) -> Texts {
        Texts {
            opening: self.opening.map(Text::own),
            bridge: self.bridge.map(Text::own),
            omitted: self.omitted.map(Text::own),
            missing_result: self.missing_result.map(Text::own),
        }
    }
}
