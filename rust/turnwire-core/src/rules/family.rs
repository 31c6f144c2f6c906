//! Families of models that answer on several wires: what one of them signed, and where it may keep a prompt, holds on each.

use crate::value::{
    door::{Key, Sink, keys},
    handle::{Host, Value},
};

keys! {
    TYPE = "type";
    TTL = "ttl";
}

/// A family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Models of many makers, or of one wire alone.
    Any,
    /// Claude: Anthropic's own API, and Converse.
    Claude,
}

impl Family {
    /// Whether both are the same one.
    #[must_use]
    pub fn is_same(self, other: Self) -> bool {
        self != Self::Any && self == other
    }

    /// Whether a model of this name is one of them, as far as the name says; `None` where nobody has named it.
    #[must_use]
    pub fn has(self, model: Option<&str>) -> bool {
        self == Self::Any || model.is_none_or(|model| model.contains("claude"))
    }
}

/// How a wire marks the end of what its cache is to keep: an object of a type, and how long to keep it.
#[derive(Clone, Copy)]
pub(crate) enum CacheMark {
    /// Under this key of the last block.
    Key(&'static Key),
    /// Under this key of a block behind it, which has no other.
    Block(&'static Key),
}

impl CacheMark {
    /// What stands under the only key of a block.
    pub(crate) fn inside<H: Host>(name: &str, block: &Value<H>) -> Option<Value<H>> {
        match block {
            Value::Map(entries) => match entries.iter().as_slice() {
                [(key, value)] if key.is(name, None) => Some(value.share()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A mark, by how long the cache is to keep what stands before it: as long as it does by itself, or as said.
#[derive(Clone, Copy)]
pub(crate) enum Cached {
    /// As long as the provider does.
    Usual,
    /// For this long.
    For(&'static Key),
}

keys! {
    MINUTES = "5m";
    HOUR = "1h";
}

impl Cached {
    /// Of a mark's object, unless it says something else.
    pub(crate) fn read<H: Host>(mark: &Value<H>) -> Option<Self> {
        let Value::Map(entries) = mark else { return None };
        let mut found = Self::Usual;
        for (key, value) in entries.iter() {
            match value {
                Value::Text(_) if key.is(TYPE.name, None) => {}
                Value::Null if key.is(TTL.name, None) => {}
                Value::Text(word) if key.is(TTL.name, None) => {
                    found = Self::For([&MINUTES, &HOUR].into_iter().find(|known| word.is(known.name, None))?);
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// The mark's object, of a wire's own type.
    pub(crate) fn write<H: Host, K: Sink<H>>(self, kind: &'static Key, out: &mut K) {
        out.open_map();
        out.key(&TYPE);
        out.literal(kind);
        if let Self::For(ttl) = self {
            out.key(&TTL);
            out.literal(ttl);
        }
        out.close();
    }
}
