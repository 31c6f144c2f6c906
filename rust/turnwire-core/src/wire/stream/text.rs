//! Joins a text that comes in pieces.

use std::borrow::Cow;

use crate::{
    report::Error,
    text::push_code_point,
    value::{Host, Input, Text, Value},
};

/// The pieces so far. A single piece keeps its handle; several are copied into one buffer.
#[derive(Debug)]
pub(crate) struct Words<H: Host> {
    only: Option<Text<H>>,
    joined: Vec<u8>,
}

impl<H: Host> Default for Words<H> {
    fn default() -> Self {
        Self { only: None, joined: Vec::new() }
    }
}

impl<H: Host> Words<H> {
    /// Begins with a piece.
    pub(crate) fn of(text: Text<H>) -> Self {
        if text.is_empty() { Self::default() } else { Self { only: Some(text), joined: Vec::new() } }
    }

    /// Appends a piece. Joins the two halves of a character that was split.
    pub(crate) fn push(&mut self, piece: &Text<H>, input: Option<&Input>) {
        if piece.is_empty() {
            return;
        }
        if self.is_empty() {
            self.only = Some(piece.detach(input));
            return;
        }
        self.push_bytes(&piece.wtf8(input));
    }

    /// Appends a piece, as WTF-8.
    pub(crate) fn push_bytes(&mut self, piece: &[u8]) {
        if let Some(only) = self.only.take() {
            self.joined = only.wtf8(None).into_owned();
        }
        join(&mut self.joined, piece);
    }

    /// Whether nothing has arrived.
    pub(crate) fn is_empty(&self) -> bool {
        self.only.is_none() && self.joined.is_empty()
    }

    /// All that has arrived, as WTF-8.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        self.only.as_ref().map_or(Cow::Borrowed(&self.joined), |only| only.wtf8(None))
    }

    /// All that has arrived, as one text.
    pub(crate) fn text(&self) -> Result<Text<H>, Error> {
        match &self.only {
            Some(only) => Ok(only.share()),
            None => H::text(&self.joined),
        }
    }

    /// All that has arrived, as a value.
    pub(crate) fn value(&self) -> Result<Value<H>, Error> {
        self.text().map(Value::Text)
    }
}

/// Appends WTF-8 to WTF-8, and joins the two halves of a character.
fn join(text: &mut Vec<u8>, piece: &[u8]) {
    let half = |bytes: &[u8; 3]| match *bytes {
        [0xED, second @ 0xA0..=0xBF, third] => Some(u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F)),
        _ => None,
    };
    let halves = (text.last_chunk::<3>().and_then(half), piece.first_chunk::<3>().and_then(half));
    // A surrogate's code point without its highest bits. Below 0xC00 it is a first half.
    if let (Some(first @ 0x800..0xC00), Some(second @ 0xC00..)) = halves {
        text.truncate(text.len() - 3);
        push_code_point(0x1_0000 + ((first - 0x800) << 10) + (second - 0xC00), text);
        text.extend_from_slice(&piece[3..]);
    } else {
        text.extend_from_slice(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn halves_become_one_character() {
        let mut text = b"a\xED\xA0\xBD".to_vec();
        join(&mut text, b"\xED\xB8\x80b");
        assert_eq!(text, "a😀b".as_bytes());
        // Two first halves in a row, or a second half before a first one, stay unchanged.
        for (one, other) in [(&b"\xED\xA0\xBD"[..], &b"\xED\xA0\xBD"[..]), (b"\xED\xB8\x80", b"\xED\xA0\xBD")] {
            let mut text = one.to_vec();
            join(&mut text, other);
            assert_eq!(text, [one, other].concat());
        }
    }
}
