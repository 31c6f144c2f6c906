//! Reads JSON into a tape, a frozen value, or whatever a builder makes from it.
//!
//! Accepts exactly RFC 8259 in UTF-8: no byte order mark, no NaN or Infinity, no comments, no comma at the end, and at
//! most [`MAX_DEPTH`] nested containers. An escape of a lone surrogate is valid JSON.

use std::sync::Arc;

pub use super::builder::{Body, Builder, Number};
use super::{
    scan::{Reason, scan},
    spot::path_of_stop,
};
use crate::{
    report::{Error, error::Code},
    text::replace_surrogates,
    value::{ArgsState, Escapes, Host, MAX_DEPTH, Text, Value},
};

/// Reads one JSON text as a frozen value that needs no input. Texts are made here, with U+FFFD for lone surrogates if
/// the host cannot hold them. Numbers keep their spelling.
pub fn value<H: Host>(bytes: &[u8]) -> Result<Value<H>, Error> {
    let mut freezing = Freezing::<H> { open: Vec::new(), root: Value::Null };
    build(bytes, &mut freezing)?;
    Ok(freezing.root)
}

/// Reads one JSON text and calls `builder` for everything in it. The error says what was expected, what came, and where.
pub fn build<B: Builder>(bytes: &[u8], builder: &mut B) -> Result<(), Error> {
    check_size(bytes.len())?;
    if simdutf8::basic::from_utf8(bytes).is_err() {
        return Err(not_utf8(bytes));
    }
    scan(bytes, builder).map_err(|stop| error(bytes, &stop))
}

/// [`build`] for text that may be WTF-8, as a host's own strings are. Its lone surrogates reach the builder.
pub fn build_wtf8<B: Builder>(bytes: &[u8], builder: &mut B) -> Result<(), Error> {
    check_size(bytes.len())?;
    scan(bytes, builder).map_err(|stop| error(bytes, &stop))
}

/// Whether argument text says that there are none: white space, or `null`, which some models write as a text.
#[must_use]
pub fn says_no_args(text: &[u8]) -> bool {
    matches!(text.trim_ascii(), b"" | b"null" | b"\"null\"")
}

/// Whether argument text is one JSON object (text that says that there are none counts as an empty one), the beginning of
/// one, or neither. The text may be WTF-8: a lone surrogate is allowed, because it can be written as U+FFFD.
#[must_use]
pub fn args_state(text: &[u8]) -> ArgsState {
    args_look(text).0
}

/// Whether text is one JSON value.
#[must_use]
pub fn is_json(text: &[u8]) -> bool {
    scan(text, &mut Looking { has_half: false }).is_ok()
}

/// [`args_state`], and whether a string in the text has an escape of a lone surrogate.
pub(super) fn args_look(text: &[u8]) -> (ArgsState, bool) {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    match text.iter().find(|byte| !is_white(byte)) {
        Some(b'{') => {}
        _ if says_no_args(text) => return (ArgsState::Object, false),
        _ => return (ArgsState::Invalid, false),
    }
    let mut looking = Looking { has_half: false };
    let state = match scan(text, &mut looking) {
        Ok(()) => ArgsState::Object,
        Err(stop) => match *stop {
            Reason::Syntax { at, .. } if at >= text.len() => ArgsState::Incomplete,
            _ => ArgsState::Invalid,
        },
    };
    (state, looking.has_half)
}

/// Spans count in 32 bits.
fn check_size(bytes: usize) -> Result<(), Error> {
    match u32::try_from(bytes) {
        Ok(u32::MAX) | Err(_) => {
            Err(Error::new(Code::TooLarge, format!("expected less than 4 GiB of JSON, got {bytes} bytes")))
        }
        Ok(_) => Ok(()),
    }
}

#[cold]
fn not_utf8(bytes: &[u8]) -> Error {
    let at = match str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    };
    let path = path_of_stop(bytes.get(..at).unwrap_or_default(), true);
    let byte = bytes.get(at).copied().unwrap_or_default();
    Error::new(Code::InvalidJson, format!("expected UTF-8, got 0x{byte:02X} at byte {at}")).at_path(path)
}

