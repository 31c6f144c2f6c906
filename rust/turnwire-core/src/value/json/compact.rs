//! Writes JSON in one spelling for both doors: no white space, and escapes only where JSON needs them.

use super::{
    builder::{Body, Builder, Number},
    encode, escape, number,
    read::build_wtf8,
};
use crate::{
    report::Error,
    text::Units,
    value::{Host, Input, Raw, Value, handle::span_bytes},
};

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// In their original spelling.
    Spelled,
    /// As a program writes them after reading them: 1.50 as 1.5.
    Alike,
}

/// Appends JSON text in its compact form. The text may be WTF-8. Returns how many lone surrogates became U+FFFD. If it
/// is not JSON, `out` does not change.
pub fn text(json: &[u8], numbers: Numbers, out: &mut Vec<u8>) -> Result<usize, Error> {
    let start = out.len();
    let mut writing = Writing { start, open: Vec::new(), numbers, replaced: 0, out };
    let written = build_wtf8(json, &mut writing);
    let replaced = writing.replaced;
    if written.is_err() {
        out.truncate(start);
    }
    written.map(|()| replaced)
}

/// Appends a value as compact JSON text. Returns how many lone surrogates became U+FFFD.
pub fn raw<H: Host>(raw: &Raw<H>, input: Option<&Input>, numbers: Numbers, out: &mut Vec<u8>) -> Result<usize, Error> {
    match raw {
        Raw::Span(span) => text(span_bytes(*span, input), numbers, out),
        Raw::Own(json) => text(json.as_bytes(), numbers, out),
        Raw::Tree(tree) => value(tree, numbers, out),
        Raw::Loan(_) => value(&raw.to_value(input)?, numbers, out),
    }
}

/// Appends a value as compact JSON text, with an escape for each lone surrogate: no other text can hold one.
pub fn escaped<H: Host>(value: &Value<H>, out: &mut Vec<u8>) -> Result<(), Error> {
    match value {
        Value::Text(text) => string(&text.wtf8(None), out),
        Value::List(items) => {
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                out.extend((at > 0).then_some(b','));
                escaped(item, out)?;
            }
            out.push(b']');
        }
        Value::Map(entries) => {
            out.push(b'{');
            for (at, (key, item)) in entries.iter().enumerate() {
                out.extend((at > 0).then_some(b','));
                string(&key.wtf8(None), out);
                out.push(b':');
                escaped(item, out)?;
            }
            out.push(b'}');
        }
        other => {
            encode::value(other, None, out)?;
        }
    }
    Ok(())
}

#[inline]
fn string(wtf8: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = wtf8;
    while let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xED && pair[1] >= 0xA0) {
        let (sound, half) = rest.split_at(at);
        escape::body(Units::Utf8(sound), out);
        let (half, after) = half.split_at(half.len().min(3));
        let unit = half.iter().fold(0_u32, |unit, byte| unit << 6 | u32::from(byte & 0x3F)) & 0x0FFF | 0xD000;
        out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
        rest = after;
    }
    escape::body(Units::Utf8(rest), out);
    out.push(b'"');
}

fn value<H: Host>(value: &Value<H>, numbers: Numbers, out: &mut Vec<u8>) -> Result<usize, Error> {
    let start = out.len();
    let replaced = encode::value(value, None, out)?;
    // A host's own numbers have one spelling. Those that came from JSON text may have any.
    if numbers == Numbers::Alike && is_spelled(value) {
        let json = out.split_off(start);
        text(&json, numbers, out)?;
    }
    Ok(replaced)
}

/// Whether a number in it came from JSON text.
fn is_spelled<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Number(_) => true,
        Value::List(items) => items.iter().any(is_spelled),
        Value::Map(entries) => entries.iter().any(|(_, item)| is_spelled(item)),
        Value::Null | Value::Bool(_) | Value::Leaf(_) | Value::Text(_) => false,
    }
}

