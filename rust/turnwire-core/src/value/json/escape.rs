//! JSON string bodies: which characters need an escape, the escape step, and its reverse.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
mod bytes;
mod characters;
mod eight;
mod forms;
pub(crate) mod lone;
pub(super) mod marks;
mod unescape;

use std::borrow::Cow;

use self::marks::SIXTEEN;
pub use self::unescape::{head, unescape, unescape_into};
pub(super) use self::{
    bytes::write as utf8_body,
    unescape::{SHORT, hex4, whole_units},
};
use crate::text::{Units, replace_surrogates};

/// Clean text is checked in steps of this size,
const STRETCH: usize = 64;
/// all other text in steps of this size.
const BLOCK: usize = 16;
/// The bytes of a machine word.
const WORD: usize = 8;

/// Writes `units` as a JSON string, quotes included. Returns how many lone surrogates became U+FFFD.
#[inline]
pub fn string(units: Units<'_>, out: &mut Vec<u8>) -> usize {
    out.push(b'"');
    let replaced = body(units, out);
    out.push(b'"');
    replaced
}

/// Writes `units` as the inside of a JSON string: `"`, `\` and control characters escaped, all else as UTF-8. Returns how
/// many lone surrogates became U+FFFD.
pub fn body(units: Units<'_>, out: &mut Vec<u8>) -> usize {
    match units {
        Units::Ascii(text) => {
            bytes::write(text.as_bytes(), out);
            0
        }
        Units::Utf8(text) => checked(text, |text| bytes::write(text, out)),
        Units::Latin1(units) => characters::write(units, out, eight::step::<_, true>),
        Units::Ucs2(units) => characters::write(units, out, eight::step::<_, true>),
        Units::Ucs4(units) => characters::write(units, out, eight::step::<_, true>),
    }
}

/// Writes `units` as UTF-8 without escapes. Returns how many lone surrogates became U+FFFD.
pub fn plain(units: Units<'_>, out: &mut Vec<u8>) -> usize {
    match units {
        Units::Ascii(text) => {
            out.extend_from_slice(text.as_bytes());
            0
        }
        Units::Utf8(text) => checked(text, |text| out.extend_from_slice(text)),
        Units::Latin1(units) => characters::write(units, out, eight::step::<_, false>),
        Units::Ucs2(units) => characters::write(units, out, eight::step::<_, false>),
        Units::Ucs4(units) => characters::write(units, out, eight::step::<_, false>),
    }
}

/// Passes WTF-8 on as UTF-8. Returns how many lone surrogates became U+FFFD.
#[inline(never)] // Keeps the code path of ASCII short, because most texts are ASCII.
fn checked(wtf8: &[u8], write: impl FnOnce(&[u8])) -> usize {
    let text = replace_surrogates(wtf8);
    write(text.as_bytes());
    match text {
        Cow::Borrowed(_) => 0,
        // In valid UTF-8 and in WTF-8, 0xED always begins a character and is never a later byte of one.
        Cow::Owned(_) => {
            memchr::memchr_iter(0xED, wtf8).filter(|at| wtf8.get(at + 1).is_some_and(|next| *next >= 0xA0)).count()
        }
    }
}

/// How many bytes at the start need no escape in a JSON string: no quote, no backslash, no control character.
#[inline]
pub(super) fn clean_prefix(bytes: &[u8]) -> usize {
    // Most strings, and most stretches between two escapes, end in the first block.
    if let Some((block, after)) = bytes.split_first_chunk::<SIXTEEN>() {
        return marks::first_special(block).unwrap_or_else(|| SIXTEEN + long_clean_prefix(after));
    }
    short_clean_prefix(bytes)
}

#[inline(never)]
fn long_clean_prefix(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((block, after)) = rest.split_first_chunk::<SIXTEEN>() {
        if let Some(at) = marks::first_special(block) {
            return bytes.len() - rest.len() + at;
        }
        rest = after;
    }
    bytes.len() - rest.len() + short_clean_prefix(rest)
}

/// [`clean_prefix`] for less than a block.
#[inline(never)]
fn short_clean_prefix(bytes: &[u8]) -> usize {
    let (mut rest, mut clean) = (bytes, 0);
    while let Some((word, after)) = rest.split_first_chunk::<WORD>() {
        if let Some(at) = first_special(*word) {
            return clean + at;
        }
        (rest, clean) = (after, clean + WORD);
    }
    clean + rest.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0).unwrap_or(rest.len())
}

/// Whether a block needs no escape: by vectors, then by a word, then byte by byte.
#[inline]
fn is_clean<const SIZE: usize>(block: &[u8; SIZE]) -> bool {
    let (vectors, rest) = block.as_chunks();
    let (words, rest) = rest.as_chunks();
    !marks::are_special(vectors)
        && words.iter().all(|word| first_special(*word).is_none())
        && rest.iter().all(|byte| ESCAPES[usize::from(*byte)] == 0)
}

/// The index of the first byte that needs an escape. The subtractions mark each such byte in its highest bit. A borrow
/// can mark others too, but only after the first.
#[inline]
fn first_special(word: [u8; WORD]) -> Option<usize> {
    let word = u64::from_le_bytes(word);
    // Swaps the quote and the space, so that the quote directly follows the control characters.
    let quote_or_control = below(0x21, word ^ (ONES * 2));
    let backslash = below(1, word ^ (ONES * u64::from(b'\\')));
    first_mark((quote_or_control | backslash) & !word)
}

const ONES: u64 = u64::from_ne_bytes([1; WORD]);

/// Marks the bytes below a limit in their highest bits. A borrow can mark others too, but only after the first.
#[inline]
fn below(limit: u8, word: u64) -> u64 {
    word.wrapping_sub(ONES * u64::from(limit))
}

#[inline]
fn first_mark(word: u64) -> Option<usize> {
    let marks = word & (ONES * 0x80);
    if marks == 0 { None } else { Some(marks.trailing_zeros() as usize / 8) }
}

/// The byte after the backslash for each byte that needs an escape, 0 for all others.
pub(super) static ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = b'u';
        byte += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0A] = b'n';
    table[0x0C] = b'f';
    table[0x0D] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

pub(super) static HEX: [u8; 16] = *b"0123456789abcdef";
