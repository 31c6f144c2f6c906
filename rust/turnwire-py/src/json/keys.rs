//! Keeps the strings of keys, because the objects of a conversation repeat the same few keys.

use pyo3::{prelude::*, types::PyString};

/// Longer keys are not kept, because their mark would not be unique.
const LONGEST_KEY: usize = 16;
/// The number of slots, a power of two.
const SLOTS: usize = 128;

/// Strings of earlier keys, each with its mark.
#[derive(Default)]
pub(super) struct Keys<'py>(Vec<Option<(Mark, Bound<'py, PyString>)>>);

impl<'py> Keys<'py> {
    /// The string of a key that was kept.
    #[inline]
    pub(super) fn get(&self, key: &[u8]) -> Option<Bound<'py, PyString>> {
        let (mark, slots) = (mark(key)?, self.0.first_chunk::<SLOTS>()?);
        mark.places().into_iter().find_map(|place| match &slots[place % SLOTS] {
            Some((known, text)) if *known == mark => Some(text.clone()),
            _ => None,
        })
    }

    /// Keeps `text` as the string of `key`.
    pub(super) fn keep(&mut self, key: &[u8], text: &Bound<'py, PyString>) {
        let Some(mark) = mark(key) else { return };
        if self.0.is_empty() {
            self.0.resize(SLOTS, None);
        }
        let [first, second] = mark.places();
        let free = self.0.get(first).is_some_and(Option::is_none);
        if let Some(slot) = self.0.get_mut(if free { first } else { second }) {
            *slot = Some((mark, text.clone()));
        }
    }
}

/// A unique mark for a short key: its length, its first bytes and its last bytes. The two ranges overlap or meet.
#[derive(Clone, Copy, PartialEq)]
struct Mark {
    len: usize,
    first: u64,
    last: u64,
}

impl Mark {
    /// Each key has two possible slots, so that two keys of every object do not keep replacing each other.
    #[inline]
    fn places(&self) -> [usize; 2] {
        let hash = (self.first ^ self.last.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let first = (hash >> 57) as usize % SLOTS;
        [first, first ^ 1]
    }
}

#[inline]
fn mark(key: &[u8]) -> Option<Mark> {
    let half = |half: &[u8; 4]| u64::from(u32::from_le_bytes(*half));
    let (first, last) = match key {
        [_, _, _, _, _, _, _, _, ..] => {
            (u64::from_le_bytes(*key.first_chunk()?), u64::from_le_bytes(*key.last_chunk()?))
        }
        [_, _, _, _, ..] => (half(key.first_chunk()?), half(key.last_chunk()?)),
        [first, .., last] => (u64::from(*first) << 8 | u64::from(*key.get(1)?), u64::from(*last)),
        [only] => (u64::from(*only), 0),
        [] => (0, 0),
    };
    (key.len() <= LONGEST_KEY).then_some(Mark { len: key.len(), first, last })
}
