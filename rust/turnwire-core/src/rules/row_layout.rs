//! Lays out training rows that hold a prompt and its completions in separate lists.
//!
//! A row is read in any layout. Each completion becomes a conversation, with the prompt before it, so that calls pair
//! with their results. The result is divided again, into the layout of the target:
//!
//! - `openai` has preferences as `{"input": {"messages", "tools"?}, "preferred_output", "non_preferred_output"}`.
//! - `sharegpt` has them as `{"conversations", "chosen", "rejected"}`, where both answers are one element each.
//! - trl has `{"prompt", "chosen", "rejected"}` and `{"prompt", "completion", "label"?}`. Every other target gets these.
//! - trl's rows may have no prompt: then each list begins with it.

use crate::k;
use crate::value::{Key, NodeKind, Source, door::keys};

keys! {
    PREFERRED = "preferred_output";
    NON_PREFERRED = "non_preferred_output";
}

/// Where a row keeps its lists.
#[derive(Debug)]
pub(crate) struct RowLayout {
    /// The key of the prompt.
    pub(crate) prompt: &'static Key,
    /// Whether the prompt is a separate body with the tools, instead of a list.
    pub(crate) prompt_is_body: bool,
    /// Whether an answer is one element instead of a list.
    pub(crate) one_answer: bool,
    /// Whether an answer may hold only messages of the assistant and of tools, with at least one of the assistant.
    pub(crate) answers_only: bool,
    /// The keys of the completions.
    pub(crate) completions: &'static [(Side, &'static Key)],
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The better of two.
    Better,
    /// The worse of two.
    Worse,
    /// The only one.
    Only,
}

impl RowLayout {
    /// trl's `dataset_formats.md`.
    pub(crate) const TRL: Self = Self {
        prompt: &k::PROMPT,
        prompt_is_body: false,
        one_answer: false,
        answers_only: false,
        completions: &[(Side::Better, &k::CHOSEN), (Side::Worse, &k::REJECTED), (Side::Only, &k::COMPLETION)],
    };
    /// OpenAI's guide of direct preference optimization.
    pub(crate) const OPENAI: Self = Self {
        prompt: &k::INPUT,
        prompt_is_body: true,
        one_answer: false,
        answers_only: true,
        completions: &[(Side::Better, &PREFERRED), (Side::Worse, &NON_PREFERRED)],
    };
    /// LLaMA-Factory's `data/README.md`.
    pub(crate) const SHAREGPT: Self = Self {
        prompt: &k::CONVERSATIONS,
        prompt_is_body: false,
        one_answer: true,
        answers_only: false,
        completions: &[(Side::Better, &k::CHOSEN), (Side::Worse, &k::REJECTED)],
    };

    /// Whether a row has a use for this key in one of the layouts: for a list, or for the tools beside it.
    pub(crate) fn uses(name: &str) -> bool {
        let lists = [&Self::TRL, &Self::OPENAI, &Self::SHAREGPT].into_iter();
        let keys = lists.flat_map(|row| row.completions.iter().map(|(_, key)| *key).chain([row.prompt]));
        keys.chain([&k::MESSAGES, &k::TOOLS]).any(|key| key.name == name)
    }

    /// The layout of a row. `None` if it is not such a row.
    pub(crate) fn of<S: Source>(row: &S) -> Option<&'static Self> {
        // A whole conversation has no other lists that matter.
        if row.kind() != NodeKind::Map || row.get(&k::MESSAGES).is_some() {
            return None;
        }
        let has = |key| row.get(key).is_some_and(|node| node.kind() != NodeKind::Null);
        if has(&PREFERRED) || has(&NON_PREFERRED) {
            return Some(&Self::OPENAI);
        }
        if has(&k::CHOSEN) && has(&k::REJECTED) && has(&k::CONVERSATIONS) {
            return Some(&Self::SHAREGPT);
        }
        let prompted = row.get(&k::PROMPT).is_some_and(|node| node.kind() == NodeKind::List);
        let completed = has(&k::CHOSEN) || has(&k::REJECTED) || (has(&k::PROMPT) && has(&k::COMPLETION));
        (prompted || completed).then_some(&Self::TRL)
    }

    /// The key of a completion.
    pub(crate) fn key(&self, side: Side) -> Option<&'static Key> {
        self.completions.iter().find_map(|(one, key)| (*one == side).then_some(*key))
    }
}
