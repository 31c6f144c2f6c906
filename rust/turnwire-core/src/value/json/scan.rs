//! One validating pass over JSON text (exactly RFC 8259), which calls a [`Builder`] for everything in it.

use super::{
    builder::{Body, Builder, Number},
    escape::{
        SHORT, clean_prefix, hex4,
        marks::{BLOCK, specials},
        whole_units,
    },
};
use crate::value::{Escapes, MAX_DEPTH};

/// Why a pass ended early. Boxed, because every result has room for it, but few have it.
pub(super) type Stop = Box<Reason>;

/// What is wrong with a text.
#[derive(Debug)]
pub(super) enum Reason {
    /// The byte at `at`, or the end of the text, is not what JSON requires there. `in_value`: whether a value had begun
    /// or was expected.
    Syntax { at: usize, expected: &'static str, in_value: bool },
    /// The containers are nested too deep.
    TooDeep { at: usize },
}

/// Reads one JSON text. The caller checks its encoding: only ASCII matters here.
pub(super) fn scan<B: Builder>(bytes: &[u8], builder: &mut B) -> Result<(), Stop> {
    let mut here = Scanner { rest: bytes, len: bytes.len() };
    let (mut depth, mut in_map, mut outer) = (0, false, Outer::default());
    let mut first_key = false;
    loop {
        if in_map {
            here.key(builder, first_key)?;
        }
        let first = here.next_token();
        let at = here.at();
        match first {
            Some(b'"') => {
                here.pass(1);
                let body = here.string(true)?;
                builder.text(body);
            }
            Some(b'{') => {
                outer.push(depth, in_map, at)?;
                (depth, in_map, first_key) = (depth + 1, true, true);
                here.pass(1);
                builder.open_map(at);
                if here.next_token() != Some(b'}') {
                    continue;
                }
            }
            Some(b'[') => {
                outer.push(depth, in_map, at)?;
                (depth, in_map) = (depth + 1, false);
                here.pass(1);
                builder.open_list(at);
                if here.next_token() != Some(b']') {
                    continue;
                }
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = number(here)?;
                here.pass(number.spelling.len());
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
            _ => return here.stop("a value", true),
        }
        // After a value, or before the bracket that closes an empty container.
        loop {
            let next = here.next_token();
            if depth == 0 {
                return if next.is_none() { Ok(()) } else { here.stop("nothing behind the value", false) };
            }
            match (next, in_map) {
                (Some(b','), _) => {
                    here.pass(1);
                    first_key = false;
                    break;
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    here.pass(1);
                    depth -= 1;
                    in_map = outer.is_map(depth);
                    builder.close(here.at());
                }
                (_, true) => return here.stop("`,` or `}`", false),
                (_, false) => return here.stop("`,` or `]`", false),
            }
        }
    }
}

/// Whether each container around the innermost one is a map, one bit each. So nesting needs no memory and no recursion.
#[derive(Default)]
struct Outer([u64; MAX_DEPTH.div_ceil(64)]);

impl Outer {
    /// Remembers what contains the container that begins at `at`.
    #[inline]
    fn push(&mut self, depth: usize, in_map: bool, at: usize) -> Result<(), Stop> {
        let Some(word) = self.0.get_mut(depth / 64).filter(|_| depth < MAX_DEPTH) else {
            return Err(Box::new(Reason::TooDeep { at }));
        };
        let bit = 1 << (depth % 64);
        *word = if in_map { *word | bit } else { *word & !bit };
        Ok(())
    }

    #[inline]
    fn is_map(&self, depth: usize) -> bool {
        self.0[depth / 64] >> (depth % 64) & 1 == 1
    }
}

/// A position in the text. Functions that are not inlined take its fields: without references to it, it stays in
/// registers.
#[derive(Clone, Copy)]
struct Scanner<'a> {
    /// The rest of the text.
    rest: &'a [u8],
    /// The length of the whole text.
    len: usize,
}

impl<'a> Scanner<'a> {
    /// The offset of the next byte.
    #[inline]
    fn at(self) -> usize {
        self.len - self.rest.len()
    }

