//! Handles: a text or a JSON value that stays where it is until it is needed.
//!
//! An unchanged text is never copied. It is the host language's own string (`Host`), a span of the JSON input (`Span`),
//! or text made here (`Own`). A JSON value that is not read (arguments, schemas, origins) is handled the same way by
//! [`Raw`].

mod decimal;
mod input;
mod raw;
mod value;

use std::{borrow::Cow, convert::Infallible, fmt, sync::Arc};

use self::input::span_wtf8;
use super::{hash::of_bytes, json, node::NodeKind};
use crate::{
    report::error::Error,
    text::{Cut, Keep, Units, is_white, replace_surrogates, replaced},
};

pub(crate) use self::input::span_bytes;
pub use self::{
    input::{Escapes, Input, Span},
    raw::Raw,
    value::Value,
};

/// A host language and its own types: the core's only type parameter.
pub trait Host: Sized + 'static {
    /// The host's own immutable string.
    type Str: Send + Sync + 'static;
    /// The host's own immutable scalar that is not a string: a number with its own spelling, or bytes.
    type Leaf: Send + Sync + 'static;
    /// A caller's container, borrowed for the length of one `convert` call.
    type Loan: Send + Sync + 'static;

    /// The string's own data, read in place.
    fn units(text: &Self::Str) -> Units<'_>;
    /// Another handle to the same string. May be slow: only touched turns need it.
    fn share(text: &Self::Str) -> Self::Str;
    /// Another handle to the same scalar.
    fn share_leaf(leaf: &Self::Leaf) -> Self::Leaf;
    /// Another handle to the same container.
    fn share_loan(loan: &Self::Loan) -> Self::Loan;
    /// A hash of its characters, the same in one process for equal strings. A host that keeps one with the string is
    /// faster. 64 bits of it must count.
    fn sum(text: &Self::Str) -> u64 {
        of_bytes(&Self::units(text).wtf8(), 0)
    }
    /// A new string of the kept parts of `text`, with `suffix` between them if the cut says so. `cut` counts in units
    /// of `text`.
    fn cut(text: &Self::Str, cut: &Cut, suffix: Units<'_>) -> Result<Self::Str, Error>;
    /// A text of WTF-8 bytes. Lone surrogates survive if the host's strings can hold them, else they become U+FFFD.
    fn text(wtf8: &[u8]) -> Result<Text<Self>, Error> {
        Ok(Text::own(&replace_surrogates(wtf8)))
    }
    /// Writes a text as the inside of a JSON string. Returns how many lone surrogates became U+FFFD. A host that knows
    /// the machine may be faster than [`escape::body`](json::escape::body), which runs on any machine.
    fn write_body(text: Units<'_>, out: &mut Vec<u8>) -> usize {
        json::escape::body(text, out)
    }
    /// Writes a text without escapes, in UTF-8. Otherwise like [`write_body`](Self::write_body).
    fn write_plain(text: Units<'_>, out: &mut Vec<u8>) -> usize {
        json::escape::plain(text, out)
    }
    /// The kind of the scalar: a number or bytes.
    fn leaf_kind(leaf: &Self::Leaf) -> NodeKind;
    /// How many bytes the scalar holds, if it is bytes. Cheap: reads no byte.
    #[must_use]
    fn blob_len(_: &Self::Leaf) -> Option<usize> {
        None
    }
    /// The bytes of several scalars as one. `None` if one of them is not bytes.
    fn join_blobs(_: &[Self::Leaf]) -> Result<Option<Self::Leaf>, Error> {
        Ok(None)
    }
    /// Writes the scalar as JSON; bytes become base64 text.
    fn write_leaf(leaf: &Self::Leaf, out: &mut Vec<u8>) -> Result<(), Error>;
    /// Writes a lent container as JSON. Returns how many lone surrogates became U+FFFD.
    fn write_loan(loan: &Self::Loan, out: &mut Vec<u8>) -> Result<usize, Error>;
    /// A frozen copy of a lent container.
    fn freeze(loan: &Self::Loan) -> Result<Value<Self>, Error>;
    /// Whether two scalars are equal.
    fn same_leaf(a: &Self::Leaf, b: &Self::Leaf) -> bool;
}

