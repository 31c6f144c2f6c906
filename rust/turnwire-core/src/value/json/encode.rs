//! Encodes texts and values as JSON: compact, in UTF-8, with every text escaped directly from where it is stored.

use super::escape::{self, lone};
use crate::{
    report::{Error, Step, error::Code},
    text::Units,
    value::{Escapes, Host, Input, Raw, Text, Value, handle::span_bytes},
};

/// The replacement for a lone surrogate.
pub(super) const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// A value as JSON text.
pub fn to_string<H: Host>(raw: &Raw<H>, input: Option<&Input>) -> Result<String, Error> {
    let mut out = Vec::new();
    self::raw(raw, input, &mut out)?;
    String::from_utf8(out).map_err(|_| Error::new(Code::NotJson, "the host wrote bytes that are not UTF-8"))
}

/// Appends a value as JSON. JSON text keeps its spelling. Returns how many lone surrogates became U+FFFD.
pub fn raw<H: Host>(raw: &Raw<H>, input: Option<&Input>, out: &mut Vec<u8>) -> Result<usize, Error> {
    match raw {
        Raw::Loan(loan) => return H::write_loan(loan, out),
        Raw::Tree(tree) => return value(tree, input, out),
        Raw::Span(span) => out.extend_from_slice(span_bytes(*span, input)),
        Raw::Own(text) => out.extend_from_slice(text.trim_ascii().as_bytes()),
    }
    Ok(0)
}

/// [`raw`], but escapes of lone surrogates become U+FFFD too.
pub fn sound<H: Host>(raw: &Raw<H>, input: Option<&Input>, out: &mut Vec<u8>) -> Result<usize, Error> {
    let json = match raw {
        Raw::Span(span) => span_bytes(*span, input),
        Raw::Own(text) => text.as_bytes(),
        Raw::Loan(_) | Raw::Tree(_) => return self::raw(raw, input, out),
    };
    let Some((json, count)) = lone::replaced(json, REPLACEMENT) else { return self::raw(raw, input, out) };
    out.extend_from_slice(json.trim_ascii());
    Ok(count)
}

/// Appends a frozen value as JSON. Returns how many lone surrogates became U+FFFD. An error's path starts at the value.
pub fn value<H: Host>(value: &Value<H>, input: Option<&Input>, out: &mut Vec<u8>) -> Result<usize, Error> {
    let mut replaced = 0;
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(spelling) => out.extend_from_slice(spelling.as_bytes()),
        Value::Leaf(leaf) => H::write_leaf(leaf, out)?,
        Value::Text(text) => replaced += self::text(text, input, out),
        Value::List(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                comma(index, out);
                replaced += self::value(item, input, out).map_err(|error| error.under(Step::Index(index)))?;
            }
            out.push(b']');
        }
        Value::Map(entries) => {
            out.push(b'{');
            for (index, (key, item)) in entries.iter().enumerate() {
                comma(index, out);
                replaced += text(key, input, out);
                out.push(b':');
                let named = |error: Error| error.under(Step::Name(key.to_str(input).as_ref().into()));
                replaced += self::value(item, input, out).map_err(named)?;
            }
            out.push(b'}');
        }
    }
    Ok(replaced)
}

/// Appends a text as a JSON string. Returns how many lone surrogates became U+FFFD.
#[inline]
pub fn text<H: Host>(text: &Text<H>, input: Option<&Input>, out: &mut Vec<u8>) -> usize {
    out.push(b'"');
    let replaced = body(text, input, out);
    out.push(b'"');
    replaced
}

/// Writes the inside of the string. A JSON string is copied in its original spelling.
pub fn body<H: Host>(text: &Text<H>, input: Option<&Input>, out: &mut Vec<u8>) -> usize {
    match text {
        Text::Host(text) => H::write_body(H::units(text), out),
        Text::Own(text) => {
            escape::utf8_body(text.as_bytes(), out);
            0
        }
        Text::Span(span) => {
            let body = span_bytes(*span, input);
            if span.escapes == Escapes::Lone {
                return H::write_body(Units::Utf8(&escape::unescape(body)), out);
            }
            out.extend_from_slice(body);
            0
        }
    }
}

fn comma(index: usize, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
}
