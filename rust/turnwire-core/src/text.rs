//! The units of a text: their UTF-8 sizes and WTF-8.

pub mod budget;
mod cut;
mod scan;

pub use self::budget::{RESERVE, Split};

use std::borrow::Cow;

pub use self::cut::{Cut, Keep, MAX_USER_MESSAGE_SIZE, TRUNCATED_SUFFIX};
use self::scan::Unit;

/// A borrowed text: UTF-8 bytes, or the one, two or four bytes a character of a CPython string.
#[derive(Clone, Copy, Debug)]
pub enum Units<'a> {
    /// UTF-8 (or WTF-8): one unit is one byte.
    Utf8(&'a [u8]),
    /// ASCII only: one unit is one byte and one character. It is a `str`, so it is never checked as UTF-8 again.
    Ascii(&'a str),
    /// Latin-1: one unit is one character of one or two UTF-8 bytes.
    Latin1(&'a [u8]),
    /// UCS-2: one unit is one character of one to three UTF-8 bytes.
    Ucs2(&'a [u16]),
    /// UCS-4: one unit is one character of one to four UTF-8 bytes.
    Ucs4(&'a [u32]),
}

impl<'a> From<&'a str> for Units<'a> {
    fn from(text: &'a str) -> Self {
        Self::Utf8(text.as_bytes())
    }
}

impl<'a> Units<'a> {
    /// The number of units.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Ascii(text) => text.len(),
            Self::Utf8(units) | Self::Latin1(units) => units.len(),
            Self::Ucs2(units) => units.len(),
            Self::Ucs4(units) => units.len(),
        }
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The first `most` units, or all if there are fewer.
    #[must_use]
    pub fn first(self, most: usize) -> Self {
        let end = most.min(self.len());
        match self {
            Self::Utf8(units) => Self::Utf8(&units[..end]),
            Self::Ascii(units) => Self::Ascii(&units[..end]),
            Self::Latin1(units) => Self::Latin1(&units[..end]),
            Self::Ucs2(units) => Self::Ucs2(&units[..end]),
            Self::Ucs4(units) => Self::Ucs4(&units[..end]),
        }
    }

    /// Whether the text begins with `prefix`, which is ASCII.
    #[must_use]
    pub fn starts_with(self, prefix: &str) -> bool {
        let prefix = prefix.as_bytes();
        match self {
            Self::Ascii(text) => text.as_bytes().starts_with(prefix),
            Self::Utf8(units) | Self::Latin1(units) => units.starts_with(prefix),
            Self::Ucs2(units) => {
                units.len() >= prefix.len() && units.iter().zip(prefix).all(|(unit, byte)| *unit == u16::from(*byte))
            }
            Self::Ucs4(units) => {
                units.len() >= prefix.len() && units.iter().zip(prefix).all(|(unit, byte)| *unit == u32::from(*byte))
            }
        }
    }

    /// The size of the text in UTF-8 bytes. A lone surrogate counts three.
    #[inline]
    #[must_use]
    pub fn utf8_len(self) -> usize {
        match self {
            Self::Ascii(text) => text.len(),
            Self::Utf8(units) => units.len(),
            Self::Latin1(units) => Unit::total(units),
            Self::Ucs2(units) => Unit::total(units),
            Self::Ucs4(units) => Unit::total(units),
        }
    }

    /// Whether the text is empty or only white space.
    #[must_use]
    #[inline]
    pub fn is_blank(self) -> bool {
        // For almost every text the first character decides.
        let first = match self {
            Self::Ascii(text) => text.as_bytes().first(),
            Self::Utf8(units) => units.first(),
            _ => None,
        };
        !first.is_some_and(u8::is_ascii_graphic) && self.is_white()
    }

    #[inline(never)]
    fn is_white(self) -> bool {
        let white = |code: u32| char::from_u32(code).is_some_and(is_white);
        match self {
            Self::Ascii(text) => text.chars().all(is_white),
            Self::Utf8(units) => {
                let first = units.iter().find(|unit| !unit.is_ascii_whitespace());
                !first.is_some_and(u8::is_ascii_graphic) && String::from_utf8_lossy(units).chars().all(is_white)
            }
            Self::Latin1(units) => units.iter().all(|unit| white(u32::from(*unit))),
            Self::Ucs2(units) => units.iter().all(|unit| white(u32::from(*unit))),
            Self::Ucs4(units) => units.iter().all(|unit| white(*unit)),
        }
    }

    /// Whether there is a surrogate. In text of whole characters, that is a lone one.
    #[must_use]
    #[inline]
    pub fn has_surrogate(self) -> bool {
        match self {
            Self::Ascii(_) | Self::Latin1(_) => false,
            Self::Utf8(units) => {
                memchr::memchr_iter(0xED, units).any(|at| units.get(at + 1).is_some_and(|second| *second >= 0xA0))
            }
            // Does not stop early, and counts nothing, so that the compiler can check many units at once.
            Self::Ucs2(units) => units.iter().fold(0, |found, unit| found | u16::from(*unit & 0xF800 == 0xD800)) != 0,
            Self::Ucs4(units) => {
                units.iter().fold(0, |found, unit| found | u32::from(*unit & 0xFFFF_F800 == 0xD800)) != 0
            }
        }
    }

    /// The text as WTF-8, borrowed if the units already are.
    #[must_use]
    #[inline]
    pub fn wtf8(self) -> Cow<'a, [u8]> {
        match self {
            Self::Ascii(text) => Cow::Borrowed(text.as_bytes()),
            Self::Utf8(units) => Cow::Borrowed(units),
            wide => Cow::Owned(wide.encoded()),
        }
    }

    /// The text as UTF-8, with U+FFFD for each lone surrogate. Borrowed if it is UTF-8 already.
    #[must_use]
    #[inline]
    pub fn utf8(self) -> Cow<'a, str> {
        if let Self::Ascii(text) = self { Cow::Borrowed(text) } else { replaced(self.wtf8()) }
    }

    #[inline(never)]
    fn encoded(self) -> Vec<u8> {
        let mut out;
        match self {
            Self::Ascii(text) => out = text.as_bytes().to_vec(),
            Self::Utf8(units) => out = units.to_vec(),
            Self::Latin1(units) => {
                out = Vec::with_capacity(units.len() * 2 + 2);
                for unit in units {
                    push_code_point(u32::from(*unit), &mut out);
                }
            }
            Self::Ucs2(units) => {
                out = Vec::with_capacity(units.len() * 3 + 1);
                for unit in units {
                    push_code_point(u32::from(*unit), &mut out);
                }
            }
            Self::Ucs4(units) => {
                out = Vec::with_capacity(units.len() * 4);
                for unit in units {
                    push_code_point(*unit, &mut out);
                }
            }
        }
        out
    }
}

