//! A key or literal that a dialect knows, ready to be compared and written.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A key or literal that a dialect knows, and what a host prepared for it (such as an interned string).
#[derive(Debug)]
pub struct Key {
    /// The word itself.
    pub name: &'static str,
    /// The word as a JSON key behind a comma: `,"word":`. Padded for a copy of a fixed size, with or without the comma,
    /// which takes an instruction or two. Any other copy is a call.
    padded: [u8; 1 + Self::PADDED],
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
    /// A key that no host has prepared yet. The word must not need an escape in JSON.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let mut padded = [0; 1 + Self::PADDED];
        padded.split_at_mut(2).0.copy_from_slice(b",\"");
        let (word, mut at) = (name.as_bytes(), 0);
        while at < word.len() + 2 && at + 2 < padded.len() {
            padded[at + 2] = if at < word.len() { word[at] } else { b"\":"[at - word.len()] };
            at += 1;
        }
        Self { name, padded, head: Head::of(name), prepared: AtomicUsize::new(0) }
    }

    /// How many bytes the JSON of almost every key has at most, with the comma before it.
    const PADDED: usize = 32;

    /// Appends the word as a JSON key, behind a comma if asked.
    #[inline]
    pub(crate) fn write(&self, comma: bool, out: &mut Vec<u8>) {
        self.write_part(comma, self.name.len() + 3, out);
    }

    /// Appends the word as a JSON string, behind a comma if asked.
    #[inline]
    pub(crate) fn write_literal(&self, comma: bool, out: &mut Vec<u8>) {
        self.write_part(comma, self.name.len() + 2, out);
    }

    /// Appends so many bytes of the word's JSON, not counting the comma.
    #[inline]
    fn write_part(&self, comma: bool, len: usize, out: &mut Vec<u8>) {
        let end = out.len() + usize::from(comma) + len;
        match self.padded.get(usize::from(!comma)..).and_then(<[u8]>::first_chunk::<{ Self::PADDED }>) {
            Some(json) if len < Self::PADDED => {
                out.extend_from_slice(json);
                out.truncate(end);
            }
            _ => self.write_long(comma, end, out),
        }
    }

    /// Appends the JSON of a long word, up to this end.
    #[cold]
    fn write_long(&self, comma: bool, end: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(if comma { b",\"" } else { b"\"" });
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(b"\":");
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
        $crate::value::door::Key::new($text);)+ };
}
pub(crate) use keys;
