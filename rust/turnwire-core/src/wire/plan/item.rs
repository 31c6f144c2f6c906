//! Holds the pieces of a message: a part as the target accepts it, and a result with the pieces inside it.

use std::borrow::Cow;

use super::{cache::Cached, media::Shown};
use crate::{
    model::{Call, Kind, Part, Reasoning, ToolResult},
    rules::{CallForm, MediaClass},
    value::{Extras, Host, Input, Key, Raw, Text, Value},
};

/// One piece of a message.
pub(crate) struct Item<'a, H: Host> {
    pub(crate) said: Said<'a, H>,
    /// The input of its spans.
    pub(crate) input: Option<&'a Input>,
    /// The part that it was made from.
    pub(crate) part: Option<&'a Part<H>>,
    /// Whether that part came from the target's own format.
    pub(crate) own: bool,
    /// The turn and the part, as indices.
    pub(crate) site: (usize, usize),
    /// The element that it comes from: its turn, or the home of its part.
    pub(crate) source: usize,
    /// The citations of a text of another format, in the target's spelling.
    pub(crate) cited: Option<Box<Raw<H>>>,
    /// Its cache mark from another format of the target's family of models.
    pub(crate) cached: Option<Cached>,
    /// A signature that lay in another format's keys, or the target's documented stand-in, if the target needs one.
    pub(crate) signature: Option<Text<H>>,
    /// The keys of the target's own that lay among the options of its provider.
    pub(crate) provided: Option<Box<Provided<H>>>,
}

