//! Handles: a text or a JSON value that stays where it is until it is needed.
//!
//! An unchanged text is never copied. It is the host language's own string (`Host`), a span of the JSON input (`Span`),
//! or text made here (`Own`). A JSON value that is not read (arguments, schemas, origins) is handled the same way by
//! [`Raw`].

mod decimal;
mod input;
mod raw;
mod text;
mod value;

use std::convert::Infallible;

use super::{hash::of_bytes, json, node::NodeKind};
use crate::{
    report::Error,
    text::{Cut, Units, replace_surrogates},
};

pub(crate) use self::input::span_bytes;
pub use self::{
    input::{Escapes, Input, Span},
    raw::Raw,
    text::Text,
    value::Value,
};

/// A host language and its own types: the core's only type parameter.
pub trait Host: Sized + 'static {
    /// The host's own immutable string.
    type Str: Send + Sync + 'static;
    /// The host's own immutable scalar that is not a string: a number with its own spelling, or bytes.
    type Leaf: Send + Sync + 'static;
    /// A caller's container, borrowed for the length of one `convert` call.
    type Loan: Send + Sync + 'static;

    /// The string's own data, read in place.
    fn units(text: &Self::Str) -> Units<'_>;
    /// Another handle to the same string. May be slow: only touched turns need it.
    fn share(text: &Self::Str) -> Self::Str;
    /// Another handle to the same scalar.
    fn share_leaf(leaf: &Self::Leaf) -> Self::Leaf;
    /// Another handle to the same container.
    fn share_loan(loan: &Self::Loan) -> Self::Loan;
    /// A hash of its characters, the same in one process for equal strings. A host that keeps one with the string is
    /// faster. 64 bits of it must count.
    fn sum(text: &Self::Str) -> u64 {
        of_bytes(&Self::units(text).wtf8(), 0)
    }
    /// A new string of the kept parts of `text`, with `suffix` between them if the cut says so. `cut` counts in units
    /// of `text`.
    fn cut(text: &Self::Str, cut: &Cut, suffix: Units<'_>) -> Result<Self::Str, Error>;
    /// A text of WTF-8 bytes. Lone surrogates survive if the host's strings can hold them, else they become U+FFFD.
    fn text(wtf8: &[u8]) -> Result<Text<Self>, Error> {
        Ok(Text::own(&replace_surrogates(wtf8)))
    }
    /// Writes a text as the inside of a JSON string. Returns how many lone surrogates became U+FFFD. A host that knows
    /// the machine may be faster than [`escape::body`](json::escape::body), which runs on any machine.
    fn write_body(text: Units<'_>, out: &mut Vec<u8>) -> usize {
        json::escape::body(text, out)
    }
    /// Writes a text without escapes, in UTF-8. Otherwise like [`write_body`](Self::write_body).
    fn write_plain(text: Units<'_>, out: &mut Vec<u8>) -> usize {
        json::escape::plain(text, out)
    }
    /// The kind of the scalar: a number or bytes.
    fn leaf_kind(leaf: &Self::Leaf) -> NodeKind;
    /// How many bytes the scalar holds, if it is bytes. Cheap: reads no byte.
    #[must_use]
    fn blob_len(_: &Self::Leaf) -> Option<usize> {
        None
    }
    /// The bytes of several scalars as one. `None` if one of them is not bytes.
    fn join_blobs(_: &[Self::Leaf]) -> Result<Option<Self::Leaf>, Error> {
        Ok(None)
    }
    /// Writes the scalar as JSON; bytes become base64 text.
    fn write_leaf(leaf: &Self::Leaf, out: &mut Vec<u8>) -> Result<(), Error>;
    /// Writes a lent container as JSON. Returns how many lone surrogates became U+FFFD.
    fn write_loan(loan: &Self::Loan, out: &mut Vec<u8>) -> Result<usize, Error>;
    /// A frozen copy of a lent container.
    fn freeze(loan: &Self::Loan) -> Result<Value<Self>, Error>;
    /// Whether two scalars are equal.
    fn same_leaf(a: &Self::Leaf, b: &Self::Leaf) -> bool;
}

/// The host of plain Rust: every text is a span or owned.
#[derive(Debug)]
pub enum NoHost {}

impl Host for NoHost {
    type Str = Infallible;
    type Leaf = Infallible;
    type Loan = Infallible;

    fn units(text: &Infallible) -> Units<'_> {
        match *text {}
    }
    fn share(text: &Infallible) -> Infallible {
        match *text {}
    }
    fn share_leaf(leaf: &Infallible) -> Infallible {
        match *leaf {}
    }
    fn share_loan(loan: &Infallible) -> Infallible {
        match *loan {}
    }
    fn cut(text: &Infallible, _: &Cut, _: Units<'_>) -> Result<Infallible, Error> {
        match *text {}
    }
    fn leaf_kind(leaf: &Infallible) -> NodeKind {
        match *leaf {}
    }
    fn write_leaf(leaf: &Infallible, _: &mut Vec<u8>) -> Result<(), Error> {
        match *leaf {}
    }
    fn write_loan(loan: &Infallible, _: &mut Vec<u8>) -> Result<usize, Error> {
        match *loan {}
    }
    fn freeze(loan: &Infallible) -> Result<Value<Self>, Error> {
        match *loan {}
    }
    fn same_leaf(a: &Infallible, _: &Infallible) -> bool {
        match *a {}
    }
}
