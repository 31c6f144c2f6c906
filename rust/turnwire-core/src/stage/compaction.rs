//! Step 0: leaves out the turns that a provider's compaction replaces.
//!
//! The last compaction counts, whether its own provider gets it or another one reads its summary. Parts before it in
//! the same turn are left out as well, because the servers want it first. A compaction that covers calls and answers
//! alone leaves the texts of users and the system in place.

use std::sync::Arc;

use super::{draft::Draft, policy::Policy, replay::Compacted, size};
use crate::{
    model::{
        compaction,
        part::Part,
        turn::{Role, Turn},
    },
    report::receipt::{Change, Entry},
    value::handle::Host,
    wire::plan::speaker,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    // Without a target it is unknown who reads the compaction.
    if rules.target.is_none() {
        return;
    }
    let in_turn = |(at, turn): (usize, &Arc<Turn<H>>)| {
        let (part, rule) = compaction::last_of(turn)?;
        is_read(turn, &turn.parts[part], rules).then_some((at, part, rule))
    };
    let Some((last, part, rule)) = draft.turns().enumerate().rev().find_map(in_turn) else { return };
    if last == 0 && part == 0 {
        return;
    }
    let goes =
        |turn: &Turn<H>| rule.covers_users || speaker(turn) == Role::Assistant || turn.results().next().is_some();
    let why = "the provider's compaction behind it replaces it";
    let (mut at, mut entries) = (0.., Vec::new());
    draft.slots().retain_mut(|slot| {
        let here = at.next().unwrap_or(usize::MAX);
        let entry = Entry::new(Change::Compacted, slot.index, slot.path(), why);
        if here < last && goes(&slot.turn) {
            entries.push(entry.sized(size::turn(&slot.turn), 0));
            return false;
        }
        if here == last && part > 0 {
            let before = size::turn(&slot.turn);
            let mut turn = slot.turn.touch();
            turn.parts.drain(..part);
            entries.push(entry.sized(before, size::turn(&turn)));
            slot.turn = Arc::new(turn);
        }
        true
    });
    draft.receipt.entries.append(&mut entries);
}

/// Puts a compaction in place of the turns that it covers, before the turns that came since. It does not cover system
/// text at the head of the list.
pub(super) fn adopt<H: Host>(draft: &mut Draft<'_, H>, compacted: Compacted) {
    let slots = draft.slots();
    let head = slots.iter().position(|slot| !slot.turn.role.is_system()).unwrap_or(slots.len());
    let Some(at) = slots.iter().position(|slot| slot.index == compacted.at).filter(|at| *at >= head) else { return };
    let block = slots.remove(at);
    let end = slots.iter().position(|slot| slot.index >= compacted.covers).unwrap_or(slots.len()).max(head);
    let gone: Vec<_> = slots.splice(head..end, [block]).collect();
    for slot in gone {
        let entry = Entry::new(Change::Compacted, slot.index, slot.path(), "the provider's compaction replaces it");
        draft.report(entry.sized(size::turn(&slot.turn), 0));
    }
}

/// Whether the target reads a compaction, or at least its summary.
fn is_read<H: Host>(turn: &Turn<H>, part: &Part<H>, rules: &Policy) -> bool {
    rules.is_home(turn.from) || compaction::summary((turn.from, turn.input.as_ref()), part).is_some()
}

/// Whether a turn begins with a compaction that the target reads. Then no user has to speak before it.
pub(super) fn begins<H: Host>(turn: &Turn<H>, rules: &Policy) -> bool {
    turn.parts.first().is_some_and(|part| is_kept(turn, part, rules))
}

/// Whether a part is a compaction that the target reads. It must not be removed: it holds all that was said before.
pub(super) fn is_kept<H: Host>(turn: &Turn<H>, part: &Part<H>, rules: &Policy) -> bool {
    compaction::rule_of(turn, part).is_some() && is_read(turn, part, rules)
}
