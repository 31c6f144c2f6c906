//! Writes payloads as JSON bytes.

mod passed;

pub(crate) use self::passed::{Known, Passed};
use super::{
    encode::{self, REPLACEMENT},
    escape::{self, lone},
    mark,
    read::{args_look, says_no_args},
};
use crate::{
    report::Error,
    text::Units,
    value::{ArgsState, Escapes, Host, Input, Key, Marks, Piece, Raw, Sink, Text, handle::span_bytes},
};

/// Writes a payload as JSON bytes.
#[derive(Debug, Default)]
pub struct JsonSink {
    out: Vec<u8>,
    /// The offset in `out` where this payload begins.
    start: usize,
    /// The brackets that end the open containers.
    open: Vec<u8>,
    input: Option<Input>,
    replaced: usize,
    fault: Option<Error>,
    /// A buffer for a value that is written before it is escaped. It is reused.
    scratch: Vec<u8>,
    /// Elements that are dropped when they are written,
    passed: Option<Box<Passed>>,
    /// and where the next of them ends; 0 for none.
    passed_at: usize,
}

impl JsonSink {
    /// Writes after the bytes that `out` already holds, such as earlier lines.
    #[must_use]
    pub fn new(out: Vec<u8>) -> Self {
        Self { start: out.len(), out, ..Self::default() }
    }

    /// Holds a payload that is already written.
    pub(crate) fn holding(payload: Vec<u8>) -> Self {
        Self { out: payload, ..Self::default() }
    }

    /// How many lone surrogates became U+FFFD so far.
    #[must_use]
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// All bytes, including those from before. Complete only if there was no fault.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes a comma, unless the value is the first in its container or follows its key. The last byte shows which it
    /// is: no value ends in one of these.
    #[inline]
    fn begin(&mut self) {
        if self.goes_on() {
            self.out.push(b',');
        }
    }

    #[inline]
    fn goes_on(&self) -> bool {
        self.out.len() > self.start && !matches!(self.out.last(), Some(b'[' | b'{' | b':'))
    }

    #[inline]
    fn open(&mut self, first: u8, last: u8) {
        if self.fault.is_none() {
            self.begin();
            self.out.push(first);
            self.open.push(last);
        }
    }

    fn keep(&mut self, written: Result<usize, Error>) {
        match written {
            Ok(replaced) => self.replaced += replaced,
            Err(fault) => self.fault = Some(fault),
        }
    }
}

impl<H: Host> Sink<H> for JsonSink {
    #[inline]
    fn scope(&mut self, input: Option<&Input>) {
        // Usually the input stays the same for many turns, and counting references is an expensive instruction.
        if !matches!((&self.input, input), (Some(mine), Some(new)) if mine.is(new)) {
            self.input = input.cloned();
        }
    }

    fn open_map(&mut self) {
        self.open(b'{', b'}');
    }

    fn open_list(&mut self) {
        self.open(b'[', b']');
    }

    #[inline]
    fn close(&mut self) {
        if self.fault.is_none() {
            self.out.extend(self.open.pop());
            self.ended();
        }
    }

    fn key(&mut self, key: &'static Key) {
        if self.fault.is_none() {
            key.write(self.goes_on(), &mut self.out);
        }
    }

    fn key_text(&mut self, key: &Text<H>) {
        if self.fault.is_none() {
            Sink::<H>::text(self, key);
            self.out.push(b':');
        }
    }

    fn literal(&mut self, word: &'static Key) {
        if self.fault.is_none() {
            word.write_literal(self.goes_on(), &mut self.out);
        }
    }

    #[inline]
    fn text(&mut self, text: &Text<H>) {
        if self.fault.is_none() {
            self.begin();
            self.replaced += encode::text(text, self.input.as_ref(), &mut self.out);
        }
    }

