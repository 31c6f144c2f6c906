//! Step 0: leaves out the turns that a provider's compaction replaces.
//!
//! The last compaction counts, whether its own provider gets it or another one reads its summary. Earlier parts of the
//! same turn are left out too, because the servers need the compaction first. If a compaction covers only calls and
//! answers, the texts of users and the system stay.

use std::sync::Arc;

use super::{
    draft::{Draft, DraftTurn},
    inputs::Compacted,
    policy::Policy,
    size,
};
use crate::{
    model::{Kind, Part, Parts, Role, Turn, compaction},
    pairing::steps::is_mark,
    report::{Change, Edit, sentence::LATE_COMPACTION},
    rules::CompactionRule,
    value::Host,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    // Without a target it is unknown which provider reads the compaction.
    if rules.target.is_none() {
        return;
    }
    let in_turn = |(at, turn): (usize, &Arc<Turn<H>>)| {
        let (part, rule) = compaction::last_of(turn)?;
        // The mark of the step that it begins says nothing.
        let marks = turn.parts[..part].iter().rev().take_while(|part| is_mark(turn, part)).count();
        is_read(turn, &turn.parts[part], rules).then_some((at, part - marks, rule))
    };
    let Some((last, part, rule)) = draft.turns().enumerate().rev().find_map(in_turn) else { return };
    if last == 0 && part == 0 {
        return;
    }
    let why = "the provider's compaction behind it replaces it";
    let (mut at, mut entries) = (0.., Vec::new());
    draft.slots().retain_mut(|slot| {
        let here = at.next().unwrap_or(usize::MAX);
        if here < last {
            return stays(rule, slot, why, &mut entries);
        }
        let entry = Change::new(Edit::Compacted, slot.index, slot.path(), why);
        if here == last && part > 0 {
            let before = size::turn(&slot.turn);
            let mut turn = slot.turn.touch();
            turn.parts.drain(..part);
            entries.push(entry.sized(before, size::turn(&turn)));
            slot.turn = Arc::new(turn);
        }
        true
    });
    draft.receipt.changes.append(&mut entries);
}

/// Leaves out compactions whose turns another one covers, too.
pub(super) fn leave_out<H: Host>(draft: &mut Draft<'_, H>, spare: &[usize]) {
    if spare.is_empty() {
        return;
    }
    let mut entries = Vec::new();
    draft.slots().retain(|slot| {
        let goes = spare.contains(&slot.index);
        if goes {
            let entry =
                Change::new(Edit::Compacted, slot.index, slot.path(), "another summary covers the same messages");
            entries.push(entry.sized(size::turn(&slot.turn), 0));
        }
        !goes
    });
    draft.receipt.changes.append(&mut entries);
}

/// Replaces the turns that a compaction covers, before all turns that came since. System text at the head of the list
/// is not covered. Turns in between that it does not replace stay before it.
pub(super) fn adopt<H: Host>(draft: &mut Draft<'_, H>, compacted: Compacted) {
    let slots = draft.slots();
    let head = slots.iter().position(|slot| !slot.turn.role.is_system()).unwrap_or(slots.len());
    let Some(at) = slots.iter().position(|slot| slot.index == compacted.at).filter(|at| *at >= head) else { return };
    let Some((_, rule)) = compaction::last_of(&slots[at].turn) else { return };
    let block = slots.remove(at);
    let end = slots.iter().position(|slot| slot.index >= compacted.covers).unwrap_or(slots.len()).max(head);
    let mut covered: Vec<_> = slots.drain(head..end).collect();
    let mut entries = Vec::new();
    covered.retain_mut(|slot| stays(rule, slot, "the provider's compaction replaces it", &mut entries));
    if entries.is_empty() && head + covered.len() < at {
        entries.push(Change::new(Edit::Compacted, block.index, block.path(), LATE_COMPACTION));
    }
    slots.splice(head..head, covered.into_iter().chain([block]));
    draft.receipt.changes.append(&mut entries);
}

/// Whether anything stays of a turn that a compaction covers. A user's content beside results may stay.
fn stays<H: Host>(
    rule: &CompactionRule,
    slot: &mut DraftTurn<H>,
    why: &'static str,
    entries: &mut Vec<Change>,
) -> bool {
    let turn = &slot.turn;
    let may_stay = !rule.covers_users && turn.speaker() != Role::Assistant;
    let is_said = |part: &&Part<H>| may_stay && !matches!(part.kind, Kind::Result(_));
    let parts: Parts<H> = turn.parts.iter().filter(is_said).map(Part::share).collect();
    if may_stay && parts.len() == turn.parts.len() {
        return true;
    }
    let (entry, before) = (Change::new(Edit::Compacted, slot.index, slot.path(), why), size::turn(turn));
    if parts.is_empty() {
        entries.push(entry.sized(before, 0));
        return false;
    }
    let mut rest = turn.touch_with(parts);
    if rest.role == Role::Tool {
        rest.role = Role::User;
    }
    entries.push(entry.sized(before, size::turn(&rest)));
    slot.turn = Arc::new(rest);
    true
}

/// Whether the target reads a compaction, or at least its summary.
fn is_read<H: Host>(turn: &Turn<H>, part: &Part<H>, rules: &Policy) -> bool {
    rules.is_home(turn.from) || compaction::summary((turn.from, turn.input.as_ref()), part).is_some()
}

/// Whether a turn begins with a compaction that the target reads. Then the user need not speak before it.
pub(super) fn begins<H: Host>(turn: &Turn<H>, rules: &Policy) -> bool {
    turn.parts.iter().find(|part| !is_mark(turn, part)).is_some_and(|part| is_kept(turn, part, rules))
}

/// Whether a part is a compaction that the target reads. It must not be removed, because it stands for everything
/// before it.
pub(super) fn is_kept<H: Host>(turn: &Turn<H>, part: &Part<H>, rules: &Policy) -> bool {
    compaction::rule_of(turn, part).is_some() && is_read(turn, part, rules)
}
