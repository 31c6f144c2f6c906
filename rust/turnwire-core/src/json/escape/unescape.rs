//! The text of a JSON string body.

use super::HEX;
use crate::text::push_code_point;

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
