//! What a rendering returns beside its payload: its losses, and the source elements of each of its elements.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{loss::Loss, tool_names::ToolNames};

/// Indices of the caller's elements, in order and each once. Empty for an element that was made up. Two indices need no
/// more memory than one.
pub type Sources = SmallVec<[usize; 2]>;

/// Where the elements of a payload come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The sources of each element of the payload's list.
    pub sources: Vec<Sources>,
    /// The caller's elements that were written to keys beside the list.
    pub hoisted: Vec<usize>,
    /// The body's other keys that were left to the caller, if the options ask for them.
    pub left: Vec<Arc<str>>,
}

/// What a rendering returns beside its payload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendering {
    /// The losses.
    pub losses: Vec<Loss>,
    /// Where its elements come from.
    pub provenance: Provenance,
    /// The caller's own names for the tools that a build renamed.
    pub names: ToolNames,
}

/// Sorts these indices and removes repeated ones.
pub(crate) fn sources(indices: impl IntoIterator<Item = usize>) -> Sources {
    let mut sources = Sources::new();
    for index in indices {
        // Usually the same index again. Then nothing has to be sorted or allocated.
        if sources.last() != Some(&index) {
            sources.push(index);
        }
    }
    if sources.len() > 1 {
        sources.sort_unstable();
        sources.dedup();
    }
    sources
}

/// Translates sources to the caller's indices. `origins` are the elements that each turn was made from.
pub(crate) fn seen_from(indices: &[usize], origins: &[Sources]) -> Sources {
    sources(indices.iter().flat_map(|index| origins.get(*index).into_iter().flatten().copied()))
}

impl Provenance {
    /// Translates all sources to the caller's indices.
    pub(crate) fn seen_from(self, origins: &[Sources]) -> Self {
        Self {
            sources: self.sources.iter().map(|one| seen_from(one, origins)).collect(),
            hoisted: seen_from(&self.hoisted, origins).into_vec(),
            left: self.left,
        }
    }
}
