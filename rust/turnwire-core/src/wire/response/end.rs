//! Maps turnwire's reasons for the end of a reply to each format's own words.

use crate::model::Finish;

/// A format's word for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndWord {
    /// Its own word.
    Says(&'static str),
    /// The nearest word. A loss reports it.
    Nearest(&'static str),
    /// No word, so that the reply becomes an error.
    Fails,
}

impl EndWord {
    /// The word, and whether it is only the nearest one. `None` if the reply becomes an error.
    pub(crate) fn word(self) -> Option<(&'static str, bool)> {
        match self {
            Self::Says(word) => Some((word, false)),
            Self::Nearest(word) => Some((word, true)),
            Self::Fails => None,
        }
    }
}

/// A format's words for all ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndWords {
    pub(crate) stop: EndWord,
    pub(crate) tool_calls: EndWord,
    pub(crate) length: EndWord,
    /// The end of a refusal. If its text cannot be marked as one, it counts as filtered.
    pub(crate) refusal: EndWord,
    pub(crate) filtered: EndWord,
    pub(crate) paused: EndWord,
    pub(crate) error: EndWord,
}

impl EndWords {
    /// The word for a reason. An unknown one is reported as a loss.
    pub(crate) fn of(&self, finish: Finish) -> EndWord {
        match finish {
            Finish::Stop => self.stop,
            Finish::ToolCalls => self.tool_calls,
            Finish::Length => self.length,
            Finish::Refusal => self.refusal,
            Finish::Filtered => self.filtered,
            Finish::Paused => self.paused,
            Finish::Error => self.error,
            Finish::Other => match self.stop {
                EndWord::Says(word) => EndWord::Nearest(word),
                other => other,
            },
        }
    }
}
