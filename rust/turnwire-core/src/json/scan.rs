//! One validating pass over JSON text (RFC 8259, nothing more), which tells a [`Builder`] what it meets.

use std::borrow::Cow;

use super::escape::{clean_prefix, hex4, unescape};
use crate::{handle::Escapes, value::MAX_DEPTH};

/// Makes something of JSON text while it is read: a tape, a frozen value, a host's own objects.
///
/// Calls come in the order of the text and always balance, up to the place where the text turns out to be no JSON: what was
/// built until then is to be thrown away. `at` and `end` are byte offsets. Calls never fail: a builder that can fail keeps its
/// first fault and ignores what follows.
pub trait Builder {
    /// `null`
    fn null(&mut self, at: usize);
    /// `true` or `false`
    fn bool(&mut self, value: bool, at: usize);
    /// A number.
    fn number(&mut self, number: Number<'_>, at: usize);
    /// A string that is no key.
    fn text(&mut self, body: Body<'_>);
    /// The key of the next value.
    fn key(&mut self, body: Body<'_>);
    /// The beginning of an array.
    fn open_list(&mut self, at: usize);
    /// The beginning of an object.
    fn open_map(&mut self, at: usize);
    /// The end of the innermost array or object; `end` is behind its bracket.
    fn close(&mut self, end: usize);
}

/// A number as it is spelled.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    /// ASCII: an optional minus, digits, perhaps a fraction and an exponent.
    pub spelling: &'a [u8],
    /// Whether it has neither fraction nor exponent.
    pub is_integer: bool,
}

impl Number<'_> {
    /// The spelling as a `str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.spelling).unwrap_or_default()
    }
}

/// The inside of a JSON string, between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The bytes with their escapes; as valid as the text that is read is (UTF-8 or WTF-8).
    pub bytes: &'a [u8],
    /// Where its first byte is.
    pub at: usize,
    /// Which escapes it has.
    pub escapes: Escapes,
}

impl<'a> Body<'a> {
    /// What it says, as WTF-8: surrogates of their own can only come from escapes, see [`Escapes::Lone`].
    #[must_use]
    pub fn wtf8(&self) -> Cow<'a, [u8]> {
        match self.escapes {
            Escapes::None => Cow::Borrowed(self.bytes),
            Escapes::Some | Escapes::Lone => Cow::Owned(unescape(self.bytes)),
        }
    }
}

/// Why a pass ended early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The byte at `at`, or the end of the text, is not what JSON has there. `in_value`: a value had begun or had to.
    Syntax { at: usize, expected: &'static str, in_value: bool },
    /// One container too many.
    TooDeep { at: usize },
}

/// Reads one JSON text. Its encoding is the caller's to check: all that matters here is ASCII.
pub(super) fn scan<B: Builder>(bytes: &[u8], builder: &mut B) -> Result<(), Stop> {
    let mut here = Scanner { bytes, at: 0 };
    let mut nesting = Nesting::default();
    'value: loop {
        let first = here.next_token();
        let at = here.at;
        match first {
            Some(b'"') => {
                let body = here.string(true)?;
                builder.text(body);
            }
            Some(b'{') => {
                nesting.open(true, at)?;
                here.at += 1;
                builder.open_map(at);
                if here.next_token() == Some(b'}') {
                    here.at += 1;
                    nesting.close();
                    builder.close(here.at);
                } else {
                    here.key(builder, "a key or `}`")?;
                    continue 'value;
                }
            }
            Some(b'[') => {
                nesting.open(false, at)?;
                here.at += 1;
                builder.open_list(at);
                if here.next_token() != Some(b']') {
                    continue 'value;
                }
                here.at += 1;
                nesting.close();
                builder.close(here.at);
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = here.number()?;
                builder.number(number, at);
            }
            Some(b't') => {
                here.word(b"true", "`true`")?;
                builder.bool(true, at);
            }
            Some(b'f') => {
                here.word(b"false", "`false`")?;
                builder.bool(false, at);
            }
            Some(b'n') => {
                here.word(b"null", "`null`")?;
                builder.null(at);
            }
            _ => return Err(here.stop("a value", true)),
        }
        loop {
            let next = here.next_token();
            if nesting.depth == 0 {
                return if next.is_none() { Ok(()) } else { Err(here.stop("nothing behind the value", false)) };
            }
            match (next, nesting.in_map) {
                (Some(b','), true) => {
                    here.at += 1;
                    here.next_token();
                    here.key(builder, "a key")?;
                    continue 'value;
                }
                (Some(b','), false) => {
                    here.at += 1;
                    continue 'value;
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    here.at += 1;
                    nesting.close();
                    builder.close(here.at);
                }
                (_, true) => return Err(here.stop("`,` or `}`", false)),
                (_, false) => return Err(here.stop("`,` or `]`", false)),
            }
        }
    }
}

