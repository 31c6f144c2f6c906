//! Reads the text of a JSON string body.

use std::ops::Range;

use super::{
    ESCAPES, HEX,
    marks::{self, BLOCK, SIXTEEN, filled_up},
};
use crate::text::wtf8;
use wide::u8x16;

/// The text of a JSON string body as WTF-8. The body must be validated. Everything but escapes is copied.
#[must_use]
pub fn unescape(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    unescape_into(body, body.len(), &mut out);
    out
}

/// Appends to `out` the text of a body, which is the first `len` bytes of `json`. Bytes after the body are read only
/// because steps have a fixed size.
pub fn unescape_into(json: &[u8], len: usize, out: &mut Vec<u8>) {
    let mut end = out.len();
    // A text is never longer than its escaped form. The last write may exceed it.
    out.resize(end + len + WINDOW, 0);
    let (mut rest, mut left) = (json, len.min(json.len()));
    while let (1.., Some(place)) = (left, out.get_mut(end..).and_then(<[u8]>::first_chunk_mut)) {
        let size = left.min(BLOCK);
        let (read, written) = match rest.first_chunk() {
            Some(text) => unescape_block(text, size, place),
            None => unescape_block(&filled_up(rest), size, place),
        };
        end += written;
        left = left.saturating_sub(read);
        rest = rest.get(read..).unwrap_or_default();
    }
    out.truncate(end);
}

/// A block, and the bytes that an escape or a vector beginning in it may reach. With windows of a fixed size, no access
/// has to check where the text ends.
const WINDOW: usize = BLOCK + SIXTEEN;

/// Unescapes the first `size` bytes, and the rest of an escape that begins in them. Returns how many bytes were read,
/// and how many written.
fn unescape_block(text: &[u8; WINDOW], size: usize, out: &mut [u8; WINDOW]) -> (usize, usize) {
    let mut marks = marks::backslashes(text) & (u64::MAX >> (BLOCK - size));
    let (mut done, mut end) = (0, 0);
    // Goes from mark to mark, because one mark does not show where the next one is.
    while marks != 0 {
        let at = marks.trailing_zeros() as usize % BLOCK;
        end = copy(text, done..at, end, out);
        let short = SHORT[usize::from(text[at + 1])];
        if short == 0 {
            let (code, read) = code_point(&text[at + 2..at + 12]);
            let (bytes, written) = wtf8(code);
            out[end % BLOCK..][..4].copy_from_slice(&bytes);
            (done, end) = (at + 2 + read, end + written);
            marks &= u64::MAX.checked_shl(done as u32).unwrap_or_default();
        } else {
            out[end % BLOCK] = short;
            (done, end) = (at + 2, end + 1);
            marks &= !(0b11 << at);
        }
    }
    (done.max(size), copy(text, done..size, end, out))
}

/// Copies some bytes of a block to an index of `out`, as vectors: a copy of fixed size takes an instruction or two.
/// Returns the index after them, which is never beyond the block, because nothing gets longer.
#[inline]
fn copy(text: &[u8; WINDOW], range: Range<usize>, place: usize, out: &mut [u8; WINDOW]) -> usize {
    let (mut from, mut to) = (range.start, place);
    while from < range.end {
        let vector = &text[from % BLOCK..][..SIXTEEN];
        out[to % BLOCK..][..SIXTEEN].copy_from_slice(vector);
        (from, to) = (from + SIXTEEN, to + SIXTEEN);
    }
    place + range.len()
}

/// The character that each letter after a backslash stands for. 0 if it stands for none by itself.
pub(in crate::value::json) static SHORT: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = ESCAPES[byte];
        if letter != 0 && letter != b'u' {
            table[letter as usize] = byte as u8;
        }
        byte += 1;
    }
    table[b'/' as usize] = b'/';
    table
};