/// The host of plain Rust: every text is a span or owned.
#[derive(Debug)]
pub enum NoHost {}

impl Host for NoHost {
    type Str = Infallible;
    type Leaf = Infallible;
    type Loan = Infallible;

    fn units(text: &Infallible) -> Units<'_> {
        match *text {}
    }
    fn share(text: &Infallible) -> Infallible {
        match *text {}
    }
    fn share_leaf(leaf: &Infallible) -> Infallible {
        match *leaf {}
    }
    fn share_loan(loan: &Infallible) -> Infallible {
        match *loan {}
    }
    fn cut(text: &Infallible, _: &Cut, _: Units<'_>) -> Result<Infallible, Error> {
        match *text {}
    }
    fn leaf_kind(leaf: &Infallible) -> NodeKind {
        match *leaf {}
    }
    fn write_leaf(leaf: &Infallible, _: &mut Vec<u8>) -> Result<(), Error> {
        match *leaf {}
    }
    fn write_loan(loan: &Infallible, _: &mut Vec<u8>) -> Result<usize, Error> {
        match *loan {}
    }
    fn freeze(loan: &Infallible) -> Result<Value<Self>, Error> {
        match *loan {}
    }
    fn same_leaf(a: &Infallible, _: &Infallible) -> bool {
        match *a {}
    }
}

/// A text in one of three places. Sixteen bytes.
pub enum Text<H: Host> {
    /// The host's own string, which is written as the same object.
    Host(H::Str),
    /// The body of a JSON string in the turn's input.
    Span(Span),
    /// Text made here. Boxed twice so that a handle stays sixteen bytes, because most handles are not this variant.
    Own(Arc<Box<str>>),
}

impl<H: Host> Text<H> {
    /// A text made here.
    #[must_use]
    pub fn own(text: &str) -> Self {
        Self::Own(Arc::new(text.into()))
    }

    /// Another handle to the same text.
    #[must_use]
    #[inline]
    pub fn share(&self) -> Self {
        match self {
            Self::Host(text) => Self::Host(H::share(text)),
            Self::Span(span) => Self::Span(*span),
            Self::Own(text) => Self::Own(text.clone()),
        }
    }

    /// A handle that needs no input. A span becomes text made here, with U+FFFD for lone surrogates if the host cannot
    /// hold them.
    #[must_use]
    pub fn detach(&self, input: Option<&Input>) -> Self {
        self.share().detached(input)
    }

    /// This handle if it needs no input, else a detached one.
    #[must_use]
    pub fn detached(self, input: Option<&Input>) -> Self {
        match self {
            Self::Span(span) if span.escapes == Escapes::Lone => {
                H::text(&self.wtf8(input)).unwrap_or_else(|_| Self::own(&self.to_str(input)))
            }
            Self::Span(_) => Self::own(&self.to_str(input)),
            _ => self,
        }
    }

    /// The text as WTF-8, which is UTF-8 in which a lone surrogate has three bytes. Equal texts have equal bytes.
    #[must_use]
    #[inline]
    pub fn wtf8<'a>(&'a self, input: Option<&'a Input>) -> Cow<'a, [u8]> {
        match self {
            Self::Host(text) => H::units(text).wtf8(),
            Self::Span(span) => span_wtf8(*span, input),
            Self::Own(text) => Cow::Borrowed(text.as_bytes()),
        }
    }

    /// The text as UTF-8, with U+FFFD for each lone surrogate.
    #[must_use]
    pub fn to_str<'a>(&'a self, input: Option<&'a Input>) -> Cow<'a, str> {
        match self {
            Self::Host(text) => H::units(text).utf8(),
            Self::Span(span) => replaced(span_wtf8(*span, input)),
            Self::Own(text) => Cow::Borrowed(text),
        }
    }

    /// Its size in UTF-8 bytes. A lone surrogate counts three, like U+FFFD.
    #[must_use]
    pub fn utf8_len(&self, input: Option<&Input>) -> usize {
        match self {
            Self::Host(text) => H::units(text).utf8_len(),
            Self::Span(span) if span.escapes == Escapes::None => span.len as usize,
            _ => self.wtf8(input).len(),
        }
    }

