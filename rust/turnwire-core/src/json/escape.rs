//! JSON string bodies: what needs an escape, the escape step, and back.

use std::borrow::Cow;

use super::transcode;
use crate::text::{Units, push_code_point, replace_surrogates};

/// Blocks of this size are looked at with one vector instruction or two.
const BLOCK: usize = 16;
/// Clean text is copied in blocks of this size.
const STRETCH: usize = 64;

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

/// Escapes UTF-8. A block is copied before it is known to be clean and cut back where it is not: copying sixteen bytes
/// costs less than asking how many to copy.
pub(super) fn utf8_body(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + STRETCH);
    let mut rest = text;
    let mut clean_blocks = 0;
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
        if clean_blocks == STRETCH / BLOCK {
            clean_blocks = 0;
            while let Some((stretch, after)) = rest.split_first_chunk::<STRETCH>().filter(|(head, _)| is_clean(head)) {
                out.extend_from_slice(stretch);
                rest = after;
            }
            continue;
        }
        let end = out.len();
        out.extend_from_slice(block);
        match first_special(block) {
            None => {
                rest = after;
                clean_blocks += 1;
            }
            Some(at) => {
                out.truncate(end + at);
                push_escape(block[at], out);
                rest = &rest[at + 1..];
                clean_blocks = 0;
            }
        }
    }
    if rest.iter().all(|byte| ESCAPES[usize::from(*byte)] == 0) {
        out.extend_from_slice(rest);
        return;
    }
    for byte in rest {
        if ESCAPES[usize::from(*byte)] == 0 {
            out.push(*byte);
        } else {
            push_escape(*byte, out);
        }
    }
}

/// How many bytes at the start stand for themselves in a JSON string: no quote, no backslash, no control character.
#[inline]
pub(super) fn clean_prefix(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut blocks = 0;
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
        if let Some(at) = first_special(block) {
            return bytes.len() - rest.len() + at;
        }
        rest = after;
        blocks += 1;
        if blocks == STRETCH / BLOCK {
            blocks = 0;
            while let Some((_, after)) = rest.split_first_chunk::<STRETCH>().filter(|(head, _)| is_clean(head)) {
                rest = after;
            }
        }
    }
    let tail = rest.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0).unwrap_or(rest.len());
    bytes.len() - rest.len() + tail
}

#[inline]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Compiles to a few vector instructions, as long as it is a fold over numbers.
#[inline]
fn is_clean(stretch: &[u8; STRETCH]) -> bool {
    stretch.iter().fold(0, |any, byte| any | u8::from(is_special(*byte))) == 0
}

/// Where the first byte that needs an escape is: the comparisons are one vector, whose bits are then read as a number.
#[inline]
fn first_special(block: &[u8; BLOCK]) -> Option<usize> {
    let mask = u128::from_le_bytes(block.map(|byte| if is_special(byte) { 0xFF } else { 0 }));
    if mask == 0 { None } else { Some(mask.trailing_zeros() as usize / 8) }
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

#[inline]
fn push_escape(byte: u8, out: &mut Vec<u8>) {
    match ESCAPES[usize::from(byte)] {
        b'u' => out.extend_from_slice(&[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), HEX[usize::from(byte & 15)]]),
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

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