    fn pieces(&mut self, pieces: &[Piece<'_, H>]) {
        if self.fault.is_some() {
            return;
        }
        self.begin();
        self.out.push(b'"');
        for piece in pieces {
            match piece {
                Piece::Str(text) => escape::utf8_body(text.as_bytes(), &mut self.out),
                Piece::Text(text) => self.replaced += encode::body(text, self.input.as_ref(), &mut self.out),
            }
        }
        self.out.push(b'"');
    }

    fn bool(&mut self, value: bool) {
        if self.fault.is_none() {
            self.begin();
            self.out.extend_from_slice(if value { b"true" } else { b"false" });
        }
    }

    fn null(&mut self) {
        if self.fault.is_none() {
            self.begin();
            self.out.extend_from_slice(b"null");
        }
    }

    fn number(&mut self, number: u64) {
        if self.fault.is_none() {
            self.begin();
            // Almost every number has one digit.
            match u8::try_from(number) {
                Ok(digit @ 0..10) => self.out.push(b'0' + digit),
                _ => self.out.extend_from_slice(number.to_string().as_bytes()),
            }
        }
    }

    fn raw(&mut self, raw: &Raw<H>) {
        match raw {
            _ if self.fault.is_some() => {}
            Raw::Tree(item) if self.passed_at > 0 => self.passing_over(item),
            _ => {
                self.begin();
                let written = encode::raw(raw, self.input.as_ref(), &mut self.out);
                self.keep(written);
                self.ended();
            }
        }
    }

    fn sound(&mut self, raw: &Raw<H>) {
        if self.fault.is_none() {
            self.begin();
            let written = encode::sound(raw, self.input.as_ref(), &mut self.out);
            self.keep(written);
            self.ended();
        }
    }

    fn raw_as_text(&mut self, raw: &Raw<H>) {
        if self.fault.is_some() {
            return;
        }
        self.begin();
        self.out.push(b'"');
        if let Raw::Span(span) = raw {
            let json = span_bytes(*span, self.input.as_ref());
            match lone::replaced(json, REPLACEMENT) {
                None => escape::utf8_body(json, &mut self.out),
                Some((json, count)) => {
                    self.replaced += count;
                    escape::utf8_body(&json, &mut self.out);
                }
            }
        } else {
            self.scratch.clear();
            let written = encode::sound(raw, self.input.as_ref(), &mut self.scratch);
            escape::utf8_body(&self.scratch, &mut self.out);
            self.keep(written);
        }
        self.out.push(b'"');
    }

    fn text_as_raw(&mut self, text: &Text<H>) -> ArgsState {
        if self.fault.is_some() {
            return ArgsState::Invalid;
        }
        self.begin();
        let start = self.out.len();
        // Writes in place and checks there, so that nothing is copied.
        let replaced = match text {
            Text::Host(text) => H::write_plain(H::units(text), &mut self.out),
            Text::Span(span) if span.escapes == Escapes::Some => {
                let json = self.input.as_ref().map_or(&[][..], |input| input.from(*span));
                escape::unescape_into(json, span.len as usize, &mut self.out);
                0
            }
            _ => escape::plain(Units::Utf8(&text.wtf8(self.input.as_ref())), &mut self.out),
        };
        let written = &self.out[start..];
        let (state, has_half) = args_look(written);
        if state != ArgsState::Object || says_no_args(written) {
            self.out.truncate(start);
            self.out.extend_from_slice(b"{}");
            return state;
        }
        self.replaced += replaced;
        if has_half && let Some((json, count)) = lone::replaced(written, REPLACEMENT) {
            self.replaced += count;
            self.out.truncate(start);
            self.out.extend_from_slice(&json);
        }
        trim(&mut self.out, start);
        state
    }

    fn mark<M: Marks<H>>(&mut self, marks: &mut M) -> Result<(), Error> {
        let written = self.out.split_off(self.start);
        self.out.extend(mark::marked(written, marks)?);
        Ok(())
    }

    fn replaced(&self) -> usize {
        self.replaced
    }

    fn fault(&mut self) -> Option<Error> {
        self.fault.clone()
    }
}

/// Removes white space around the JSON value that begins at `start`, and line breaks inside it. Line breaks can only be
/// between tokens, and would break a line of JSONL in two.
fn trim(out: &mut Vec<u8>, start: usize) {
    let written = out[start..].trim_ascii();
    if written.len() == out.len() - start && memchr::memchr2(b'\n', b'\r', written).is_none() {
        return;
    }
    let kept: Vec<u8> = written.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    out.truncate(start);
    out.extend_from_slice(&kept);
}
