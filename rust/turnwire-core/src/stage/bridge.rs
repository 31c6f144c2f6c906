//! Step 5: puts the caller's bridge, a text of the assistant, between a result and the user's words, if the target refuses
//! these right after a result. Without one, the build fails, or warns where only some servers refuse them.

use std::sync::Arc;

use super::{
    draft::{Draft, DraftTurn},
    policy::Policy,
};
use crate::{
    model::{Kind, Part, Role, Tie, Turn, surrogate::repair},
    report::{Change, Edit, Error, Severity, error::Code, sentence::HALF},
    value::{Host, Text},
    wire::plan::{
        behind_results::{Gap, gaps, said_first, severity},
        rules,
    },
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy, bridge: Option<&Text<H>>) -> Result<(), Error> {
    let bridge = bridge.filter(|bridge| !bridge.is_blank(None));
    let (Some(bridge), Some(target)) = (bridge, rules.written_for()) else { return Ok(()) };
    let found = gaps(&target, draft.turns().map(|turn| &**turn))?;
    if found.is_empty() {
        return Ok(());
    }
    let words = repair::text(bridge, None);
    let bytes = words.utf8_len(None);
    let mut entries = Vec::new();
    let slots = draft.slots();
    for Gap { at, inside } in found.into_iter().rev() {
        // Media of the last result are told where that result is.
        let (index, path) =
            slots.get(at).or(slots.last()).map_or_else(Default::default, |slot| (slot.index, slot.path()));
        let mut made = Turn::new(Role::Assistant, [Part::text(words.share())]);
        made.tie = Tie::Bridges;
        entries.push(Change::new(Edit::BridgeAdded, index, path.clone(), rules::USER_AFTER_RESULT).sized(0, bytes));
        if bridge.has_lone_surrogate() {
            entries.push(Change::new(Edit::LoneSurrogate, index, path, HALF));
        }
        let at = if inside {
            let first = said_first(&slots[at].turn);
            let told = first.iter().map(|part| slots[at].path_of(*part));
            entries.extend(told.map(|path| Change::new(Edit::Order, index, path, rules::RESULTS_FIRST)));
            let rest = without_results(&mut slots[at]);
            slots.insert(at + 1, rest);
            at + 1
        } else {
            at
        };
        slots.insert(at, DraftTurn::made(made, index));
    }
    entries.sort_by_cached_key(|entry: &Change| entry.index);
    for entry in entries {
        draft.report(entry);
    }
    Ok(())
}

/// Takes everything but the results out of a turn, as a turn of its own.
fn without_results<H: Host>(slot: &mut DraftTurn<H>) -> DraftTurn<H> {
    let is_result = |part: &Part<H>| matches!(part.kind, Kind::Result(_)) || part.is_progress();
    let (mut results, mut rest) = (slot.turn.touch(), slot.turn.touch());
    results.parts.retain(|part| is_result(part));
    rest.parts.retain(|part| !is_result(part));
    (results.id, results.extras, results.entity) = (None, None, None);
    slot.turn = Arc::new(results);
    DraftTurn { turn: Arc::new(rest), index: slot.index, sources: slot.sources.clone() }
}

/// Tells of the user's words right after a result, or fails.
pub(super) fn lacking<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    let Some(target) = rules.written_for() else { return Ok(()) };
    let found = gaps(&target, draft.turns().map(|turn| &**turn))?;
    let last = draft.turns().len().saturating_sub(1);
    let severity = severity(&target);
    for Gap { at, .. } in found {
        let path = draft.path(at.min(last));
        if severity == Severity::Error {
            let text = "the target refuses the user's words right after a result: pass a bridge, a text of the assistant to put \
                        between, or add the assistant's answer";
            return Err(Error::new(Code::UserAfterResult, text).at_path(path));
        }
        let text = "some servers of the target refuse the user's words right after a result: put the assistant's answer \
                    between, or pass a bridge";
        draft.receipt.changes.push(Change::warning(Edit::UserAfterResult, path, text).graded(severity));
    }
    Ok(())
}
