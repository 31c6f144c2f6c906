//! A part of a turn: text, reasoning, media, a tool call, a tool result, or content that only its own dialect knows.

use smallvec::SmallVec;

use super::{
    flaw::{self, Flaw},
    media::Media,
    tool::{Call, Content, ToolResult},
};
use crate::{
    report::{Home, Path, Place, Step},
    value::{Host, Input, Raw, Text},
};

pub(crate) use crate::value::extras::map_extras;
pub use crate::value::extras::{Extras, share_extras};

/// The parts of a turn or a result, in order. Most have one part, which needs no allocation.
pub type Parts<H> = SmallVec<[Part<H>; 1]>;

/// A part of a turn.
#[derive(Debug)]
pub struct Part<H: Host> {
    /// Its content.
    pub kind: Kind<H>,
    /// Its own wire value, if it has one. It goes back to its own dialect as long as the part is untouched.
    pub origin: Option<Raw<H>>,
    /// Unknown keys of the wire value.
    pub extras: Option<Box<Extras<H>>>,
    /// Unknown keys of an object inside the wire value.
    pub inner: Option<Box<Inner<H>>>,
    /// Its place in the payload.
    pub place: Place,
    /// The element that it was read from, if a build moved it to another turn.
    pub home: Home,
    /// What its own format's servers would refuse about its wire value.
    pub flaw: Option<&'static Flaw>,
    /// Whether a stage has changed it.
    pub touched: bool,
    /// Whether the wire value has a signature or encrypted content. Only its own dialect accepts that, and only
    /// unchanged.
    pub signed: bool,
}

/// Unknown keys of an object inside a part's wire value, with the key of that object.
#[derive(Debug)]
pub struct Inner<H: Host> {
    /// The key of the object, or several with dots between them where it is deeper.
    pub key: &'static str,
    /// Its unknown keys.
    pub extras: Extras<H>,
}

impl<H: Host> Inner<H> {
    /// Puts unknown keys under the key of their object. `None` if there are none.
    pub(crate) fn of(key: &'static str, extras: Option<Box<Extras<H>>>) -> Option<Box<Self>> {
        extras.map(|extras| Box::new(Self { key, extras: *extras }))
    }

    /// The path of the object, in the part at `part`.
    pub(crate) fn path(&self, part: Path) -> Path {
        self.key.split('.').map(Step::Key).fold(part, Path::then)
    }
}

/// The content of a part.
#[derive(Debug)]
pub enum Kind<H: Host> {
    /// Text.
    Text(Text<H>),
    /// The model's refusal, as text.
    Refusal(Text<H>),
    /// A JSON value in a tool result.
    Json(Raw<H>),
    /// The model's reasoning.
    Reasoning(Reasoning<H>),
    /// An image, a document, audio or video.
    Media(Media<H>),
    /// A tool call.
    Call(Call<H>),
    /// A tool result.
    Result(ToolResult<H>),
    /// Content that only its own dialect knows, by the name of its type: server-side tools, compaction, cache points.
    Opaque(Text<H>),
}

/// A model's reasoning.
#[derive(Debug)]
pub struct Reasoning<H: Host> {
    /// The readable text: a summary or the reasoning itself.
    pub text: Option<Text<H>>,
}

impl<H: Host> Part<H> {
    /// The path of the object that has an unknown key: of the part at this path, or of the object inside it.
    pub(crate) fn holder_of(&self, key: &str, input: Option<&Input>, path: Path) -> Path {
        let is_it = |(name, _): &(Text<H>, Raw<H>)| name.is(key, input);
        match self.inner.as_ref().filter(|inner| inner.extras.iter().any(is_it)) {
            Some(inner) => inner.path(path),
            None => path,
        }
    }

    /// The blocks of a result.
    pub(crate) fn blocks(&self) -> &[Self] {
        match &self.kind {
            Kind::Result(ToolResult { content: Content::Blocks(blocks), .. }) => blocks,
            _ => &[],
        }
    }

    /// The part and its blocks.
    pub(crate) fn with_blocks(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.blocks())
    }

    /// A part without an origin that turnwire made.
    #[must_use]
    pub fn new(kind: Kind<H>) -> Self {
        Self::at(Place::default(), kind)
    }

    /// A part without its own wire value.
    #[must_use]
    #[inline]
    pub fn at(place: Place, kind: Kind<H>) -> Self {
        Self {
            kind,
            origin: None,
            extras: None,
            inner: None,
            place,
            home: Home::NONE,
            flaw: None,
            touched: false,
            signed: false,
        }
    }

    /// A text part that turnwire made.
    #[must_use]
    pub fn text(text: impl Into<Text<H>>) -> Self {
        Self::new(Kind::Text(text.into()))
    }

    /// Whether it is a call or a result without an id on the wire.
    #[must_use]
    pub fn has_made_up_id(&self) -> bool {
        match &self.kind {
            Kind::Call(call) => call.made_up_id,
            Kind::Result(result) => result.made_up_id,
            _ => false,
        }
    }

    /// Whether it is a result that only says how far its tool is, so that it answers nothing.
    pub(crate) fn is_progress(&self) -> bool {
        self.flaw.is_some_and(|flaw| std::ptr::eq(flaw, &raw const flaw::PROGRESS))
    }

    /// Whether it is a call that has no id in its own format, because it is alone under its key.
    pub(crate) fn has_no_id_at_home(&self) -> bool {
        self.place.index.is_none()
    }

    /// Another handle to the same part.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    /// The part without spans into its turn's input, so that it can move to another turn.
    #[must_use]
    pub fn detach(&self, input: Option<&Input>) -> Self {
        self.map(&mut |text| text.detach(input), &mut |raw| raw.detach(input))
    }

    /// The part with new handles.
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
            home: self.home,
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

    /// The content without spans into its turn's input.
    #[must_use]
    pub fn detach(&self, input: Option<&Input>) -> Self {
        self.map(&mut |text| text.detach(input), &mut |raw| raw.detach(input))
    }

    /// The content with new handles.
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