    #[inline]
    fn peek(self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Skips the next `count` bytes.
    #[inline]
    fn pass(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// The next byte that is not white space.
    #[inline]
    fn next_token(&mut self) -> Option<u8> {
        loop {
            match self.rest {
                [b' ' | b'\n' | b'\r' | b'\t', after @ ..] => self.rest = after,
                rest => return rest.first().copied(),
            }
        }
    }

    #[inline]
    fn stop<T>(self, expected: &'static str, in_value: bool) -> Result<T, Stop> {
        syntax(self.at(), expected, in_value)
    }

    #[inline]
    fn key<B: Builder>(&mut self, builder: &mut B, first: bool) -> Result<(), Stop> {
        if self.next_token() != Some(b'"') {
            return self.stop(if first { "a key or `}`" } else { "a key" }, false);
        }
        self.pass(1);
        let body = self.string(false)?;
        builder.key(body);
        // All writers except compact ones put this between a key and its value.
        if let [b':', b' ', after @ ..] = self.rest {
            self.rest = after;
            return Ok(());
        }
        if self.next_token() != Some(b':') {
            return self.stop("`:`", false);
        }
        self.pass(1);
        Ok(())
    }

    /// Reads a string after its opening quote.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as most strings, which are keys and short words")]
    fn string(&mut self, in_value: bool) -> Result<Body<'a>, Stop> {
        let at = self.at();
        let clean = clean_prefix(self.rest);
        if let Some((bytes, [b'"', after @ ..])) = self.rest.split_at_checked(clean) {
            self.rest = after;
            return Ok(Body { bytes, at, escapes: Escapes::None });
        }
        let body = escaped(self.rest, at, clean, in_value)?;
        self.pass(body.bytes.len() + 1);
        Ok(body)
    }

    /// Reads a run of `\u` escapes, as in text written in ASCII alone. Returns whether one is a lone surrogate.
    #[inline]
    fn units(&mut self, in_value: bool) -> Result<bool, Stop> {
        let mut lone = false;
        loop {
            self.pass(whole_units(self.rest));
            let [b'\\', b'u', after @ ..] = self.rest else { return Ok(lone) };
            self.rest = after;
            match self.code_unit(in_value)? {
                0xD800..0xDC00 => match self.low_surrogate() {
                    Some(after) => self.rest = after,
                    None => lone = true,
                },
                0xDC00..0xE000 => lone = true,
                _ => {}
            }
        }
    }

    #[inline]
    fn code_unit(&mut self, in_value: bool) -> Result<u32, Stop> {
        if let Some((unit, after)) = hex4(self.rest) {
            self.rest = after;
            return Ok(unit);
        }
        while self.peek().is_some_and(|digit| digit.is_ascii_hexdigit()) {
            self.pass(1);
        }
        self.stop("four hexadecimal digits", in_value)
    }

    /// The text after the escape of a low surrogate, if that comes next.
    fn low_surrogate(self) -> Option<&'a [u8]> {
        let (unit, after) = self.rest.strip_prefix(b"\\u").and_then(hex4)?;
        (0xDC00..0xE000).contains(&unit).then_some(after)
    }

    #[inline]
    fn digits(&mut self) -> Result<(), Stop> {
        let Some(b'0'..=b'9') = self.peek() else { return self.stop("a digit", true) };
        while let [b'0'..=b'9', after @ ..] = self.rest {
            self.rest = after;
        }
        Ok(())
    }

    #[inline]
    fn word<const SIZE: usize>(&mut self, word: &[u8; SIZE], expected: &'static str) -> Result<(), Stop> {
        if let Some(after) = self.rest.strip_prefix(word) {
            self.rest = after;
            return Ok(());
        }
        // If the end of the text cut the word short, the error is there.
        if word.starts_with(self.rest) {
            self.rest = &[];
        }
        self.stop(expected, true)
    }
}

#[cold]
fn syntax<T>(at: usize, expected: &'static str, in_value: bool) -> Result<T, Stop> {
    Err(Box::new(Reason::Syntax { at, expected, in_value }))
}

/// A string that begins `text`, at offset `at`. Its first `clean` bytes are known to need no escape; the next one is
/// not its end.
#[inline(never)]
fn escaped(text: &[u8], at: usize, clean: usize, in_value: bool) -> Result<Body<'_>, Stop> {
    let mut here = Scanner { rest: text.get(clean..).unwrap_or_default(), len: at + text.len() };
    let mut lone = false;
    loop {
        let mut marks = specials(here.rest);
        let mut done = BLOCK;
        // Goes from mark to mark, because one mark does not show where the next one is.
        while marks != 0 {
            let at = marks.trailing_zeros() as usize;
            let next = here.rest.get(at..).unwrap_or_default();
            let [b'\\', letter, ..] = next else { break };
            if SHORT[usize::from(*letter)] == 0 {
                break;
            }
            done = done.max(at + 2);
            marks &= !(0b11 << at);
        }
        if marks == 0 {
            here.pass(done);
            if here.rest.is_empty() {
                return here.stop("`\"`", in_value);
            }
            continue;
        }
        here.pass(marks.trailing_zeros() as usize);
        match here.rest {
            [b'"', ..] => {
                let bytes = &text[..text.len() - here.rest.len()];
                return Ok(Body { bytes, at, escapes: if lone { Escapes::Lone } else { Escapes::Some } });
            }
            [b'\\', b'u', ..] => lone |= here.units(in_value)?,
            [b'\\', ..] => {
                here.pass(1);
                return here.stop("an escape", in_value);
            }
            _ => return here.stop("an escape for a control character", in_value),
        }
    }
}

/// The number that begins here.
#[inline(never)]
fn number(start: Scanner<'_>) -> Result<Number<'_>, Stop> {
    let (mut here, mut is_integer) = (start, true);
    if here.peek() == Some(b'-') {
        here.pass(1);
    }
    if here.peek() == Some(b'0') {
        here.pass(1);
    } else {
        here.digits()?;
    }
    if here.peek() == Some(b'.') {
        is_integer = false;
        here.pass(1);
        here.digits()?;
    }
    if let Some(b'e' | b'E') = here.peek() {
        is_integer = false;
        here.pass(1);
        if let Some(b'+' | b'-') = here.peek() {
            here.pass(1);
        }
        here.digits()?;
    }
    Ok(Number { spelling: &start.rest[..start.rest.len() - here.rest.len()], is_integer })
}