/// Which containers are open: a bit each, so that nesting costs no memory and no recursion.
#[derive(Default)]
struct Nesting {
    depth: usize,
    in_map: bool,
    outer: [u64; MAX_DEPTH.div_ceil(64)],
}

impl Nesting {
    fn open(&mut self, map: bool, at: usize) -> Result<(), Stop> {
        let Some(word) = self.outer.get_mut(self.depth / 64).filter(|_| self.depth < MAX_DEPTH) else {
            return Err(Stop::TooDeep { at });
        };
        let bit = 1 << (self.depth % 64);
        *word = if self.in_map { *word | bit } else { *word & !bit };
        self.depth += 1;
        self.in_map = map;
        Ok(())
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.in_map = self.outer[self.depth / 64] >> (self.depth % 64) & 1 == 1;
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The next byte that is no white space.
    #[inline]
    fn next_token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other,
            }
        }
    }

    #[cold]
    fn stop(&self, expected: &'static str, in_value: bool) -> Stop {
        Stop::Syntax { at: self.at, expected, in_value }
    }

    #[inline]
    fn key<B: Builder>(&mut self, builder: &mut B, expected: &'static str) -> Result<(), Stop> {
        if self.peek() != Some(b'"') {
            return Err(self.stop(expected, false));
        }
        let body = self.string(false)?;
        builder.key(body);
        if self.next_token() != Some(b':') {
            return Err(self.stop("`:`", false));
        }
        self.at += 1;
        Ok(())
    }

    /// A string whose opening quote is the next byte.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as most strings, which are keys and short words")]
    fn string(&mut self, in_value: bool) -> Result<Body<'a>, Stop> {
        let start = self.at + 1;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let clean = clean_prefix(rest);
        self.at = start + clean;
        if rest.get(clean) == Some(&b'"') {
            self.at += 1;
            return Ok(Body { bytes: &rest[..clean], at: start, escapes: Escapes::None });
        }
        self.escaped(start, in_value)
    }

    /// The rest of a string that began at `start`, from its first escape on.
    #[inline(never)]
    fn escaped(&mut self, start: usize, in_value: bool) -> Result<Body<'a>, Stop> {
        let mut escapes = Escapes::None;
        loop {
            // Runs of escapes, as in text that was written in ASCII alone, need no search between them.
            loop {
                match self.peek() {
                    Some(b'\\') => self.escape(&mut escapes, in_value)?,
                    Some(b'"') => {
                        let bytes = &self.bytes[start..self.at];
                        self.at += 1;
                        return Ok(Body { bytes, at: start, escapes });
                    }
                    Some(0..0x20) => return Err(self.stop("an escape for a control character", in_value)),
                    None => return Err(self.stop("`\"`", in_value)),
                    Some(_) => break,
                }
            }
            self.at += clean_prefix(self.bytes.get(self.at..).unwrap_or_default());
        }
    }

    #[inline]
    fn escape(&mut self, escapes: &mut Escapes, in_value: bool) -> Result<(), Stop> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                match self.code_unit(in_value)? {
                    0xD800..0xDC00 if self.low_surrogate_follows() => self.at += 6,
                    0xD800..0xE000 => *escapes = Escapes::Lone,
                    _ => {}
                }
            }
            _ => return Err(self.stop("an escape", in_value)),
        }
        if *escapes == Escapes::None {
            *escapes = Escapes::Some;
        }
        Ok(())
    }

    #[inline]
    fn code_unit(&mut self, in_value: bool) -> Result<u32, Stop> {
        if let Some((unit, _)) = self.bytes.get(self.at..).and_then(hex4) {
            self.at += 4;
            return Ok(unit);
        }
        while self.peek().is_some_and(|digit| digit.is_ascii_hexdigit()) {
            self.at += 1;
        }
        Err(self.stop("four hexadecimal digits", in_value))
    }

    fn low_surrogate_follows(&self) -> bool {
        let rest = self.bytes.get(self.at..).and_then(|rest| rest.strip_prefix(b"\\u"));
        rest.and_then(hex4).is_some_and(|(unit, _)| (0xDC00..0xE000).contains(&unit))
    }

    #[inline]
    fn number(&mut self) -> Result<Number<'a>, Stop> {
        let start = self.at;
        let mut is_integer = true;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            is_integer = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            is_integer = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Number { spelling: &self.bytes[start..self.at], is_integer })
    }

    #[inline]
    fn digits(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.stop("a digit", true)) } else { Ok(()) }
    }

    #[inline]
    fn word(&mut self, word: &[u8], expected: &'static str) -> Result<(), Stop> {
        if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at += word.len();
            return Ok(());
        }
        // At the end of the text if that cut the word short.
        let cut = self.bytes.get(self.at..).is_some_and(|rest| word.starts_with(rest));
        self.at = if cut { self.bytes.len() } else { self.at };
        Err(self.stop(expected, true))
    }
}
