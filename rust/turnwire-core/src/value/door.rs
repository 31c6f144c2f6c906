//! How a payload is read and written: two small traits, so that a dialect is written once and serves every door.
//!
//! A *source* is a node of a payload: a host object, a node of the JSON tape, or a frozen [`Value`].
//! A *sink* takes a payload in order: host containers, or JSON bytes. Costs are part of the contract, and
//! [`conformance`](super::conformance) checks any implementation.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{
    handle::{Host, Input, Raw, Text, Value, span_bytes},
    json,
    mark::Marks,
    node::{ArgsState, NodeKind},
};
use crate::report::error::Error;

/// A key or literal that a dialect knows, and what a host prepared for it (such as an interned string).
#[derive(Debug)]
pub struct Key {
    /// The word itself.
    pub name: &'static str,
    /// The word as a JSON key: in quotes, followed by a colon.
    pub(crate) json: &'static str,
    /// `json`, padded for a copy of a fixed size, which takes an instruction or two. Any other copy is a call.
    padded: [u8; Self::PADDED],
    pub(crate) head: Head,
    prepared: AtomicUsize,
}

/// The first bytes of a word, compared all at once.
#[derive(Debug)]
pub(crate) struct Head {
    bytes: u128,
    mask: u128,
}

impl Head {
    /// How many bytes are compared.
    pub(crate) const SIZE: usize = size_of::<u128>();

    const fn of(word: &str) -> Self {
        let mut mask = [0; Self::SIZE];
        let mut at = 0;
        while at < Self::SIZE && at < word.len() {
            mask[at] = 0xFF;
            at += 1;
        }
        Self { bytes: u128::from_ne_bytes(first(word)), mask: u128::from_ne_bytes(mask) }
    }

    /// Whether a text begins like the word. Bytes after the end of a short word do not matter.
    #[inline]
    pub(crate) fn begins(&self, text: &[u8; Self::SIZE]) -> bool {
        u128::from_ne_bytes(*text) & self.mask == self.bytes
    }
}

impl Key {
    /// A key that no host has prepared yet: the word, and the word as `"word":`. It must not need an escape.
    #[must_use]
    pub const fn new(name: &'static str, json: &'static str) -> Self {
        debug_assert!(json.len() == name.len() + 3);
        Self { name, json, padded: first(json), head: Head::of(name), prepared: AtomicUsize::new(0) }
    }

    /// How many bytes the JSON of almost every key has at most.
    const PADDED: usize = 32;

    /// Appends the word as a JSON key.
    #[inline]
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.write_part(self.json.len(), out);
    }

    /// Appends the word as a JSON string.
    #[inline]
    pub(crate) fn write_literal(&self, out: &mut Vec<u8>) {
        self.write_part(self.name.len() + 2, out);
    }

    #[inline]
    fn write_part(&self, len: usize, out: &mut Vec<u8>) {
        if len > Self::PADDED {
            return out.extend_from_slice(&self.json.as_bytes()[..len]);
        }
        let end = out.len() + len;
        out.extend_from_slice(&self.padded);
        out.truncate(end);
    }

    /// What the host prepared: an address that only the host understands, made on first use. If several threads make it
    /// at once, all must give the same address.
    pub fn prepared(&self, prepare: impl FnOnce(&'static str) -> usize) -> usize {
        match self.prepared.load(Ordering::Acquire) {
            0 => {
                let made = prepare(self.name);
                self.prepared.store(made, Ordering::Release);
                made
            }
            made => made,
        }
    }
}

/// The first bytes of a word, padded with zeros.
const fn first<const SIZE: usize>(word: &str) -> [u8; SIZE] {
    let (mut bytes, mut at) = ([0; SIZE], 0);
    while at < SIZE && at < word.len() {
        bytes[at] = word.as_bytes()[at];
        at += 1;
    }
    bytes
}

/// Declares the keys and literals of a dialect as statics: `keys! { ROLE = "role"; }`.
macro_rules! keys {
    ($($name:ident = $text:literal;)+) => { $(pub(crate) static $name: $crate::value::door::Key =
        $crate::value::door::Key::new($text, concat!("\"", $text, "\":"));)+ };
}
pub(crate) use keys;

/// A node of a payload that is being read. A clone must be about as cheap as a reference count.
pub trait Source: Clone {
    /// The host of its handles.
    type H: Host;

