//! Declares the marks of the caller's that end the cached part of a prompt: which a format has, and where a target takes them.

use crate::{
    k,
    value::{Key, door::keys},
};

keys! {
    BREAKPOINT = "prompt_cache_breakpoint";
    CACHE_POINT = "cachePoint";
    MODE = "mode";
    EPHEMERAL = "ephemeral";
    DEFAULT = "default";
    EXPLICIT = "explicit";
    MINUTES = "5m";
    HALF_HOUR = "30m";
    HOUR = "1h";
    HALF_DAY = "12h";
}

/// A form of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkForm {
    /// Claude's, a key of what it ends. Gateways and some servers have it, too.
    Control,
    /// Converse's, a block behind what it ends.
    Point,
    /// OpenAI's, a key of what it ends. Models before GPT-5.6 do not know it.
    Breakpoint,
}

impl MarkForm {
    /// The key of a mark.
    pub(crate) fn key(self) -> &'static Key {
        match self {
            Self::Control => &k::CACHE_CONTROL,
            Self::Point => &CACHE_POINT,
            Self::Breakpoint => &BREAKPOINT,
        }
    }

    /// The key in a mark that says of which kind it is, and its only word.
    pub(crate) fn kind(self) -> (&'static Key, &'static Key) {
        match self {
            Self::Control => (&k::TYPE, &EPHEMERAL),
            Self::Point => (&k::TYPE, &DEFAULT),
            Self::Breakpoint => (&MODE, &EXPLICIT),
        }
    }

    /// The word for how long a mark may last.
    pub(crate) fn lifetime(self, is_it: impl Fn(&str) -> bool) -> Option<&'static Key> {
        let known: [&'static Key; 2] = match self {
            Self::Control | Self::Point => [&MINUTES, &HOUR],
            Self::Breakpoint => [&HALF_HOUR, &HALF_DAY],
        };
        known.into_iter().find(|word| is_it(word.name))
    }
}

/// Where a target takes marks of one form.
#[allow(clippy::struct_excessive_bools, reason = "each is a place of its own")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub(crate) form: MarkForm,
    /// Whether what the assistant says may have one.
    pub(crate) of_assistant: bool,
    /// Whether calls may.
    pub(crate) calls: bool,
    /// Whether definitions of tools may, and system text beside the list.
    pub(crate) beside: bool,
    /// Whether the assistant's messages and those of tools have it, not their parts.
    pub(crate) on_messages: bool,
    /// Whether a part of a result has it, not the result.
    pub(crate) in_results: bool,
}

impl Marks {
    /// Marks that may be anywhere.
    pub(crate) const fn anywhere(form: MarkForm) -> Self {
        Self { form, of_assistant: true, calls: true, beside: true, on_messages: false, in_results: false }
    }

    /// Marks that parts of a message may have, if the assistant does not say them, and those of results.
    pub(crate) const BREAKPOINTS: Self = Self {
        of_assistant: false,
        calls: false,
        beside: false,
        in_results: true,
        ..Self::anywhere(MarkForm::Breakpoint)
    };
}

/// The marks of a format.
pub(crate) struct MarkRule {
    /// The forms in which it has them.
    pub(crate) reads: &'static [MarkForm],
    /// Whether a whole message may have one, which is that of its last part.
    pub(crate) on_messages: bool,
}

/// How many marks a target takes.
pub(crate) const MOST: usize = 4;

impl MarkRule {
    /// For formats without marks.
    pub(crate) const NONE: Self = Self { reads: &[], on_messages: false };
}
