//! Remembers the dialects that the elements of a list were read as, so that a longer list reads them in the same way.

use std::sync::Arc;

use super::{
    Plan,
    index::{Index, Set},
    look::Look,
};
use crate::{model::Turn, rules::DialectId, value::Host};

/// The dialects of the elements of a list, in runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadAs(Vec<(DialectId, usize)>);

impl ReadAs {
    /// The dialects of turns that were read from a list.
    pub fn of<H: Host>(turns: &[Arc<Turn<H>>]) -> Self {
        turns.iter().map(|turn| (turn.from, 1)).collect()
    }

    /// Each run: its dialect, and how many elements it has.
    pub fn runs(&self) -> impl Iterator<Item = (DialectId, usize)> {
        self.0.iter().copied()
    }
}

impl FromIterator<(DialectId, usize)> for ReadAs {
    fn from_iter<I: IntoIterator<Item = (DialectId, usize)>>(runs: I) -> Self {
        let mut all: Vec<(DialectId, usize)> = Vec::new();
        for (dialect, count) in runs {
            match all.last_mut() {
                Some((last, length)) if *last == dialect => *length = length.saturating_add(count),
                _ => all.push((dialect, count)),
            }
        }
        Self(all)
    }
}

impl Plan {
    /// Reads each element as before if its signs allow that.
    pub(super) fn like(self, before: &ReadAs, looks: &[Look]) -> Self {
        if before.0.is_empty() {
            return self;
        }
        let mut each = self.each.clone().unwrap_or_else(|| vec![self.frame; looks.len()]);
        let mut known = each.iter_mut().zip(looks);
        for (dialect, count) in before.runs() {
            let own = if dialect == DialectId::NONE { Set::NONE } else { Index::get().of(dialect) };
            for (one, _) in known.by_ref().take(count).filter(|(_, look)| look.set.has(own)) {
                *one = dialect;
            }
        }
        let differs = each.iter().any(|one| *one != self.frame);
        Self { each: Some(each).filter(|_| differs || self.each.is_some()), ..self }
    }
}
