//! Base64, the form of bytes in JSON.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How many characters `length` bytes take.
#[must_use]
pub fn encoded_len(length: usize) -> usize {
    length.div_ceil(3).saturating_mul(4)
}

/// Appends `bytes` as base64 text, padded with `=`.
pub fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(encoded_len(bytes.len()));
    let (groups, rest) = bytes.as_chunks::<3>();
    for [a, b, c] in groups {
        out.extend(digits(*a, *b, *c));
    }
    match rest {
        [a] => out.extend([&digits(*a, 0, 0)[..2], b"=="].concat()),
        [a, b] => out.extend([&digits(*a, *b, 0)[..3], b"="].concat()),
        _ => {}
    }
}

/// The bytes of base64 text, with or without padding, in the standard or the URL-safe alphabet. `None` if it is not
/// base64.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let body = text.trim_ascii_end();
    let body = body.strip_suffix(b"==").or_else(|| body.strip_suffix(b"=")).unwrap_or(body);
    let mut out = Vec::with_capacity(body.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in body {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    (body.len() % 4 != 1).then_some(out)
}

/// Whether every reader accepts this base64 text: not empty, in the standard alphabet, padded, without line breaks.
#[must_use]
pub fn is_sound(text: &[u8]) -> bool {
    let body = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !text.is_empty() && text.len().is_multiple_of(4) && body.iter().all(digit) && !says_bits_over(body)
}

/// Whether the last digit has bits that belong to no byte. Strict readers refuse it.
fn says_bits_over(body: &[u8]) -> bool {
    let over = match body.len() % 4 {
        2 => 15,
        3 => 3,
        _ => return false,
    };
    let value = |byte: u8| match byte {
        b'-' => Some(62),
        b'_' => Some(63),
        _ => DIGITS.iter().position(|digit| *digit == byte),
    };
    body.last().and_then(|last| value(*last)).is_some_and(|value| value & over != 0)
}

/// Whether strict readers of either alphabet accept it, with full padding or none. Empty text is accepted too.
#[must_use]
pub fn is_strict(text: &[u8]) -> bool {
    let padded = text.len().is_multiple_of(4);
    let body = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let digit = |ordinary: bool| {
        let others = if ordinary { b"+/" } else { b"-_" };
        body.iter().all(|byte| byte.is_ascii_alphanumeric() || others.contains(byte))
    };
    (padded || body.len() == text.len())
        && body.len() % 4 != 1
        && (digit(true) || digit(false))
        && !says_bits_over(body)
}

/// The same bytes as sound base64 text: without line breaks, padded, in the standard alphabet. `None` if it is not
/// base64.
#[must_use]
pub fn repaired(text: &[u8]) -> Option<String> {
    let tight: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = decode(&tight).filter(|bytes| !bytes.is_empty())?;
    let mut out = Vec::new();
    encode(&bytes, &mut out);
    String::from_utf8(out).ok()
}

fn digits(a: u8, b: u8, c: u8) -> [u8; 4] {
    let bits = u32::from_be_bytes([0, a, b, c]);
    [18, 12, 6, 0].map(|shift| DIGITS[(bits >> shift) as usize & 63])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_4648_section_10() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")]
        {
            let mut out = Vec::new();
            encode(plain.as_bytes(), &mut out);
            assert_eq!(out, coded.as_bytes());
            assert_eq!(out.len(), encoded_len(plain.len()));
            assert_eq!(decode(coded.as_bytes()).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(decode(b"-_8"), decode(b"+/8="));
        assert!(is_sound(b"Zm8=") && is_sound(b"Zm9v"));
        for (odd, sound) in [
            ("Zm8", "Zm8="),
            ("Zm\n9v", "Zm9v"),
            ("-_8", "+/8="),
            ("Zm8==", "Zm8="),
            ("Zh==", "Zg=="),
            ("Zm9=", "Zm8="),
        ] {
            assert!(!is_sound(odd.as_bytes()), "{odd}");
            assert_eq!(repaired(odd.as_bytes()).as_deref(), Some(sound));
        }
        assert_eq!(repaired(b" "), None);
        for strict in ["", "Zg==", "Zg", "Zm8", "Zm8=", "-_8=", "+/8=", "-_8", "Zm9v"] {
            assert!(is_strict(strict.as_bytes()), "{strict}");
        }
        for odd in ["Zh==", "Zm8==", "Zm9v\n", " ", "====", "Z", "+_8="] {
            assert!(!is_strict(odd.as_bytes()), "{odd}");
        }
        for bad in ["Z", "Zm9vY", "Zm9v!", "data:"] {
            assert_eq!(decode(bad.as_bytes()), None, "{bad}");
        }
    }
}
