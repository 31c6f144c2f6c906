//! The caller's choices for a run of requests.

use super::{State, on_change::OnChange};

/// What happens when the budget is full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// The ledger makes a cut.
    #[default]
    Cut,
    /// An error: the caller has to shorten the list.
    Error,
    /// Nothing: the server shortens the list.
    Soft,
}

impl Over {
    /// Every option, in the order of its documentation.
    pub const ALL: &'static [Self] = &[Self::Cut, Self::Error, Self::Soft];

    /// The name of the option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Error => "error",
            Self::Soft => "soft",
        }
    }
}

/// The caller's choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choices {
    /// The share of the budget, from 0 to 1, that a cut leaves.
    pub keep: f64,
    /// What happens when the budget is full.
    pub over: Over,
    /// What happens when the system text changes.
    pub system: OnChange,
    /// What happens when the tools change.
    pub tools: OnChange,
    /// Whether the request is needed as JSON.
    pub json: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Self { keep: 0.5, over: Over::Cut, system: OnChange::Append, tools: OnChange::Append, json: true }
    }
}

impl State {
    /// The turns that are pinned in a request, if the caller pins these. A turn that was answered keeps what it had,
    /// because a pinned result is sent whole.
    pub(super) fn pins(&self, given: &[usize]) -> Vec<usize> {
        let answered = self.newest_answer();
        let kept = self.pinned.iter().filter(|index| **index < answered);
        kept.chain(given.iter().filter(|index| **index >= answered)).copied().collect()
    }
}

/// This share of a budget.
pub(super) fn share(limit: usize, share: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of what fits in memory, between 0 and 1"
    )]
    {
        (limit as f64 * share) as usize
    }
}
