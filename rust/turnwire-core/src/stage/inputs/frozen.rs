//! The decisions of earlier requests, which a later one repeats.

use std::sync::Arc;

use crate::{
    model::{Frame, Kind, Part},
    value::{HashSet, Host},
};

/// The decisions of earlier requests.
#[derive(Debug)]
pub struct Frozen<'a, H: Host> {
    /// The last cut.
    pub cut: Option<&'a Cut>,
    /// The lengths of the caller's list at the answered requests since the cut.
    pub answered: &'a [usize],
    /// Reasoning that was left out: the caller's index of its turn, and the identity of the block.
    pub left_out: &'a HashSet<(usize, u64)>,
    /// Notes between the caller's turns, in order.
    pub notes: &'a [Note],
    /// Elements that were sent before all of the caller's turns, as JSON of the target.
    pub lead: &'a [String],
    /// A compaction block that does not directly follow the turns that it covers.
    pub compacted: Option<Compacted>,
    /// The caller's turns that are compactions which are not sent, because another one covers the same turns.
    pub spare: &'a [usize],
    /// The frame that was sent, instead of the one that the caller gives now.
    pub frame: Option<Arc<Frame<H>>>,
    /// The caller's system turns that this frame already contains.
    pub hoisted: &'a HashSet<usize>,
}

impl<H: Host> Frozen<'_, H> {
    /// Whether a line of system text was sent. It must not need an escape in JSON.
    pub(crate) fn has_said(&self, line: &str) -> bool {
        let notes = self.notes.iter().map(|note| &note.json);
        let frame = self.frame.as_deref().and_then(|frame| Some((frame.system.as_ref()?, frame.input.as_ref())));
        let in_frame = |part: &Part<H>, input| match &part.kind {
            Kind::Text(text) => text.to_str(input).contains(line),
            _ => false,
        };
        notes.chain(self.lead).any(|element| element.contains(line))
            || frame.is_some_and(|(system, input)| system.parts.iter().any(|part| in_frame(part, input)))
    }
}

/// A turn that is a provider's compaction of the caller's first turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// How many of them it covers.
    pub covers: usize,
    /// Its own index, after those turns.
    pub at: usize,
}

/// A note that was sent between the caller's turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The caller's turn that it comes before.
    pub index: usize,
    /// The hashes of the lines of system text that it tells.
    pub lines: Vec<u64>,
    /// The tools that it shows, each with its hash, and those that it withdraws.
    pub tools: Vec<(String, Option<u64>)>,
    /// The element, as JSON of the target.
    pub json: String,
}

/// A cut, which later requests repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many of the caller's turns were brought under the budget.
    pub count: usize,
    /// The limit, in the unit of the budget. `None` if nothing was cut and only earlier decisions were dropped.
    pub limit: Option<usize>,
    /// The caller's indices of pinned turns.
    pub pinned: Vec<usize>,
    /// How many tools were defined.
    pub tools: usize,
}