    /// The text cut to at most `max_bytes` UTF-8 bytes, `suffix` included. A suffix longer than the budget is left out.
    /// `None` if the text fits already.
    ///
    /// A cut span becomes text made here (with U+FFFD for lone surrogates), or a shorter span if nothing is added.
    pub fn truncate(
        &self,
        max_bytes: usize,
        suffix: Units<'_>,
        keep: Keep,
        input: Option<&Input>,
    ) -> Result<Option<Self>, Error> {
        let own = |bytes: Vec<u8>| Self::own(&replace_surrogates(&bytes));
        Ok(match self {
            Self::Host(text) => match H::units(text).cut(max_bytes, suffix.utf8_len(), keep) {
                Some(cut) => Some(Self::Host(H::cut(text, &cut, suffix)?)),
                None => None,
            },
            // An escape is never shorter than its character.
            Self::Span(span) if span.len as usize <= max_bytes => None,
            Self::Span(span) if span.escapes == Escapes::None && suffix.is_empty() && keep == Keep::Head => {
                let kept = Units::Utf8(span_bytes(*span, input)).cut(max_bytes, 0, keep);
                kept.map(|cut| Self::Span(Span { len: cut.head as u32, ..*span }))
            }
            Self::Span(_) | Self::Own(_) => Units::Utf8(&self.wtf8(input)).truncate(max_bytes, suffix, keep).map(own),
        })
    }

    /// A hash for comparing within one process: of texts in the same kind of place, equal ones have equal hashes.
    #[must_use]
    pub(crate) fn sum(&self, input: Option<&Input>) -> u64 {
        match self {
            Self::Host(text) => H::sum(text),
            // As it is spelled, because a text made here may have a backslash that is none of an escape.
            Self::Span(span) => of_bytes(span_bytes(*span, input), 1),
            Self::Own(text) => of_bytes(text.as_bytes(), 2),
        }
    }

