//! The text of a JSON string body.

use super::{HEX, WORD, first_backslash};
use crate::text::push_code_point;

/// The text of a JSON string body as WTF-8. The body has been validated; what is not an escape is copied.
#[must_use]
pub fn unescape(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    unescape_into(body, &mut out);
    out
}

/// The same behind what `out` holds.
pub fn unescape_into(body: &[u8], out: &mut Vec<u8>) {
    // No text is longer than its escapes; a word may be written whose end is taken back.
    out.reserve(body.len() + WORD);
    let mut rest = copy_clean(body, out);
    while let Some((b'\\', after)) = rest.split_first() {
        rest = after;
        // Runs of escapes, as in text that was written in ASCII alone, need no search between them.
        while let Some((&kind, after)) = rest.split_first() {
            rest = after;
            match kind {
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                b'r' => out.push(b'\r'),
                b'b' => out.push(8),
                b'f' => out.push(12),
                b'u' => rest = unescape_unicode(rest, out),
                other => out.push(other),
            }
            match rest.split_first() {
                Some((b'\\', after)) => rest = after,
                _ => break,
            }
        }
        rest = copy_clean(rest, out);
    }
}

/// Copies what stands before the next escape. Returns the rest, which begins with that escape.
#[inline]
fn copy_clean<'a>(bytes: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let mut rest = bytes;
    // Most stretches end in the first two words, which are copied before that is known.
    for _ in 0..2 {
        let Some((word, after)) = rest.split_first_chunk::<WORD>() else { break };
        out.extend_from_slice(word);
        if let Some(at) = first_backslash(*word) {
            out.truncate(out.len() - (WORD - at));
            return &rest[at..];
        }
        rest = after;
    }
    let (clean, rest) = rest.split_at(memchr::memchr(b'\\', rest).unwrap_or(rest.len()));
    out.extend_from_slice(clean);
    rest
}

/// The first `most` bytes of the same text, without reading what is behind them.
#[must_use]
pub fn head(body: &[u8], most: usize) -> Vec<u8> {
    // An escape takes six bytes for one at the most, and a pair of them, which may be cut in the middle, twelve.
    let mut text = unescape(body.get(..most.saturating_mul(6).saturating_add(12)).unwrap_or(body));
    text.truncate(most);
    text
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
pub(in crate::json) fn hex4(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = bytes.split_first_chunk::<4>()?;
    let [a, b, c, d] = digits.map(|digit| DIGITS[usize::from(digit)]);
    let unit = u32::from(a) << 12 | u32::from(b) << 8 | u32::from(c) << 4 | u32::from(d);
    ((a | b | c | d) < 16).then_some((unit, rest))
}

/// What follows an escape of four digits that stands for a whole character, where one comes next.
#[inline]
pub(in crate::json) fn whole_unit(bytes: &[u8]) -> Option<&[u8]> {
    let (&[b'\\', b'u', a, b, c, d], rest) = bytes.split_first_chunk()? else { return None };
    let [a, b, c, d] = [a, b, c, d].map(|digit| DIGITS[usize::from(digit)]);
    ((a | b | c | d) < 16 && !(a == 0xD && b >= 8)).then_some(rest)
}

/// So many escapes of four digits are looked at together,
const UNITS: usize = 8;
/// of six bytes each.
const BLOCK: usize = 6 * UNITS;

/// How many bytes at the start are such escapes, as far as they fill blocks.
#[inline]
pub(in crate::json) fn whole_units(bytes: &[u8]) -> usize {
    bytes.as_chunks::<BLOCK>().0.iter().take_while(|block| are_whole_units(block)).count() * BLOCK
}

/// Compiles to a few vector instructions, as long as it is a fold over numbers.
#[inline]
fn are_whole_units(block: &[u8; BLOCK]) -> bool {
    let (mut wrong, mut any_d) = (0, 0);
    for (at, byte) in block.iter().enumerate() {
        let letter = byte | 0x20;
        let is_digit = (byte.wrapping_sub(b'0') < 10) | (letter.wrapping_sub(b'a') < 6);
        wrong |= (byte ^ INTRO[at]) & IS_INTRO[at] | (u8::from(is_digit).wrapping_sub(1)) & !IS_INTRO[at];
        any_d |= u8::from(letter == b'd') & IS_FIRST[at];
    }
    // The units from D800 to DFFF are halves of characters.
    let is_half = |unit: &[u8; 6]| unit[2] | 0x20 == b'd' && unit[3] > b'7';
    wrong == 0 && (any_d == 0 || !block.as_chunks::<6>().0.iter().any(is_half))
}

/// What stands at each place of a block that is no digit, and all bits where one stands; and where the first digits are.
static INTRO: [u8; BLOCK] = places(*b"\\u\0\0\0\0");
static IS_INTRO: [u8; BLOCK] = places([255, 255, 0, 0, 0, 0]);
static IS_FIRST: [u8; BLOCK] = places([0, 0, 1, 0, 0, 0]);

const fn places(unit: [u8; 6]) -> [u8; BLOCK] {
    let mut all = [0; BLOCK];
    let mut at = 0;
    while at < BLOCK {
        all[at] = unit[at % 6];
        at += 1;
    }
    all
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
