//! Describes how a format's replies are written around their turns, as data.

use super::{
    end::EndWords,
    failure::{FailureRows, TooLongWords},
    passed::ReplyKeys,
    usage::UsageRule,
};
use crate::value::{Key, Source, Text};

/// OpenAI's words for the tier that a request was served at. Its SDK refuses others.
const TIERS: &[(&str, ())] =
    &[("auto", ()), ("default", ()), ("flex", ()), ("scale", ()), ("priority", ()), ("fast", ()), ("ultrafast", ())];

/// How the texts of a reply are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// In their original order.
    Free,
    /// In their original order, each in a separate message, followed by its calls.
    Apart,
    /// All are joined into one.
    One,
}

/// How a format's replies are written around their turns. The words are those of its SDK.
pub(crate) struct ResponseRule {
    /// The prefix of its reply ids.
    pub(crate) id: &'static str,
    /// The key of the finish reason.
    pub(crate) end: &'static str,
    /// The keys of a reply and of its choice that need no word.
    pub(crate) keys: ReplyKeys,
    pub(crate) texts: Texts,
    /// Whether a reply may hold the results of calls that its server has run.
    pub(crate) answers: bool,
    pub(crate) words: EndWords,
    /// Its word for the end of a reply whose call cannot be read.
    pub(crate) bad_call: Option<&'static str>,
    pub(crate) usage: UsageRule,
    pub(crate) failures: FailureRows,
    /// The places that are not empty in its own errors, one set for each form of theirs. None: any body replays.
    pub(crate) error_forms: &'static [&'static [&'static str]],
    /// Whether its errors name the request.
    pub(crate) names_request: bool,
    /// How its errors say that a request is too long.
    pub(crate) too_long: TooLongWords,
    /// Its key for the tier that the request was served at, in OpenAI's words.
    pub(crate) tier: Option<&'static Key>,
    /// The keys that every reply must have, in their order.
    pub(crate) required: &'static [Required],
    /// The keys of the client's request that its replies repeat, in their order.
    pub(crate) echoes: &'static [Echo],
}

/// A key that every reply of a format must have, whether the source has it or not.
#[derive(Clone, Copy)]
pub(crate) enum Required {
    /// The model, else empty.
    Model(&'static Key),
    /// The time in seconds since 1970, else 0.
    Seconds(&'static Key),
    /// The time as a date, else that of 0.
    Date(&'static Key),
    /// A number that no source has, which is 0.
    Zero(&'static Key),
}

impl Required {
    /// The key.
    pub(crate) fn key(self) -> &'static Key {
        let (Self::Model(key) | Self::Seconds(key) | Self::Date(key) | Self::Zero(key)) = self;
        key
    }
}

/// A key of the request that a reply repeats.
pub(crate) struct Echo {
    pub(crate) key: &'static Key,
    /// JSON for a request without the key. `None`: the reply leaves it out, too.
    pub(crate) without: Option<&'static str>,
}

/// Whether a value is a tier in OpenAI's words.
pub(crate) fn names_tier<S: Source>(value: &S) -> bool {
    value.one_of(TIERS).is_some()
}

impl ResponseRule {
    /// The tier that a reply says it was served at, if it is one of OpenAI's words.
    pub(crate) fn tier_of<S: Source>(&self, reply: &S) -> Option<Text<S::H>> {
        reply.get(self.tier?).filter(names_tier)?.text()
    }
}
