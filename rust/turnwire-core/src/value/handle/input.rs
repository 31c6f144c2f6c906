//! The JSON bytes that handles point into, and spans in them.

use std::{borrow::Cow, fmt, sync::Arc};

use crate::value::json;

/// The JSON bytes that spans point into. Kept alive by every turn that was read from them.
#[derive(Clone)]
pub struct Input {
    whole: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// The range of the bytes, because a row of a batch is only a part of them.
    start: usize,
    end: usize,
}

impl Input {
    /// Keeps `bytes`, without copying them.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let end = bytes.as_ref().len();
        Self { whole: Arc::new(bytes), start: 0, end }
    }

    /// A part of the bytes as a separate input. It keeps all of them alive, but cannot read the others.
    #[must_use]
    pub fn part(&self, start: usize, end: usize) -> Self {
        let at = |place: usize| self.start.saturating_add(place).min(self.end);
        Self { whole: Arc::clone(&self.whole), start: at(start), end: at(end).max(at(start)) }
    }

    /// Whether both are one input.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.whole, &other.whole) && (self.start, self.end) == (other.start, other.end)
    }

    /// All of the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        (*self.whole).as_ref().get(self.start..self.end).unwrap_or_default()
    }

    /// All bytes from the beginning of a span.
    pub(crate) fn from(&self, span: Span) -> &[u8] {
        self.bytes().get(span.start as usize..).unwrap_or_default()
    }

    /// The bytes of one span.
    #[must_use]
    #[inline]
    pub fn at(&self, span: Span) -> &[u8] {
        let start = span.start as usize;
        &self.bytes()[start..start + span.len as usize]
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Input({} bytes)", self.bytes().len())
    }
}

/// A range of the input: the body of a JSON string with its escapes, or a whole JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// How many bytes.
    pub len: u32,
    /// What is known about the escapes of a string body.
    pub escapes: Escapes,
}

/// What is known about the escapes in a JSON string body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// None: the bytes are the text.
    None,
    /// Some, and all of them are whole characters.
    Some,
    /// Some, and at least one is a lone surrogate.
    Lone,
}

#[inline(never)]
pub(super) fn span_wtf8(span: Span, input: Option<&Input>) -> Cow<'_, [u8]> {
    let body = span_bytes(span, input);
    if span.escapes == Escapes::None { Cow::Borrowed(body) } else { Cow::Owned(json::escape::unescape(body)) }
}

/// The bytes of a span. A span always comes with its input; without one it reads as empty.
#[inline]
pub(crate) fn span_bytes(span: Span, input: Option<&Input>) -> &[u8] {
    debug_assert!(input.is_some(), "a span was read without its input");
    input.map_or(&[], |input| input.at(span))
}