#[cold]
fn error(bytes: &[u8], stop: &Reason) -> Error {
    match *stop {
        Reason::TooDeep { at } => {
            let text = format!("expected at most {MAX_DEPTH} containers inside each other, got one more at byte {at}");
            Error::new(Code::TooDeep, text).at_path(path_of_stop(bytes, true))
        }
        Reason::Syntax { at, expected, in_value } => {
            let text =
                format!("expected {expected}, got {} at byte {at}", what_is(bytes.get(at..).unwrap_or_default()));
            Error::new(Code::InvalidJson, text).at_path(path_of_stop(bytes, in_value))
        }
    }
}

/// The first thing in `rest`, for an error message: a word, a character, a byte.
fn what_is(rest: &[u8]) -> String {
    const LONGEST: usize = 24;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+-.".contains(byte);
    let word = rest.iter().take(LONGEST).take_while(|byte| is_word(byte)).count();
    let head = String::from_utf8_lossy(rest.get(..rest.len().min(LONGEST)).unwrap_or_default());
    match head.chars().next() {
        None => "the end of the text".to_owned(),
        Some('\u{FEFF}') => "a byte order mark".to_owned(),
        Some(_) if word > 0 => format!("`{}`", head.get(..word).unwrap_or_default()),
        Some(first) if first.is_control() || first.is_whitespace() => format!("U+{:04X}", u32::from(first)),
        Some(first) => format!("`{first}`"),
    }
}

/// Checks the text, and remembers only whether it has a lone surrogate.
struct Looking {
    has_half: bool,
}

impl Builder for Looking {
    fn null(&mut self, _: usize) {}
    fn bool(&mut self, _: bool, _: usize) {}
    fn number(&mut self, _: Number<'_>, _: usize) {}
    fn text(&mut self, body: Body<'_>) {
        self.has_half |= body.escapes == Escapes::Lone;
    }
    fn key(&mut self, body: Body<'_>) {
        self.text(body);
    }
    fn open_list(&mut self, _: usize) {}
    fn open_map(&mut self, _: usize) {}
    fn close(&mut self, _: usize) {}
}

/// Makes a frozen value.
struct Freezing<H: Host> {
    open: Vec<Container<H>>,
    root: Value<H>,
}

enum Container<H: Host> {
    List(Vec<Value<H>>),
    Map(Vec<(Text<H>, Value<H>)>),
}

impl<H: Host> Freezing<H> {
    fn put(&mut self, value: Value<H>) {
        match self.open.last_mut() {
            Some(Container::List(items)) => items.push(value),
            Some(Container::Map(entries)) => {
                if let Some((_, waiting)) = entries.last_mut() {
                    *waiting = value;
                }
            }
            None => self.root = value,
        }
    }
}

fn own<H: Host>(body: &Body<'_>) -> Text<H> {
    let wtf8 = body.wtf8();
    match body.escapes {
        // The host may hold lone surrogates, which UTF-8 cannot.
        Escapes::Lone => H::text(&wtf8).unwrap_or_else(|_| Text::own(&replace_surrogates(&wtf8))),
        _ => Text::own(&replace_surrogates(&wtf8)),
    }
}

impl<H: Host> Builder for Freezing<H> {
    fn null(&mut self, _: usize) {
        self.put(Value::Null);
    }
    fn bool(&mut self, value: bool, _: usize) {
        self.put(Value::Bool(value));
    }
    fn number(&mut self, number: Number<'_>, _: usize) {
        self.put(Value::Number(Arc::from(number.as_str())));
    }
    fn text(&mut self, body: Body<'_>) {
        self.put(Value::Text(own(&body)));
    }
    fn key(&mut self, body: Body<'_>) {
        if let Some(Container::Map(entries)) = self.open.last_mut() {
            entries.push((own(&body), Value::Null));
        }
    }
    fn open_list(&mut self, _: usize) {
        self.open.push(Container::List(Vec::new()));
    }
    fn open_map(&mut self, _: usize) {
        self.open.push(Container::Map(Vec::new()));
    }
    fn close(&mut self, _: usize) {
        match self.open.pop() {
            Some(Container::List(items)) => self.put(Value::List(items.into())),
            Some(Container::Map(entries)) => self.put(Value::Map(entries.into())),
            None => {}
        }
    }
}