/// Keys of the target's own.
pub(crate) type Provided<H> = Vec<(&'static str, Value<H>)>;

/// The content of an item.
pub(crate) enum Said<'a, H: Host> {
    /// The wire value of the part, sent back unchanged.
    Origin(&'a Raw<H>),
    Text(&'a Text<H>),
    /// The wire value of the part in the target's spelling.
    Translated(Raw<H>),
    /// Reasoning of other makers, as items of the lists under these keys.
    Listed(Vec<(&'static Key, Value<H>)>),
    /// Readable reasoning under a key.
    Thought(&'static str, &'a Text<H>),
    /// New text.
    Made(Text<H>),
    /// A JSON value as a value.
    Json(Raw<H>),
    /// Text of a JSON object, as that object.
    Object(Raw<H>),
    /// A JSON value as text.
    JsonText(Raw<H>),
    Refusal(&'a Text<H>),
    Media(Box<Shown<'a, H>>),
    Call(&'a Call<H>),
    Result(Outcome<'a, H>),
    /// The line before media that were moved out of this result.
    MovedMedia(&'a ToolResult<H>),
    /// The key of reasoning that is not there, and the text that stands for it.
    NoReasoning(&'static str, &'static str),
}

impl<'a, H: Host> Item<'a, H> {
    /// An item that was not made from a part.
    pub(super) fn new(said: Said<'a, H>, input: Option<&'a Input>, site: (usize, usize)) -> Self {
        Self {
            said,
            input,
            part: None,
            own: false,
            site,
            source: site.0,
            cited: None,
            cached: None,
            signature: None,
            provided: None,
        }
    }

    /// The whole wire value of an opaque part: unchanged, or in the target's spelling.
    pub(crate) fn whole(&self) -> Option<&Raw<H>> {
        match &self.said {
            Said::Origin(raw) => Some(raw),
            Said::Translated(raw) => Some(raw),
            _ => None,
        }
    }

    /// The value that it is: a JSON value, or the wire value of the part.
    pub(crate) fn json(&self) -> Option<&Raw<H>> {
        match &self.said {
            Said::Origin(raw) => Some(raw),
            Said::Json(raw) | Said::JsonText(raw) => Some(raw),
            _ => None,
        }
    }

    /// The key of the target's own format that held only this part.
    pub(crate) fn own_key(&self) -> Option<&'static str> {
        self.part.filter(|part| self.own && part.place.index.is_none()).and_then(|part| part.place.key)
    }

    /// The text of readable reasoning that is written under this key.
    pub(crate) fn thought_under(&self, word: &str) -> Option<&Text<H>> {
        match (&self.said, self.part.map(|part| &part.kind)) {
            (Said::Thought(key, text), _) if *key == word => Some(text),
            (Said::Origin(_), Some(Kind::Reasoning(Reasoning { text: Some(text) })))
                if self.own_key() == Some(word) =>
            {
                Some(text)
            }
            _ => None,
        }
    }

    /// Whether it is readable reasoning under this key, or, without a key, in a block of its own.
    pub(crate) fn is_thought(&self, word: &str) -> bool {
        let is_own = || matches!((&self.said, self.part), (Said::Origin(_), Some(part)) if matches!(part.kind, Kind::Reasoning(_)));
        self.thought_under(word).is_some() || word.is_empty() && is_own()
    }

    /// Whether it was in a list of the target's own format. Such a list stays a list.
    pub(crate) fn was_listed(&self) -> bool {
        self.own && self.part.is_some_and(|part| part.place.index.is_some())
    }

    /// The part of the target's own format whose keys it has. Text that stands for reasoning or a document has none of them.
    fn own_part(&self) -> Option<&'a Part<H>> {
        let other = |part: &Part<H>| matches!(part.kind, Kind::Reasoning(_) | Kind::Media(_));
        self.part.filter(|part| self.own && (self.text().is_none() || !other(part)))
    }

    /// The unknown keys of the target's own format, to be written after the known ones.
    pub(crate) fn extras(&self) -> Option<&'a Extras<H>> {
        self.own_part().and_then(|part| part.extras.as_deref())
    }

    /// The unknown keys of the object inside it under a key.
    pub(crate) fn inner_extras(&self) -> Option<&'a Extras<H>> {
        self.own_part().and_then(|part| part.inner.as_ref()).map(|inner| &inner.extras)
    }

    /// Whether it is media, unchanged or rewritten.
    pub(crate) fn is_media(&self) -> bool {
        match &self.said {
            Said::Media(_) => true,
            Said::Origin(_) => self.part.is_some_and(|part| matches!(part.kind, Kind::Media(_))),
            _ => false,
        }
    }

    /// The original id of the call that it is or answers.
    pub(crate) fn call_or_result(&self) -> Option<&Text<H>> {
        match self.part.map(|part| &part.kind) {
            Some(Kind::Call(call)) => Some(&call.id),
            Some(Kind::Result(result)) => Some(&result.id),
            _ => None,
        }
    }

    /// Its text, original or new.
    pub(crate) fn words(&self) -> Option<&Text<H>> {
        match (self.text(), self.part.map(|part| &part.kind)) {
            (Some(text), _) | (None, Some(Kind::Text(text) | Kind::Refusal(text))) => Some(text),
            _ => None,
        }
    }

    /// The type of the media at its URL, if known.
    pub(crate) fn type_of_address(&self) -> Option<Cow<'_, str>> {
        match self.part.map(|part| &part.kind) {
            Some(Kind::Media(media)) => media.type_of_address(self.input),
            _ => None,
        }
    }

    /// Whether it is a document.
    pub(super) fn is_document(&self) -> bool {
        match (&self.said, self.part.map(|part| &part.kind)) {
            (Said::Media(shown), _) => shown.class == MediaClass::Document,
            (_, Some(Kind::Media(media))) => media.class == MediaClass::Document && self.text().is_none(),
            _ => false,
        }
    }

    /// The text, if the item is only a text.
    pub(crate) fn text(&self) -> Option<&Text<H>> {
        match &self.said {
            Said::Text(text) => Some(text),
            Said::Made(text) => Some(text),
            _ => None,
        }
    }
}

/// A result as the target accepts it.
pub(crate) struct Outcome<'a, H: Host> {
    pub(crate) result: &'a ToolResult<H>,
    /// Its kind of item, if the target has that kind.
    pub(crate) form: Option<CallForm>,
    /// The prefix of its first text, if the target has no error flag.
    pub(crate) prefix: &'static str,
    /// Its items.
    pub(crate) items: Vec<Item<'a, H>>,
}

impl<H: Host> Outcome<'_, H> {
    /// The only item, if it needs no list around it.
    pub(crate) fn alone(&self) -> Option<&Item<'_, H>> {
        match self.items.as_slice() {
            [one @ Item { said: Said::Text(_) | Said::Made(_) | Said::Json(_) | Said::JsonText(_), .. }]
                if !one.was_listed() =>
            {
                Some(one)
            }
            _ => None,
        }
    }
}
