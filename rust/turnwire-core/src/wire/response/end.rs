//! The word for why a reply ended: a closed map from turnwire's words to those of each wire.

use crate::model::reply::Finish;

/// What a wire has for an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndWord {
    /// Its own word.
    Says(&'static str),
    /// The nearest of its words: a loss tells of it.
    Nearest(&'static str),
    /// None: the reply is an error.
    Fails,
}

impl EndWord {
    /// The word, and whether it says less than the end does; `None` where the reply is an error.
    pub(crate) fn word(self) -> Option<(&'static str, bool)> {
        match self {
            Self::Says(word) => Some((word, false)),
            Self::Nearest(word) => Some((word, true)),
            Self::Fails => None,
        }
    }
}

/// A wire's words for all ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndWords {
    pub(crate) stop: EndWord,
    pub(crate) tool_calls: EndWord,
    pub(crate) length: EndWord,
    /// Where the words of the refusal have no place, it ends as what was filtered.
    pub(crate) refusal: EndWord,
    pub(crate) filtered: EndWord,
    pub(crate) paused: EndWord,
    pub(crate) error: EndWord,
}

impl EndWords {
    /// The word for an end. Of one that nobody knows, a loss tells.
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
