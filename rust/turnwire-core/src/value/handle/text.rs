//! `Text`: the host's own string, a span of the input, or text made here.

use std::{borrow::Cow, fmt, sync::Arc};

use super::{Escapes, Host, Input, NoHost, Span, input::span_wtf8, span_bytes};
use crate::{
    report::Error,
    text::{Cut, Keep, Units, is_white, replace_surrogates, replaced},
    value::{hash::of_bytes, json},
};

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

    /// The text with at most `kept` bytes of its own, from both ends, and `between` them. `between` gets the number of bytes
    /// that are left out. `None` if the whole text has no more than `kept`.
    pub(crate) fn without_middle(
        &self,
        kept: usize,
        between: &dyn Fn(usize) -> String,
        input: Option<&Input>,
    ) -> Result<Option<Self>, Error> {
        if let Self::Host(text) = self {
            let all = H::units(text);
            let Some(cut) = all.cut(kept, 0, Keep::Middle) else { return Ok(None) };
            let between = between(all.left_out(&cut));
            return H::cut(text, &cut, Units::from(&*between)).map(|text| Some(Self::Host(text)));
        }
        let bytes = self.wtf8(input);
        let all = Units::Utf8(&bytes);
        let Some(cut) = all.cut(kept, 0, Keep::Middle) else { return Ok(None) };
        let between = between(all.left_out(&cut));
        let new = [all.head(&cut).wtf8(), between.into_bytes().into(), all.tail(&cut).wtf8()].concat();
        Ok(Some(Self::own(&replace_surrogates(&new))))
    }

    /// Whether it has more than one line.
    pub(crate) fn has_line_break(&self, input: Option<&Input>) -> bool {
        match self {
            Self::Host(text) => H::units(text).has_line_break(),
            _ => Units::Utf8(&self.wtf8(input)).has_line_break(),
        }
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
            Self::Host(text) => match H::units(text) {
                // Nearly all keys and words of a host.
                Units::Ascii(text) => return text == word,
                units => units.len() <= word.len(),
            },
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
