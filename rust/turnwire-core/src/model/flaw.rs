//! What a reader finds wrong with a wire value in its own format.

use crate::report::sentence;

/// It, and what servers do about it.
#[derive(Debug)]
pub struct Flaw {
    /// It, in a sentence.
    pub says: &'static str,
    /// What servers do about it.
    pub served: Served,
}

/// What the servers of a format do about a flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// They are known to refuse it.
    Refused,
    /// Some refuse it, or it is not known.
    Unsure,
    /// They are known to accept it.
    Taken,
    /// As they treat `null` in a key that they know.
    AsNull,
    /// As they treat keys that only replies have.
    AsReplyKey,
}

impl Served {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Refused, Self::Unsure, Self::Taken, Self::AsNull, Self::AsReplyKey];
}

impl Flaw {
    /// A flaw that servers refuse.
    pub(crate) const fn refused(says: &'static str) -> Self {
        Self { says, served: Served::Refused }
    }

    /// A flaw that some servers refuse.
    pub(crate) const fn unsure(says: &'static str) -> Self {
        Self { says, served: Served::Unsure }
    }

    /// A flaw that servers accept.
    pub(crate) const fn taken(says: &'static str) -> Self {
        Self { says, served: Served::Taken }
    }
}

macro_rules! refused {
    ($($(#[doc = $doc:literal])* $name:ident = $says:expr;)+) => {
        $($(#[doc = $doc])* pub(crate) static $name: Flaw = Flaw::refused($says);)+
    };
}

// Those of several formats. A format's own stand in its reader.
refused! {
    /// The flaw of an empty text beside calls. Only targets that refuse blank text refuse it.
    EMPTY_TEXT = sentence::BLANK_TEXT;
    CALLS_OF_OTHERS = sentence::ONLY_ASSISTANT_CALLS;
    NO_ARGUMENTS = "a call without the key of its arguments";
    NO_CHOICE = "the target does not know this choice of tools";
    NO_MEDIA_TYPE = "a file must say its media type";
    NO_OBJECT = "the arguments of a call are an object";
    NO_RESULT_NAME = "a result without the name of its tool";
    NO_TYPE = "a part must say of which type it is";
    /// The flaw of a result that says how far its tool is. It answers nothing.
    PROGRESS = sentence::PROGRESS;
    NO_TYPE_OF_CALL = "a part or call must say of which type it is";
    NO_TEXT_ONLY = "system text is text, and nothing else";
    WRONG_SIDE = "calls are the assistant's and results the user's";
}