    /// Its kind. Cheap: asked of nearly every node.
    fn kind(&self) -> NodeKind;
    /// The value of a known key. Of repeated keys, the last one counts. `None` if this is not a map. Hot.
    fn get(&self, key: &'static Key) -> Option<Self>;
    /// The values of several known keys, of which at most `most` are present. Hot: in one walk, if that is cheaper.
    fn get_each<const N: usize>(&self, keys: [&'static Key; N], most: usize) -> [Option<Self>; N] {
        let mut left = most;
        keys.map(|key| {
            let found = if left == 0 { None } else { self.get(key) };
            left -= usize::from(found.is_some());
            found
        })
    }
    /// How many entries a map or list has, 0 for anything else. If as many known keys were found, there are no unknown
    /// ones.
    fn len(&self) -> usize;
    /// Whether it has no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many entries a map has. `None` if this is not a map. Hot: asked of every map that is read.
    fn map_len(&self) -> Option<usize> {
        (self.kind() == NodeKind::Map).then(|| self.len())
    }
    /// The items of a list, in order; none if this is not a list.
    fn items(&self) -> impl Iterator<Item = Self>;
    /// The entries of a map, in order, without keys that are not text. Cold: for unknown keys only.
    fn entries(&self) -> impl Iterator<Item = (Text<Self::H>, Self)>;
    /// Shows each entry of a map, in order: its key as a word, and its value. Makes no handles.
    fn each_entry(&self, mut show: impl FnMut(&str, &Self)) {
        for (key, value) in self.entries() {
            show(&key.to_str(self.input()), &value);
        }
    }
    /// The string as a handle. Costs no copy.
    fn text(&self) -> Option<Text<Self::H>>;
    /// A short string to `match` on: a role, a type. Borrowed where it can be.
    fn word(&self) -> Option<Cow<'_, str>>;
    /// The value paired with the string in a list of short words. Cheap for few, known words.
    fn one_of<T: Copy>(&self, words: &[(&'static str, T)]) -> Option<T> {
        let mine = self.word()?;
        words.iter().find(|(word, _)| *word == mine).map(|(_, meaning)| *meaning)
    }
    /// The boolean.
    fn bool(&self) -> Option<bool>;
    /// A number without sign or fraction, as counts and indices are. Hot in streams.
    fn count(&self) -> Option<u64> {
        let digits = match self.raw() {
            Raw::Tree(Value::Number(digits)) => return digits.parse().ok(),
            Raw::Span(span) => Cow::Borrowed(span_bytes(span, self.input())),
            raw => {
                let mut digits = Vec::new();
                json::write::raw(&raw, self.input(), &mut digits).ok()?;
                Cow::Owned(digits)
            }
        };
        str::from_utf8(&digits).ok()?.parse().ok()
    }
    /// The node as an unread value. Costs no copy.
    fn raw(&self) -> Raw<Self::H>;
    /// Its kind for an error message: `a list`, or the name of a host's type.
    fn describe(&self) -> String {
        self.kind().name().to_owned()
    }
    /// The bytes that its spans point into.
    fn input(&self) -> Option<&Input>;
}

/// A piece of a text that is composed while it is written.
pub enum Piece<'a, H: Host> {
    /// New text.
    Str(&'a str),
    /// A handle. The sink's scope resolves its spans.
    Text(&'a Text<H>),
}

/// Where a payload is written. Calls never fail: the first fault is kept, and later calls are ignored.
///
/// A value is `open_map … close`, `open_list … close`, or one call of a scalar method. In a map, each value follows a
/// `key`.
pub trait Sink<H: Host> {
    /// Sets the input that the spans of later calls point into. Costs a reference count.
    fn scope(&mut self, input: Option<&Input>);
    /// Begins an object.
    fn open_map(&mut self);
    /// Begins an array.
    fn open_list(&mut self);
    /// Ends the innermost object or array.
    fn close(&mut self);
    /// The key of the next value. Hot: hosts prepare it once.
    fn key(&mut self, key: &'static Key);
    /// A key that came with the data.
    fn key_text(&mut self, key: &Text<H>);
    /// A string that the dialect knows: a role, a type. As hot as `key`.
    fn literal(&mut self, word: &'static Key);
    /// A string. The host's door gets the same object; the bytes door copies it verbatim or escapes it once.
    fn text(&mut self, text: &Text<H>);
    /// A string made of pieces.
    fn pieces(&mut self, pieces: &[Piece<'_, H>]);
    /// A boolean.
    fn bool(&mut self, value: bool);
    /// `null`.
    fn null(&mut self);
    /// A count.
    fn number(&mut self, number: u64) {
        self.raw(&Raw::Tree(Value::Number(number.to_string().into())));
    }
    /// A whole value: a deep copy on the host's door, its JSON on the bytes door. On its own door, a scalar of the host
    /// stays the same object, bytes included. Elsewhere bytes are base64 text.
    fn raw(&mut self, raw: &Raw<H>);
    /// A whole value of another format. Unlike `raw`, lone surrogates in JSON text become U+FFFD if the host cannot
    /// hold them.
    fn sound(&mut self, raw: &Raw<H>) {
        self.raw(raw);
    }
    /// A whole value as JSON inside a string: arguments for a dialect that has them as text.
    fn raw_as_text(&mut self, raw: &Raw<H>);
    /// Base64 text as bytes, for a target whose clients take bytes. On the host's door it is decoded once into bytes of
    /// the host; on the bytes door it is written like `text`. Text that is not base64 stays text.
    fn text_as_blob(&mut self, text: &Text<H>) {
        self.text(text);
    }
    /// JSON text as a value: arguments for a dialect that has them as an object. If the text is not exactly one JSON
    /// object, writes an empty object and returns why.
    fn text_as_raw(&mut self, text: &Text<H>) -> ArgsState;
    /// Adds marks to the whole payload that was written. Only for sinks that hold whole payloads; others add none.
    fn mark<M: Marks<H>>(&mut self, _: &mut M) -> Result<(), Error> {
        Ok(())
    }
    /// How many lone surrogates became U+FFFD so far. None if the host's strings can hold them. Hot.
    fn replaced(&self) -> usize {
        0
    }
    /// The first fault, if any; its path starts at the value that was being written.
    fn fault(&mut self) -> Option<Error>;
}
