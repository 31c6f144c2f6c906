//! Collects the arguments of a call from pieces of JSON text, and finds where the object ends. Reads each byte once.

use super::text::Words;
use crate::{
    model::is_null,
    report::Error,
    value::{ArgsState, Host, Text, json::read::args_state},
};

/// The arguments so far.
#[derive(Debug)]
pub(crate) struct Arguments<H: Host> {
    text: Words<H>,
    state: State,
    /// How many containers are open.
    depth: u32,
    in_string: bool,
    /// Whether the last byte of the open string is a backslash.
    escaped: bool,
}

/// How complete the arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Only white space has arrived.
    Blank,
    /// An object has begun.
    Open,
    /// The object has ended.
    Closed,
    /// They are not an object, whatever else arrives.
    Broken,
}

impl<H: Host> Default for Arguments<H> {
    fn default() -> Self {
        Self { text: Words::default(), state: State::Blank, depth: 0, in_string: false, escaped: false }
    }
}

impl<H: Host> Arguments<H> {
    /// Takes another piece. If another object begins after a complete one, returns that part, which belongs to another
    /// call.
    pub(crate) fn push(&mut self, piece: &Text<H>) -> Result<Option<Text<H>>, Error> {
        let bytes = piece.wtf8(None);
        // Some servers send this for no arguments.
        if self.state == State::Blank && is_null(piece) {
            return Ok(None);
        }
        if self.state == State::Closed && !bytes.trim_ascii().is_empty() {
            // Some servers repeat everything so far in each piece.
            if *self.text.bytes() == *bytes {
                return Ok(None);
            }
            // Some servers send an empty object before the arguments.
            if self.is_empty_object() {
                *self = Self::default();
            }
        }
        let was_closed = self.state == State::Closed;
        let (mine, rest) = bytes.split_at(self.end_in(&bytes));
        let another = rest.trim_ascii_start().starts_with(b"{");
        if another {
            self.text.push(&H::text(mine)?, None);
        } else {
            self.text.push(piece, None);
        }
        // The brackets are closed, so checks once whether it really is an object.
        if self.state == State::Closed && !was_closed && args_state(&self.text.bytes()) != ArgsState::Object {
            self.state = State::Broken;
        }
        if another && self.state == State::Closed {
            return H::text(rest).map(Some);
        }
        if another {
            self.text.push_bytes(rest);
        } else if !rest.trim_ascii().is_empty() {
            self.state = State::Broken;
        }
        Ok(None)
    }

    /// How many bytes of the piece belong to the object: all of them, unless the object ends before or inside it.
    fn end_in(&mut self, piece: &[u8]) -> usize {
        for (at, byte) in piece.iter().enumerate() {
            match (self.state, byte) {
                (State::Broken, _) => return piece.len(),
                (State::Closed, _) => return at,
                (State::Blank, b' ' | b'\t' | b'\n' | b'\r') => {}
                (State::Blank, b'{') => (self.state, self.depth) = (State::Open, 1),
                (State::Blank, _) => self.state = State::Broken,
                (State::Open, _) => self.step(*byte),
            }
        }
        piece.len()
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.state = State::Closed;
                }
            }
            _ => {}
        }
    }

    /// Whether they are an object with content, and therefore complete.
    pub(crate) fn is_whole(&self) -> bool {
        self.state == State::Closed && !self.is_empty_object()
    }

    /// Forgets the text `null`, which has come in pieces, once nothing more comes.
    pub(crate) fn forget_null(&mut self) -> Result<(), Error> {
        if self.state == State::Broken && is_null(&self.text()?) {
            *self = Self::default();
        }
        Ok(())
    }

    /// Whether they are absent or an empty object. Only the end shows whether more follows.
    pub(crate) fn is_nothing(&self) -> bool {
        self.state == State::Blank || self.state == State::Closed && self.is_empty_object()
    }

    /// Whether none of them has arrived.
    pub(crate) fn is_blank(&self) -> bool {
        self.state == State::Blank
    }

    /// Whether an object has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    fn is_empty_object(&self) -> bool {
        let bytes = self.text.bytes();
        // An object with content has a key. An empty one is never longer than this in practice.
        bytes.len() < 64 && !bytes.contains(&b'"')
    }

    /// All of them, as one text.
    pub(crate) fn text(&self) -> Result<Text<H>, Error> {
        self.text.text()
    }

    /// All of them, as WTF-8.
    pub(crate) fn bytes(&self) -> std::borrow::Cow<'_, [u8]> {
        self.text.bytes()
    }
}