/// The first `most` bytes of the text, without reading further.
#[must_use]
pub fn head(body: &[u8], most: usize) -> Vec<u8> {
    // An escape takes at most six bytes for one byte of text. A pair of escapes takes twelve, and may be cut in the
    // middle.
    let mut text = unescape(body.get(..most.saturating_mul(6).saturating_add(12)).unwrap_or(body));
    text.truncate(most);
    text
}

/// The character after `\u`, whose second half may follow, and how many bytes it takes.
#[inline]
fn code_point(digits: &[u8]) -> (u32, usize) {
    let Some((unit, rest)) = hex4(digits) else { return (0xFFFD, 0) };
    if (0xD800..0xDC00).contains(&unit)
        && let Some((low, _)) = rest.strip_prefix(b"\\u").and_then(hex4)
        && (0xDC00..0xE000).contains(&low)
    {
        return (0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00), 10);
    }
    (unit, 4)
}

/// Four hexadecimal digits as a number, and the bytes after them.
#[inline]
pub(in crate::value::json) fn hex4(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = bytes.split_first_chunk::<4>()?;
    let [a, b, c, d] = digits.map(|digit| DIGITS[usize::from(digit)]);
    let unit = u32::from(a) << 12 | u32::from(b) << 8 | u32::from(c) << 4 | u32::from(d);
    ((a | b | c | d) < 16).then_some((unit, rest))
}

/// How many escapes of four digits are read together,
const UNITS: usize = 8;
/// of six bytes each.
const RUN: usize = 6 * UNITS;

/// How many bytes at the start are four-digit escapes of whole characters. Looks only at whole blocks.
#[inline(never)] // Inlined, it would take registers from code for other escapes.
pub(in crate::value::json) fn whole_units(bytes: &[u8]) -> usize {
    let mut units = 0;
    for block in bytes.as_chunks().0 {
        let whole = units_of(block);
        units += whole;
        if whole < UNITS {
            break;
        }
    }
    units * 6
}

/// How many such escapes a block begins with.
#[inline]
fn units_of(block: &[u8; RUN]) -> usize {
    let (mut right, mut any_d) = (0, u8x16::splat(0));
    let forms = FORM.as_chunks().0.iter().zip(IS_DIGIT.as_chunks().0).zip(IS_FIRST.as_chunks().0);
    for (at, (bytes, ((form, is_digit), is_first))) in block.as_chunks::<SIXTEEN>().0.iter().zip(forms).enumerate() {
        let [bytes, form, is_digit, is_first] = [bytes, form, is_digit, is_first].map(|bytes| u8x16::new(*bytes));
        let letters = bytes | u8x16::splat(0x20);
        let is_hex = is_below(10, bytes - u8x16::splat(b'0')) | is_below(6, letters - u8x16::splat(b'a'));
        right |= u64::from((is_hex & is_digit | bytes.simd_eq(form)).to_bitmask()) << (at * SIXTEEN);
        any_d |= letters.simd_eq(u8x16::splat(b'd')) & is_first;
    }
    let units = right.trailing_ones() as usize / 6;
    if any_d.any() { block.as_chunks().0.iter().take(units).take_while(|unit| !is_half(**unit)).count() } else { units }
}

/// Whether an escape is a surrogate: a unit from D800 to DFFF.
fn is_half([_, _, first, second, ..]: [u8; 6]) -> bool {
    first | 0x20 == b'd' && second > b'7'
}

#[inline]
fn is_below(limit: u8, bytes: u8x16) -> u8x16 {
    bytes.min(u8x16::splat(limit - 1)).simd_eq(bytes)
}

/// A block of such escapes, a mask of all digits, and a mask of the first digits.
static FORM: [u8; RUN] = places(*b"\\u0000");
static IS_DIGIT: [u8; RUN] = places([0, 0, 255, 255, 255, 255]);
static IS_FIRST: [u8; RUN] = places([0, 0, 255, 0, 0, 0]);

const fn places(unit: [u8; 6]) -> [u8; RUN] {
    let mut all = [0; RUN];
    let mut at = 0;
    while at < RUN {
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
