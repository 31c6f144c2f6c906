//! A frozen JSON value that was read.

use std::{borrow::Cow, fmt, sync::Arc};

use super::{Host, Text, decimal::Decimal};
use crate::value::NodeKind;

/// A frozen JSON value. Containers are shared, so another handle to a subtree costs nothing.
pub enum Value<H: Host> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number in its original spelling.
    Number(Arc<str>),
    /// A scalar of the host.
    Leaf(H::Leaf),
    /// A string.
    Text(Text<H>),
    /// An array.
    List(Arc<[Value<H>]>),
    /// An object, in its own order. A key may be repeated.
    Map(Arc<[(Text<H>, Value<H>)]>),
}

impl<H: Host> Value<H> {
    /// Another handle to the same value.
    #[must_use]
    pub fn share(&self) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Bool(value) => Self::Bool(*value),
            Self::Number(text) => Self::Number(text.clone()),
            Self::Leaf(leaf) => Self::Leaf(H::share_leaf(leaf)),
            Self::Text(text) => Self::Text(text.share()),
            Self::List(items) => Self::List(items.clone()),
            Self::Map(entries) => Self::Map(entries.clone()),
        }
    }

    /// Whether two values are equal. The order of an object's keys does not count. Of a repeated key, the last one
    /// counts. Numbers are compared by value.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a.wtf8(None) == b.wtf8(None),
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same(b)),
            (Self::Map(a), Self::Map(b)) => {
                let (a, b) = (sorted(a), sorted(b));
                let both = || a.iter().zip(&b);
                a.len() == b.len() && both().all(|((a, _), (b, _))| a == b) && both().all(|((_, a), (_, b))| a.same(b))
            }
            (Self::Number(_) | Self::Leaf(_), Self::Number(_) | Self::Leaf(_)) => self.same_scalar(other),
            _ => false,
        }
    }

    /// Whether JSON can express all of it: no NaN, no bytes.
    #[must_use]
    pub fn is_json(&self) -> bool {
        match self {
            Self::Leaf(leaf) => H::leaf_kind(leaf) == NodeKind::Number && H::write_leaf(leaf, &mut Vec::new()).is_ok(),
            Self::List(items) => items.iter().all(Self::is_json),
            Self::Map(entries) => entries.iter().all(|(_, value)| value.is_json()),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) => true,
        }
    }

    fn same_scalar(&self, other: &Self) -> bool {
        match (self.decimal(), other.decimal(), self, other) {
            (Some(a), Some(b), ..) => a == b,
            (None, None, Self::Leaf(a), Self::Leaf(b)) => H::same_leaf(a, b),
            _ => false,
        }
    }

    /// The value of a number.
    fn decimal(&self) -> Option<Decimal> {
        match self {
            Self::Number(text) => Decimal::of(text.as_bytes()),
            Self::Leaf(leaf) if H::leaf_kind(leaf) == NodeKind::Number => {
                let mut out = Vec::new();
                H::write_leaf(leaf, &mut out).ok()?;
                Decimal::of(&out)
            }
            _ => None,
        }
    }
}

/// The entries of an object by key. Of a repeated key, the last entry counts.
fn sorted<H: Host>(entries: &[(Text<H>, Value<H>)]) -> Vec<(Cow<'_, [u8]>, &Value<H>)> {
    let mut sorted: Vec<_> = entries.iter().rev().map(|(key, value)| (key.wtf8(None), value)).collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    sorted.dedup_by(|(later, _), (first, _)| later == first);
    sorted
}

impl<H: Host> fmt::Debug for Value<H> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(value) => value.fmt(out),
            Self::Number(text) => out.write_str(text),
            Self::Leaf(_) => out.write_str("Leaf"),
            Self::Text(text) => text.fmt(out),
            Self::List(items) => out.debug_list().entries(items.iter()).finish(),
            Self::Map(entries) => out.debug_map().entries(entries.iter().map(|(key, value)| (key, value))).finish(),
        }
    }
}
