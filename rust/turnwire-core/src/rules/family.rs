//! Families of models that answer on several wires: what one of them signed, and where it may keep a prompt, holds on each.

use super::bound;
use crate::value::door::Key;

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

    /// Whether a model of this name may be one of them: the name of a profile of the caller's own says nothing.
    #[must_use]
    pub fn has(self, model: &str) -> bool {
        self == Self::Any || !bound::is_of_others(model)
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
