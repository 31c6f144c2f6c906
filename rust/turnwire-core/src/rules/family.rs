//! Names families of models that are served in several formats. Their signatures and cache marks are valid in each of
//! them.

use super::bound;

/// A family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Models of many makers, or models with a single format.
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

    /// Whether a model with this name may belong to it. A name that a caller made up for a profile does not decide it.
    #[must_use]
    pub fn has(self, model: &str) -> bool {
        self == Self::Any || !bound::is_of_others(model)
    }
}
