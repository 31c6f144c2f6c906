//! How a payload is written, whatever takes it.

use super::key::Key;
use crate::{
    report::Error,
    value::{ArgsState, Host, Input, Marks, Raw, Text, Value},
};

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