    /// Whether it has no characters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Host(text) => H::units(text).is_empty(),
            Self::Span(span) => span.len == 0,
            Self::Own(text) => text.is_empty(),
        }
    }

    /// Whether it is empty or only white space.
    #[must_use]
    #[inline]
    pub fn is_blank(&self, input: Option<&Input>) -> bool {
        match self {
            Self::Host(text) => H::units(text).is_blank(),
            Self::Span(span) if span.escapes == Escapes::None => Units::Utf8(span_bytes(*span, input)).is_blank(),
            Self::Span(span) => {
                // For almost every text the first character decides: visible ASCII, or one after U+3000, raw or
                // escaped, since white space ends there.
                if let [b'!'..=b'[' | b']'..=b'~' | 0xE4.., ..]
                | [b'\\', b'u', b'4'..=b'9' | b'A'..=b'F' | b'a'..=b'f', ..] = span_bytes(*span, input)
                {
                    return false;
                }
                self.is_white(input)
            }
            Self::Own(text) => Units::Utf8(text.as_bytes()).is_blank(),
        }
    }

    /// Whether it is only white space. Apart, because almost no text needs more than its first character.
    #[cold]
    #[inline(never)]
    fn is_white(&self, input: Option<&Input>) -> bool {
        let head = self.head_bytes(4, input);
        let head = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        head.chars().all(is_white) && self.to_str(input).chars().all(is_white)
    }

    /// Whether it has a lone surrogate. Cheap for all but wide host strings.
    #[must_use]
    #[inline]
    pub fn has_lone_surrogate(&self) -> bool {
        match self {
            Self::Host(text) => H::units(text).has_surrogate(),
            Self::Span(span) => span.escapes == Escapes::Lone,
            Self::Own(_) => false,
        }
    }

    /// Whether it begins with `prefix`.
    #[must_use]
    #[inline]
    pub fn starts_with(&self, prefix: &str, input: Option<&Input>) -> bool {
        match self {
            Self::Host(text) => H::units(text).starts_with(prefix),
            // For almost every text the first byte decides, so that the head of a long text is not read.
            Self::Span(span) => match (span_bytes(*span, input).first(), prefix.as_bytes().first()) {
                (Some(mine), Some(first)) if mine != first && *mine != b'\\' => false,
                (Some(b'\\'), Some(first)) if self.head_bytes(1, input).first() != Some(first) => false,
                _ => self.head_bytes(prefix.len(), input).starts_with(prefix.as_bytes()),
            },
            Self::Own(text) => text.starts_with(prefix),
        }
    }

    /// At most its first `most` units, to look at the beginning of a long text.
    #[must_use]
    pub fn head(&self, most: usize, input: Option<&Input>) -> String {
        match self {
            Self::Host(text) => H::units(text).first(most).utf8().into_owned(),
            Self::Span(span) if span.escapes == Escapes::None => {
                let body = span_bytes(*span, input);
                String::from_utf8_lossy(&body[..body.len().min(most)]).into_owned()
            }
            _ => self.to_str(input).chars().take(most).collect(),
        }
    }

    /// Its first `most` bytes of WTF-8, or a few more, to look at the beginning of a long text.
    #[must_use]
    pub fn head_bytes<'a>(&'a self, most: usize, input: Option<&'a Input>) -> Cow<'a, [u8]> {
        match self {
            Self::Host(text) => H::units(text).first(most).wtf8(),
            Self::Span(span) if span.escapes == Escapes::None => {
                let body = span_bytes(*span, input);
                Cow::Borrowed(&body[..body.len().min(most)])
            }
            Self::Span(span) => Cow::Owned(json::escape::head(span_bytes(*span, input), most)),
            Self::Own(_) => self.wtf8(input),
        }
    }

    /// The text after its first `bytes` bytes of UTF-8, which must be whole characters.
    pub fn after(&self, bytes: usize, input: Option<&Input>) -> Result<Self, Error> {
        match self {
            Self::Host(text) => {
                let units = H::units(text);
                let head = units.first(bytes).wtf8();
                let characters = head.iter().take(bytes).filter(|byte| **byte & 0xC0 != 0x80).count();
                let tail = units.len().saturating_sub(characters);
                H::cut(text, &Cut { head: 0, tail, suffix: false }, Units::Ascii("")).map(Self::Host)
            }
            // Before the first escape the input is the text.
            Self::Span(span) if span_bytes(*span, input).iter().take(bytes).all(|byte| *byte != b'\\') => {
                let skip = (bytes as u32).min(span.len);
                Ok(Self::Span(Span { start: span.start + skip, len: span.len - skip, escapes: span.escapes }))
            }
            _ => Ok(Self::own(self.to_str(input).get(bytes..).unwrap_or(""))),
        }
    }

    /// Whether both texts are equal. Needs no input, so neither may be a span.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        self.wtf8(None) == other.wtf8(None)
    }

    /// Whether both texts are equal, or both are absent.
    #[must_use]
    pub fn same_option(mine: Option<&Self>, theirs: Option<&Self>) -> bool {
        match (mine, theirs) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => mine.same(theirs),
            _ => false,
        }
    }

    /// Whether it is exactly `word`.
    #[must_use]
    #[inline]
    pub fn is(&self, word: &str, input: Option<&Input>) -> bool {
        // Most texts have another length, so a long one is not read.
        let may_be = match self {
            Self::Host(text) => H::units(text).len() <= word.len(),
            // An escape is never shorter than its character, and never more than six times as long.
            Self::Span(span) => (word.len()..=6 * word.len()).contains(&(span.len as usize)),
            Self::Own(text) => text.len() == word.len(),
        };
        may_be && *self.wtf8(input) == *word.as_bytes()
    }
}

impl<H: Host> fmt::Debug for Text<H> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Span(span) => write!(out, "Span({}..+{})", span.start, span.len),
            _ => write!(out, "{:?}", self.to_str(None)),
        }
    }
}

impl<H: Host> From<&str> for Text<H> {
    fn from(text: &str) -> Self {
        Self::own(text)
    }
}

const _: () = {
    assert!(size_of::<Text<NoHost>>() <= 16, "a text handle is sixteen bytes");
};
