//! The events of a pass over JSON text, and the trait for their receiver.

use std::borrow::Cow;

use super::escape::unescape;
use crate::value::Escapes;

/// Builds something from JSON text while it is read: a tape, a frozen value, a host's own objects.
///
/// Calls come in the order of the text and always balance, unless the text turns out not to be JSON. Then the result
/// has to be discarded. `at` and `end` are byte offsets. Calls never fail: a builder that can fail keeps its first
/// fault and ignores later calls.
pub trait Builder {
    /// `null`
    fn null(&mut self, at: usize);
    /// `true` or `false`
    fn bool(&mut self, value: bool, at: usize);
    /// A number.
    fn number(&mut self, number: Number<'_>, at: usize);
    /// A string that is not a key.
    fn text(&mut self, body: Body<'_>);
    /// The key of the next value.
    fn key(&mut self, body: Body<'_>);
    /// The beginning of an array.
    fn open_list(&mut self, at: usize);
    /// The beginning of an object.
    fn open_map(&mut self, at: usize);
    /// The end of the innermost array or object. `end` is the offset after its bracket.
    fn close(&mut self, end: usize);
}

/// A number in its spelling.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    /// ASCII: an optional minus, digits, and optionally a fraction and an exponent.
    pub spelling: &'a [u8],
    /// Whether it has neither fraction nor exponent.
    pub is_integer: bool,
}

impl Number<'_> {
    /// The spelling as a `str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.spelling).unwrap_or_default()
    }

    /// Its value, if it is an integer of at most 18 digits. Almost all are, and no such number exceeds 64 bits.
    #[inline]
    #[must_use]
    pub fn small(&self) -> Option<i64> {
        let (negative, digits) = match self.spelling {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        if !self.is_integer || digits.len() > 18 {
            return None;
        }
        let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit & 0x0F));
        Some(if negative { -value } else { value })
    }
}

/// The inside of a JSON string, between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The bytes with their escapes. They are as valid as the whole text (UTF-8 or WTF-8).
    pub bytes: &'a [u8],
    /// The offset of its first byte.
    pub at: usize,
    /// Which escapes it has.
    pub escapes: Escapes,
}

impl<'a> Body<'a> {
    /// The text as WTF-8. Lone surrogates can come only from escapes, see [`Escapes::Lone`].
    #[must_use]
    #[inline]
    pub fn wtf8(&self) -> Cow<'a, [u8]> {
        match self.escapes {
            Escapes::None => Cow::Borrowed(self.bytes),
            Escapes::Some | Escapes::Lone => Cow::Owned(unescape(self.bytes)),
        }
    }
}
