//! A key or literal that a dialect knows, ready to be compared and written.

use std::sync::atomic::{AtomicUsize, Ordering};

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
