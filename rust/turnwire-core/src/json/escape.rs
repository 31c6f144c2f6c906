//! JSON string bodies: from text to escapes and back.

use crate::text::push_code_point;

/// The text of a JSON string body as WTF-8. The body has been validated; what is not an escape is copied.
#[must_use]
pub fn unescape(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let Some((&kind, after)) = rest.split_first() else { break };
        rest = after;
        match kind {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'u' => {
                let (unit, after) = hex4(rest);
                rest = after;
                let mut code = unit;
                if (0xD800..0xDC00).contains(&unit) && rest.starts_with(b"\\u") {
                    let (low, after) = hex4(&rest[2..]);
                    if (0xDC00..0xE000).contains(&low) {
                        rest = after;
                        code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    }
                }
                push_code_point(code, &mut out);
            }
            other => out.push(other),
        }
    }
    out.extend_from_slice(rest);
    out
}

fn hex4(bytes: &[u8]) -> (u32, &[u8]) {
    let (digits, rest) = bytes.split_at(bytes.len().min(4));
    let code = digits.iter().fold(0, |code, digit| code << 4 | char::from(*digit).to_digit(16).unwrap_or(0));
    (code, rest)
}
