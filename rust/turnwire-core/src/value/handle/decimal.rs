//! Numbers by value, exact at any size: the significant digits and the position of the decimal point.

/// A number as a whole number that does not end in zero, times a power of ten.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: Exponent,
}

#[derive(Debug, PartialEq, Eq)]
enum Exponent {
    Of(i128),
    /// A number whose exponent is too large to count: its spelling, and by how many places the digits moved.
    Beyond(Vec<u8>, i128),
}

impl Decimal {
    /// The value of a number in JSON's spelling. `None` for any other text.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let (negative, text) = text.strip_prefix(b"-").map_or((false, text), |text| (true, text));
        let (mantissa, exponent) = split(text, |byte| matches!(byte, b'e' | b'E'));
        let (whole, part) = split(mantissa, |byte| byte == b'.');
        let mut digits: Vec<u8> = [whole, part.unwrap_or_default()].concat();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let all = digits.len();
        let kept = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        digits.truncate(kept);
        digits.drain(..digits.iter().take_while(|digit| **digit == b'0').count());
        if digits.is_empty() {
            return Some(Self { negative: false, digits, exponent: Exponent::Of(0) });
        }
        let moved = (all - kept) as i128 - part.map_or(0, <[u8]>::len) as i128;
        Some(Self { negative, digits, exponent: Exponent::of(exponent, moved)? })
    }
}

impl Exponent {
    fn of(text: Option<&[u8]>, moved: i128) -> Option<Self> {
        let Some(text) = text else { return Some(Self::Of(moved)) };
        let (sign, digits) = match text {
            [b'-', digits @ ..] => ("-", digits),
            [b'+', digits @ ..] | digits => ("", digits),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        let spelled = [sign.as_bytes(), &digits[zeros..]].concat();
        let counted = match std::str::from_utf8(&spelled) {
            Ok("" | "-") => Some(0),
            Ok(spelled) => spelled.parse::<i128>().ok(),
            Err(_) => None,
        };
        Some(match counted.and_then(|counted| counted.checked_add(moved)) {
            Some(exponent) => Self::Of(exponent),
            None => Self::Beyond(spelled, moved),
        })
    }
}

/// The parts before and after the first such byte.
fn split(text: &[u8], at: impl Fn(u8) -> bool) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| at(*byte)) {
        Some(place) => (&text[..place], Some(&text[place + 1..])),
        None => (text, None),
    }
}
