//! Finds where a request differs from the one before it.

use super::{pending::Pending, run::Run, seen::Seen, state::State};
use crate::{
    model::Role,
    prefix::alike,
    report::{Path, Sources},
    value::Host,
};

/// How many messages come before the caller's turn at an index. A summary is sent in the place of what it covers.
pub(super) fn standing(state: &State, seen: &Seen, index: usize) -> usize {
    let summary = state.compacted().map(|place| place.at);
    let later = |sources: &Sources| sources.iter().any(|source| *source >= index && Some(*source) != summary);
    seen.sources().iter().position(later).unwrap_or(seen.sources().len())
}

/// The first of the caller's answered turns whose message differs from the last request.
pub(super) fn edit(state: &State, seen: &Seen) -> Option<usize> {
    let common = state.messages.iter().zip(seen.messages()).take_while(|(a, b)| alike(**a, **b)).count();
    if common == 0 && state.settled > 0 && !state.messages.is_empty() && !seen.messages().is_empty() {
        // Nothing stays, as in the list of another conversation, however short it is.
        return Some(0);
    }
    let answered = state.newest_answer();
    let count = standing(state, seen, answered).min(state.messages.len());
    (common < count).then(|| seen.index_of(common)).flatten().filter(|index| *index < answered)
}

impl<H: Host> Run<'_, H> {
    /// The first place where this request does not repeat the last one.
    pub(super) fn break_at(&self, before: &State, seen: &Seen) -> Option<Path> {
        let pending = before.pending.last()?;
        let old = before.head.as_ref()?;
        let frame = &self.conversation.frame;
        if seen.head != *old && old.count(self.target) == 0 && seen.head.count(self.target) > 0 {
            // Also where all of them are hidden: without any other tool, the cache starts anew.
            return Some(frame.tools_path());
        }
        if seen.head != *old && seen.head.sum(self.target) != old.sum(self.target) {
            let same = seen.head.says_the_same(old, self.target);
            return Some(if same { frame.tools_path() } else { frame.system_path() });
        }
        let common = before.messages.iter().zip(seen.messages()).take_while(|(a, b)| a == b).count();
        let answered = self.has_reply(pending, (before, common), seen);
        // Reasoning is bound to answered messages only.
        let bound = if answered { before.messages.len() } else { before.settled };
        // If a reply continues a message, the parts that it continues are bound.
        let growing = if answered { before.growing } else { before.settled_in };
        let growing = growing.filter(|was| was.at == common);
        let is_kept = growing.map_or(common >= bound.min(before.messages.len()), |was| was.goes_on(seen, self.target));
        if is_kept || common == seen.messages().len() {
            return None;
        }
        let index = seen.index_of(common)?;
        Some(self.conversation.turns().get(index).map(|turn| turn.path(index)).unwrap_or_default())
    }

    /// Whether a reply to the last request is in the list. `common`: how many messages that request also had.
    fn has_reply(&self, pending: &Pending, (before, common): (&State, usize), seen: &Seen) -> bool {
        let turns = self.conversation.turns();
        let is_said = |index: &usize| turns.get(*index).is_some_and(|turn| turn.role == Role::Assistant);
        if (pending.length..turns.len()).any(|index| is_said(&index)) {
            return true;
        }
        if self.list.first(pending.length) == Some(pending.list) {
            return false;
        }
        // The caller has edited the list, so a reply may be anywhere in what is new.
        let mut new = seen.messages().iter().zip(seen.sources()).skip(common);
        new.any(|(message, sources)| {
            sources.iter().any(is_said) && !before.messages.iter().any(|known| alike(*known, *message))
        })
    }
}
