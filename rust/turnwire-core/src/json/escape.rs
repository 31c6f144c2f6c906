//! JSON string bodies: what needs an escape, the escape step, and back.

use std::borrow::Cow;

use super::{
    forms::{self, BLOCK, ROOM, Room},
    transcode,
};
use crate::text::{Units, push_code_point, replace_surrogates};

/// Clean text is copied in steps of this size.
const STRETCH: usize = 64;
/// The bytes of a machine word.
const WORD: usize = 8;

/// Writes `units` as a JSON string, quotes included. Returns how many lone surrogates became U+FFFD.
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
        Units::Ascii(bytes) => {
            utf8_body(bytes, out);
            0
        }
        Units::Utf8(bytes) => {
            let (text, replaced) = checked(bytes);
            utf8_body(text.as_bytes(), out);
            replaced
        }
        Units::Latin1(units) => transcode::write::<_, true>(units, out),
        Units::Ucs2(units) => transcode::write::<_, true>(units, out),
        Units::Ucs4(units) => transcode::write::<_, true>(units, out),
    }
}

/// Writes `units` as UTF-8, with nothing escaped. Returns how many lone surrogates became U+FFFD.
pub fn plain(units: Units<'_>, out: &mut Vec<u8>) -> usize {
    match units {
        Units::Ascii(bytes) => {
            out.extend_from_slice(bytes);
            0
        }
        Units::Utf8(bytes) => {
            let (text, replaced) = checked(bytes);
            out.extend_from_slice(text.as_bytes());
            replaced
        }
        Units::Latin1(units) => transcode::write::<_, false>(units, out),
        Units::Ucs2(units) => transcode::write::<_, false>(units, out),
        Units::Ucs4(units) => transcode::write::<_, false>(units, out),
    }
}

/// WTF-8 as UTF-8, and how many lone surrogates that cost.
fn checked(bytes: &[u8]) -> (Cow<'_, str>, usize) {
    let text = replace_surrogates(bytes);
    let replaced = match &text {
        Cow::Borrowed(_) => 0,
        // In valid UTF-8 and WTF-8 alike, 0xED begins a character and is never a later byte of one.
        Cow::Owned(_) => {
            memchr::memchr_iter(0xED, bytes).filter(|at| bytes.get(at + 1).is_some_and(|next| *next >= 0xA0)).count()
        }
    };
    (text, replaced)
}

/// Escapes UTF-8: clean blocks are copied, all others go byte by byte.
pub(super) fn utf8_body(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + ROOM);
    let mut rest = text;
    loop {
        while let Some((stretch, after)) = rest.split_first_chunk::<STRETCH>().filter(|(head, _)| is_clean(head)) {
            out.extend_from_slice(stretch);
            rest = after;
        }
        for _ in 0..STRETCH / BLOCK {
            let Some((block, after)) = rest.split_first_chunk::<BLOCK>() else {
                return last_bytes(text, rest, out);
            };
            if is_clean(block) {
                out.extend_from_slice(block);
            } else {
                byte_by_byte(block, out);
            }
            rest = after;
        }
    }
}

/// Less than a block, the end of `text`: mostly a whole short string, such as an id or a name. Copies are of a fixed size,
/// and begin before the rest or are cut back behind it.
#[inline]
fn last_bytes(text: &[u8], rest: &[u8], out: &mut Vec<u8>) {
    if let Some(block) = text.last_chunk::<BLOCK>()
        && is_clean(block)
    {
        // Bytes that stand for themselves were also written as themselves.
        out.truncate(out.len() - (BLOCK - rest.len()));
        out.extend_from_slice(block);
    } else if let (Some(first), Some(last)) = (rest.first_chunk::<WORD>(), rest.last_chunk::<WORD>()) {
        if first_special(*first).is_some() || first_special(*last).is_some() {
            return byte_by_byte(rest, out);
        }
        out.extend_from_slice(first);
        out.truncate(out.len() - (2 * WORD - rest.len()));
        out.extend_from_slice(last);
    } else {
        const SPACES: u64 = u64::from_ne_bytes([b' '; WORD]);
        let word = rest.iter().rev().fold(SPACES, |word, byte| word << 8 | u64::from(*byte)).to_le_bytes();
        if first_special(word).is_some() {
            return byte_by_byte(rest, out);
        }
        out.extend_from_slice(&word);
        out.truncate(out.len() - (WORD - rest.len()));
    }
}

/// At most a block.
#[inline]
fn byte_by_byte(few: &[u8], out: &mut Vec<u8>) {
    Room::at_end_of(out, |room| {
        let (words, rest) = few.as_chunks::<WORD>();
        for word in words {
            if first_special(*word).is_none() {
                room.push_word(*word);
            } else {
                for byte in word {
                    room.push(forms::UTF8[usize::from(*byte)]);
                }
            }
        }
        for byte in rest {
            room.push(forms::UTF8[usize::from(*byte)]);
        }
    });
}

