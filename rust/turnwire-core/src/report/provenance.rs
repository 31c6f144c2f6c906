//! What a rendering returns beside its payload: its losses, and the source elements of each of its elements.

use std::{num::NonZeroU32, sync::Arc};

use smallvec::SmallVec;

use super::{change::Change, tool_names::ToolNames};

/// Indices of the caller's elements, in order and each once. Empty for an element that was made up. Two indices need no
/// more memory than one.
pub type Sources = SmallVec<[usize; 2]>;

/// The caller's element that a part was read from, if a build moved the part to the turn of another element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Home(Option<NonZeroU32>);

impl Home {
    /// The turn's own element.
    pub const NONE: Self = Self(None);

    /// The element at an index.
    #[must_use]
    pub fn of(index: usize) -> Self {
        Self(u32::try_from(index + 1).ok().and_then(NonZeroU32::new))
    }

    /// The index of the element.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        self.0.map(|index| index.get() as usize - 1)
    }

    /// The index, if it is among the elements that the turn was made from. A turn that was put into another list has
    /// left its elements behind.
    pub(crate) fn among(self, sources: &[usize]) -> Option<usize> {
        self.index().filter(|home| sources.contains(home))
    }
}

/// Marks a source as an index of the caller's list, among indices of turns.
const OWN: usize = 1 << (usize::BITS - 1);

/// An index of the caller's list, as a source among indices of turns.
pub(crate) fn caller_index(index: usize) -> usize {
    OWN | index
}

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
    pub losses: Vec<Change>,
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
    sources(indices.iter().flat_map(|index| elements(index, origins)).copied())
}

/// The same for the sources of a turn, whose own element stays the first.
pub(crate) fn origins_of(indices: &[usize], origins: &[Sources]) -> Sources {
    own_first(indices.iter().flat_map(|index| elements(index, origins)).copied())
}

/// These indices, each once, with the first one first.
pub(crate) fn own_first(indices: impl IntoIterator<Item = usize>) -> Sources {
    let mut indices = indices.into_iter();
    let Some(own) = indices.next() else { return Sources::new() };
    let others = sources(indices);
    std::iter::once(own).chain(others.into_iter().filter(|index| *index != own)).collect()
}

/// The caller's elements of a turn, or the one that is named already.
fn elements<'i>(index: &'i usize, origins: &'i [Sources]) -> &'i [usize] {
    if *index & OWN != 0 { std::slice::from_ref(index) } else { origins.get(*index).map_or(&[], |one| one) }
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

    /// Removes the marks of [`caller_index`].
    pub(crate) fn settled(mut self) -> Self {
        for one in &mut self.sources {
            if one.iter().any(|index| index & OWN != 0) {
                *one = sources(one.iter().map(|index| index & !OWN));
            }
        }
        self
    }
}
