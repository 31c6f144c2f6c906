//! A part of a turn: text, reasoning, media, a tool call, a tool result, or something only its own dialect knows.

use smallvec::SmallVec;

use super::{
    media::Media,
    tool::{Call, ToolResult},
};
use crate::{
    report::path::Place,
    value::handle::{Host, Input, Raw, Text},
};

pub(crate) use crate::value::extras::map_extras;
pub use crate::value::extras::{Extras, share_extras};

/// The parts of a turn or result, in order. Most have one, which needs no extra memory.
pub type Parts<H> = SmallVec<[Part<H>; 1]>;

/// One piece of a turn.
#[derive(Debug)]
pub struct Part<H: Host> {
    /// What it says.
    pub kind: Kind<H>,
    /// The wire value it was read from, where it has one of its own: replayed to its own dialect while the part is untouched.
    pub origin: Option<Raw<H>>,
    /// Keys of the origin that have no place in `kind`.
    pub extras: Option<Box<Extras<H>>>,
    /// Keys of one object inside the origin that have no place in `kind`.
    pub inner: Option<Box<Inner<H>>>,
    /// Where it stood.
    pub place: Place,
    /// What its own format's servers would refuse about its wire value, so that it may not go back as it came.
    pub flaw: Option<&'static Flaw>,
    /// Whether a stage has changed it.
    pub touched: bool,
    /// Whether the origin carries a signature or encrypted content, which only the dialect that made it takes, as it came.
    pub signed: bool,
}

/// Keys of an object inside a part's wire value, with the key of that object.
#[derive(Debug)]
pub struct Inner<H: Host> {
    /// The key that the object stands under.
    pub key: &'static str,
    /// Its keys that have no place elsewhere.
    pub extras: Extras<H>,
}

impl<H: Host> Inner<H> {
    /// None where there are no such keys.
    pub(crate) fn of(key: &'static str, extras: Option<Box<Extras<H>>>) -> Option<Box<Self>> {
        extras.map(|extras| Box::new(Self { key, extras: *extras }))
    }
}

/// Something about a wire value that the servers of its own format refuse, in words.
#[derive(Debug)]
pub struct Flaw(pub &'static str);

/// What a part says.
#[derive(Debug)]
pub enum Kind<H: Host> {
    /// Text.
    Text(Text<H>),
    /// The model's refusal, as text.
    Refusal(Text<H>),
    /// A JSON value inside a tool result.
    Json(Raw<H>),
    /// What the model thought.
    Reasoning(Reasoning<H>),
    /// An image, document, sound or film.
    Media(Media<H>),
    /// A tool call.
    Call(Call<H>),
    /// A tool result.
    Result(ToolResult<H>),
    /// Something only its own dialect knows, by the name of its type: server-side tools, compaction, cache points.
    Opaque(Text<H>),
}

/// A model's reasoning.
#[derive(Debug)]
pub struct Reasoning<H: Host> {
    /// What can be read of it: a summary or the thought itself.
    pub text: Option<Text<H>>,
}

impl<H: Host> Part<H> {
    /// A part that was made here.
    #[must_use]
    pub fn new(kind: Kind<H>) -> Self {
        Self::at(Place::default(), kind)
    }

    /// A part without its own wire value.
    #[must_use]
    pub fn at(place: Place, kind: Kind<H>) -> Self {
        Self { kind, origin: None, extras: None, inner: None, place, flaw: None, touched: false, signed: false }
    }

    /// A text part that was made here.
    #[must_use]
    pub fn text(text: impl Into<Text<H>>) -> Self {
        Self::new(Kind::Text(text.into()))
    }

    /// Whether it is a call or a result that came without an id.
    #[must_use]
    pub fn has_made_up_id(&self) -> bool {
        match &self.kind {
            Kind::Call(call) => call.made_up_id,
            Kind::Result(result) => result.made_up_id,
            _ => false,
        }
    }

    /// Another handle to the same part.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    /// The same part without need of its turn's input, so that it can move to another turn.
    #[must_use]
    pub fn detach(&self, input: Option<&Input>) -> Self {
        self.map(&mut |text| text.detach(input), &mut |raw| raw.detach(input))
    }

    /// The same part with every handle made anew.
    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        Self {
            kind: self.kind.map(text, raw),
            origin: self.origin.as_ref().map(&mut *raw),
            extras: map_extras(self.extras.as_deref(), text, raw),
            inner: self
                .inner
                .as_ref()
                .and_then(|inner| Inner::of(inner.key, map_extras(Some(&inner.extras), text, raw))),
            place: self.place,
            flaw: self.flaw,
            touched: self.touched,
            signed: self.signed,
        }
    }
}

impl<H: Host> Kind<H> {
    /// Another handle to the same content.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    /// The same content without need of its turn's input.
    #[must_use]
    pub fn detach(&self, input: Option<&Input>) -> Self {
        self.map(&mut |text| text.detach(input), &mut |raw| raw.detach(input))
    }

    /// The same content with every handle made anew.
    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        match self {
            Self::Text(words) => Self::Text(text(words)),
            Self::Refusal(words) => Self::Refusal(text(words)),
            Self::Json(value) => Self::Json(raw(value)),
            Self::Reasoning(thought) => Self::Reasoning(Reasoning { text: thought.text.as_ref().map(text) }),
            Self::Media(media) => Self::Media(media.map(text, raw)),
            Self::Call(call) => Self::Call(call.map(text, raw)),
            Self::Result(result) => Self::Result(result.map(text, raw)),
            Self::Opaque(name) => Self::Opaque(text(name)),
        }
    }
}
