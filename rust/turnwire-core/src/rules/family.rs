//! Names families of models that answer on several wires: their signatures and cache marks are valid on each of them.

use super::bound;
use crate::value::door::Key;

/// A family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Models of many makers, or models with a single wire.
    Any,
    /// Claude: Anthropic's own API, and Converse.
    Claude,
}

impl Family {
    /// Whether both are the same family.
    #[must_use]
    pub fn is_same(self, other: Self) -> bool {
        self != Self::Any && self == other
    }

    /// Whether a model of this name may belong to it. A caller's own name for a profile does not decide it.
    #[must_use]
    pub fn has(self, model: &str) -> bool {
        self == Self::Any || !bound::is_of_others(model)
    }
}

/// How a wire marks the end of the cached part of a prompt: an object with a type and a lifetime.
#[derive(Clone, Copy)]
pub(crate) enum CacheMark {
    /// Under this key of the last block.
    Key(&'static Key),
    /// Under this key of a separate block behind it.
    Block(&'static Key),
}
