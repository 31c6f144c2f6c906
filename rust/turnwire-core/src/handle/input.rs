//! The JSON bytes that handles point into, and the places in them.

use std::{borrow::Cow, fmt, sync::Arc};

use crate::json;

/// The JSON bytes that spans point into. Kept alive by every turn that was read from them.
#[derive(Clone)]
pub struct Input(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl Input {
    /// Keeps `bytes`, without copying them.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self(Arc::new(bytes))
    }

    /// Some of the bytes, as an input of its own that keeps all of them. What is out of reach is not in it.
    #[must_use]
    pub fn part(&self, start: usize, end: usize) -> Self {
        Self::new(InputPart { whole: self.clone(), start, end })
    }

    /// Whether both are one input.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// All of the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        (*self.0).as_ref()
    }

    /// The bytes of one span.
    #[must_use]
    pub fn at(&self, span: Span) -> &[u8] {
        let start = span.start as usize;
        &self.bytes()[start..start + span.len as usize]
    }
}

/// A row of a batch.
struct InputPart {
    whole: Input,
    start: usize,
    end: usize,
}

impl AsRef<[u8]> for InputPart {
    fn as_ref(&self) -> &[u8] {
        self.whole.bytes().get(self.start..self.end).unwrap_or_default()
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Input({} bytes)", self.bytes().len())
    }
}

/// A place in the input: the body of a JSON string with its escapes still in it, or a whole JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// How many bytes.
    pub len: u32,
    /// What is known of the escapes of a string body.
    pub escapes: Escapes,
}

/// What is known of the escapes in a JSON string body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// None: the bytes are the text.
    None,
    /// Some, each of them a whole character.
    Some,
    /// Some, and among them a surrogate without its partner.
    Lone,
}

#[inline(never)]
pub(super) fn span_wtf8(span: Span, input: Option<&Input>) -> Cow<'_, [u8]> {
    let body = span_bytes(span, input);
    if span.escapes == Escapes::None { Cow::Borrowed(body) } else { Cow::Owned(json::escape::unescape(body)) }
}

/// A span always comes with the input it points into; without one it reads as nothing.
pub(crate) fn span_bytes(span: Span, input: Option<&Input>) -> &[u8] {
    debug_assert!(input.is_some(), "a span was read without its input");
    input.map_or(&[], |input| input.at(span))
}