/// Appends one code point as WTF-8: a lone surrogate as its three bytes.
pub fn push_code_point(code: u32, out: &mut Vec<u8>) {
    let (bytes, size) = wtf8(code);
    let end = out.len() + size;
    // All four at once, because a copy of any other size is a call.
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// One code point as WTF-8, and how many bytes of the array it takes.
#[inline]
pub(crate) fn wtf8(code: u32) -> ([u8; 4], usize) {
    #[allow(clippy::cast_possible_truncation, reason = "each byte is masked")]
    let low = |shift: u32| 0x80 | ((code >> shift) as u8 & 0x3F);
    match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xC0 | (code >> 6) as u8, low(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xE0 | (code >> 12) as u8, low(6), low(0), 0], 3),
        _ => ([0xF0 | (code >> 18) as u8, low(12), low(6), low(0)], 4),
    }
}

/// [`replace_surrogates`] for bytes that may be owned.
pub(crate) fn replaced(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => replace_surrogates(bytes),
        Cow::Owned(bytes) => Cow::Owned(replace_surrogates(&bytes).into_owned()),
    }
}

/// WTF-8 as UTF-8. Every lone surrogate becomes U+FFFD, which has the same length.
#[must_use]
pub fn replace_surrogates(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut fixed = bytes.to_vec();
    for at in memchr::memchr_iter(0xED, bytes) {
        if bytes.get(at + 1).is_some_and(|second| *second >= 0xA0) {
            fixed[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
        }
    }
    Cow::Owned(String::from_utf8_lossy(&fixed).into_owned())
}

/// Whether a character counts as white space anywhere: Unicode's own, and the four separators that some hosts add.
#[must_use]
pub fn is_white(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}')
}