/// How many bytes at the start stand for themselves in a JSON string: no quote, no backslash, no control character.
#[inline]
pub(super) fn clean_prefix(bytes: &[u8]) -> usize {
    // Most strings, and most stretches between two escapes, end in the first two words.
    if let Some((first, after)) = bytes.split_first_chunk::<WORD>() {
        if let Some(at) = first_special(*first) {
            return at;
        }
        if let Some(at) = after.first_chunk::<WORD>().and_then(|second| first_special(*second)) {
            return WORD + at;
        }
    }
    long_clean_prefix(bytes)
}

#[inline(never)]
fn long_clean_prefix(bytes: &[u8]) -> usize {
    let mut rest = bytes.get(clean_blocks::<STRETCH>(bytes)..).unwrap_or_default();
    rest = rest.get(clean_blocks::<BLOCK>(rest)..).unwrap_or_default();
    while let Some((word, after)) = rest.split_first_chunk::<WORD>() {
        if let Some(at) = first_special(*word) {
            return bytes.len() - rest.len() + at;
        }
        rest = after;
    }
    let tail = rest.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0).unwrap_or(rest.len());
    bytes.len() - rest.len() + tail
}

/// The bytes of all clean blocks at the start.
#[inline]
fn clean_blocks<const SIZE: usize>(bytes: &[u8]) -> usize {
    bytes.as_chunks::<SIZE>().0.iter().take_while(|block| is_clean(block)).count() * SIZE
}

/// Whether a block stands for itself. Compiles to a few vector instructions, as long as it is a fold over numbers.
#[inline]
fn is_clean<const SIZE: usize>(block: &[u8; SIZE]) -> bool {
    let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    block.iter().fold(0, |any, byte| any | u8::from(is_special(*byte))) == 0
}

/// Where the first byte that needs an escape is. The subtractions mark each such byte in its highest bit; a borrow can
/// mark others too, but only behind the first.
#[inline]
fn first_special(word: [u8; WORD]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; WORD]);
    let word = u64::from_le_bytes(word);
    let below = |limit: u8, word: u64| word.wrapping_sub(ONES * u64::from(limit));
    // This swaps the quote and the space, so that the quote comes right behind the control characters.
    let quote_or_control = below(0x21, word ^ (ONES * 2));
    let backslash = below(1, word ^ (ONES * u64::from(b'\\')));
    let marks = (quote_or_control | backslash) & !word & (ONES * 0x80);
    if marks == 0 { None } else { Some(marks.trailing_zeros() as usize / 8) }
}

/// What follows the backslash for each byte that needs one; 0 for all others.
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

/// The text of a JSON string body as WTF-8. The body has been validated; what is not an escape is copied.
#[must_use]
pub fn unescape(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        // Runs of escapes, as in text that was written in ASCII alone, need no search between them.
        while let Some((&kind, after)) = rest.split_first() {
            rest = after;
            match kind {
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                b'r' => out.push(b'\r'),
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'u' => rest = unescape_unicode(rest, &mut out),
                other => out.push(other),
            }
            match rest.split_first() {
                Some((b'\\', after)) => rest = after,
                _ => break,
            }
        }
    }
    out.extend_from_slice(rest);
    out
}

/// Reads what follows `\u`, and the second half of a surrogate pair if there is one.
fn unescape_unicode<'a>(digits: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let Some((unit, rest)) = hex4(digits) else { return digits };
    if (0xD800..0xDC00).contains(&unit)
        && let Some((low, rest)) = rest.strip_prefix(b"\\u").and_then(hex4)
        && (0xDC00..0xE000).contains(&low)
    {
        push_code_point(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00), out);
        return rest;
    }
    push_code_point(unit, out);
    rest
}

/// Four hexadecimal digits as a number, and what follows them.
#[inline]
pub(super) fn hex4(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = bytes.split_first_chunk::<4>()?;
    let [a, b, c, d] = digits.map(|digit| DIGITS[usize::from(digit)]);
    let unit = u32::from(a) << 12 | u32::from(b) << 8 | u32::from(c) << 4 | u32::from(d);
    ((a | b | c | d) < 16).then_some((unit, rest))
}

/// The value of each hexadecimal digit, 255 for any other byte.
static DIGITS: [u8; 256] = {
    let mut table = [255; 256];
    let mut value = 0;
    while value < 16 {
        table[HEX[value] as usize] = value as u8;
        table[HEX[value].to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    table
};