/// Writes the text while it is read.
struct Writing<'a> {
    /// Where the value begins in `out`.
    start: usize,
    /// The brackets that end the open containers.
    open: Vec<u8>,
    numbers: Numbers,
    replaced: usize,
    out: &'a mut Vec<u8>,
}

impl Writing<'_> {
    /// Writes a comma, unless the value is the first in its container or follows its key. The last byte shows which it
    /// is: no value ends in one of these.
    #[inline]
    fn begin(&mut self) {
        if self.out.len() > self.start && !matches!(self.out.last(), Some(b'[' | b'{' | b':')) {
            self.out.push(b',');
        }
    }

    #[inline]
    fn put(&mut self, word: &[u8]) {
        self.begin();
        self.out.extend_from_slice(word);
    }
}

impl Builder for Writing<'_> {
    fn null(&mut self, _: usize) {
        self.put(b"null");
    }
    fn bool(&mut self, value: bool, _: usize) {
        self.put(if value { b"true" } else { b"false" });
    }
    fn number(&mut self, number: Number<'_>, _: usize) {
        self.begin();
        match self.numbers {
            Numbers::Spelled => self.out.extend_from_slice(number.spelling),
            Numbers::Alike => number::alike(number, self.out),
        }
    }
    fn text(&mut self, body: Body<'_>) {
        self.begin();
        self.replaced += escape::string(Units::Utf8(&body.wtf8()), self.out);
    }
    fn key(&mut self, body: Body<'_>) {
        self.text(body);
        self.out.push(b':');
    }
    fn open_list(&mut self, _: usize) {
        self.put(b"[");
        self.open.push(b']');
    }
    fn open_map(&mut self, _: usize) {
        self.put(b"{");
        self.open.push(b'}');
    }
    fn close(&mut self, _: usize) {
        self.out.extend(self.open.pop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{handle::NoHost, json::read};

    #[test]
    fn one_text_whatever_the_spelling() {
        for (given, alike, spelled) in [
            (
                r#" { "a" : [ 1.50 , "\u00e9\/\n" , { } , [ ] ] , "" : null } "#,
                "{\"a\":[1.5,\"é/\\n\",{},[]],\"\":null}",
                None,
            ),
            (r#"["[", "{", ":", true, false]"#, r#"["[","{",":",true,false]"#, None),
            ("1E2", "100.0", Some("1E2")),
            (r#""\ud83d\u001f""#, "\"\u{FFFD}\\u001f\"", None),
        ] {
            let spelled = spelled.map_or_else(|| alike.replace("1.5,", "1.50,"), str::to_owned);
            let tree = Raw::<NoHost>::Tree(read::value(given.as_bytes()).expect(given));
            for (numbers, expected) in [(Numbers::Alike, alike), (Numbers::Spelled, &*spelled)] {
                let mut out = b"before".to_vec();
                text(given.as_bytes(), numbers, &mut out).expect(given);
                assert_eq!(String::from_utf8_lossy(&out), format!("before{expected}"));
                let mut out = Vec::new();
                raw(&tree, None, numbers, &mut out).expect(given);
                assert_eq!(String::from_utf8_lossy(&out), expected);
            }
        }
    }

    #[test]
    fn a_half_character_becomes_an_escape() {
        for (given, expected) in [
            (&b"a\xED\xA0\xBDb"[..], r#""a\ud83db""#),
            (b"\xED\xB1\x8D\xED\xBF\xBF", r#""\udc4d\udfff""#),
            ("\u{D7FF}\u{FFFD}\"\n".as_bytes(), "\"\u{D7FF}\u{FFFD}\\\"\\n\""),
        ] {
            let mut out = Vec::new();
            string(given, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }

    #[test]
    fn what_is_no_json_leaves_nothing() {
        let mut out = b"before".to_vec();
        assert!(text(b"[1, 2", Numbers::Alike, &mut out).is_err());
        assert_eq!(out, b"before");
    }
}
