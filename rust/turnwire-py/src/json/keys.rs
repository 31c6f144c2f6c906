//! Keys that came before, kept as Python strings: the same few stand in every object of a conversation.

use pyo3::{prelude::*, types::PyString};

use crate::string::decoded;

/// Keys longer than this are not kept: two numbers would not tell them apart.
const LONGEST_KEY: usize = 16;
/// Slots for keys that were seen; a power of two.
const SLOTS: usize = 128;

/// Strings of keys that came before, each by its mark.
#[derive(Default)]
pub(super) struct Keys<'py>(Vec<Option<(Mark, Bound<'py, PyString>)>>);

impl<'py> Keys<'py> {
    pub(super) fn get(&mut self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
        let Some(mark) = mark(bytes) else { return decoded(py, bytes) };
        if self.0.is_empty() {
            self.0.resize(SLOTS, None);
        }
        let hash = (mark.1 ^ mark.2.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Two slots for each, so that two keys of every object do not drive each other out.
        let pair = (hash >> 57) as usize % SLOTS;
        for slot in [pair, pair ^ 1] {
            if let Some(Some((known, text))) = self.0.get(slot)
                && *known == mark
            {
                return Ok(text.clone());
            }
        }
        let made = decoded(py, bytes)?;
        let free = self.0.get(pair).is_some_and(Option::is_none);
        if let Some(slot) = self.0.get_mut(if free { pair } else { pair ^ 1 }) {
            *slot = Some((mark, made.clone()));
        }
        Ok(made)
    }
}

/// What no other key has: the length of a short key, its first and its last bytes, which overlap or meet.
type Mark = (usize, u64, u64);

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
    (key.len() <= LONGEST_KEY).then_some((key.len(), first, last))
}
