//! Finds where a build first changed the conversation. Later reasoning was made after other content than is sent now.
//!
//! The remaining turns are compared with the given ones. A difference only in form is not a change, nor is the removal
//! of content that no request can have contained (results without a call, empty turns). A result cut to the caller's
//! own cap is not a change, because every request cuts it alike. Nor are the texts that the caller puts in front.

use std::sync::Arc;

use crate::{
    model::{Kind, Part, Role, Turn, compaction},
    prefix::unmarked,
    report::{Edit, Path},
    stage::{Draft, DraftTurn},
    value::{HashSet, Host, Input},
};

/// A position among the remaining turns, and its path in the caller's payload.
pub(super) struct Spot {
    pub(super) slot: usize,
    pub(super) part: usize,
    pub(super) path: Path,
}

/// The first change. `None` if there is none, or if no `bound` reasoning is left.
pub(super) fn first<H: Host>(draft: &Draft<'_, H>, bound: &dyn Fn(&Turn<H>, &Part<H>) -> bool) -> Option<Spot> {
    if draft.receipt.is_unchanged() {
        return None;
    }
    let first_bound = draft.turns().position(|turn| turn.parts.iter().any(|part| bound(turn, part)))?;
    if let Some(path) = moved_system(draft, draft.at(first_bound).1) {
        return Some(Spot { slot: 0, part: 0, path });
    }
    let slots = draft.slots.as_ref()?;
    let never_sent = never_sent(draft);
    let mut next = 0;
    for (at, slot) in slots.iter().enumerate() {
        let edit = |part: usize| {
            let path = slot.turn.parts.get(part).map_or_else(|| slot.path(), |_| slot.path_of(part));
            Some(Spot { slot: at, part, path })
        };
        let Some(first) = slot.sources.iter().min().copied() else {
            if is_callers(&slot.turn, draft) {
                continue;
            }
            return edit(0);
        };
        if first < next || (next..first).any(|gone| !never_sent.contains(&gone)) {
            return edit(0);
        }
        next = slot.sources.iter().max().map_or(next, |last| last + 1);
        if let Some(part) = changed_part(draft, slot, &never_sent) {
            return edit(part);
        }
    }
    None
}

/// System text that moves to the head from after the first bound reasoning, which was made without it.
fn moved_system<H: Host>(draft: &Draft<'_, H>, first_bound: usize) -> Option<Path> {
    let mut entries = draft.receipt.changes.iter();
    entries
        .find(|entry| entry.code == Edit::MovedSystem && entry.index.is_some_and(|index| index > first_bound))
        .map(|entry| entry.path.clone())
}

/// The given turns that no request can have contained unchanged.
fn never_sent<H: Host>(draft: &Draft<'_, H>) -> HashSet<usize> {
    let never = |code: Edit| {
        matches!(
            code,
            Edit::OrphanResult
                | Edit::OrphanCall
                | Edit::DuplicateResult
                | Edit::Compacted
                | Edit::EmptyAssistant
                | Edit::BlankText
                | Edit::EmptyTurn
                | Edit::LoneReasoning
                | Edit::RepeatedItem
                | Edit::Reasoning
        )
    };
    draft
        .receipt
        .changes
        .iter()
        .filter(|entry| entry.code.edit().is_some_and(never))
        .filter_map(|entry| entry.index)
        .collect()
}

/// Whether a turn that a step made up has the caller's own content: system prompts or the opening.
fn is_callers<H: Host>(turn: &Turn<H>, draft: &Draft<'_, H>) -> bool {
    let made = |code: Edit| draft.receipt.changes.iter().any(|entry| entry.code == code);
    match turn.role {
        role if role.is_system() => !made(Edit::SummaryAdded),
        Role::User => made(Edit::OpeningAdded) && turn.parts.iter().all(|part| matches!(part.kind, Kind::Text(_))),
        _ => false,
    }
}

/// The first part of a turn that differs from the given ones.
fn changed_part<H: Host>(draft: &Draft<'_, H>, slot: &DraftTurn<H>, never_sent: &HashSet<usize>) -> Option<usize> {
    let given = draft.given.turns();
    if let [index] = slot.sources[..]
        && (Arc::ptr_eq(&slot.turn, &given[index]))
    {
        return None;
    }
    let mut sources = slot.sources.to_vec();
    sources.sort_unstable();
    let mut before = sources.iter().flat_map(|index| {
        let turn = draft.capped.get(index).unwrap_or(&given[*index]);
        let is_never_sent = never_sent.contains(index);
        let parts = turn.parts.iter().filter(|part| !is_blank(part, turn.input.as_ref()));
        parts.map(move |part| (part, turn.input.as_ref(), is_never_sent && is_removable(part)))
    });
    let here = slot.turn.input.as_ref();
    // Models do not read what comes before a compaction in its own turn.
    let starts_anew = slot.turn.parts.first().is_some_and(|part| compaction::rule_of(&slot.turn, part).is_some());
    for (at, part) in slot.turn.parts.iter().enumerate().filter(|(_, part)| !is_blank(part, here)) {
        let is_same = |(one, input, _): &(&Part<H>, Option<&Input>, bool)| {
            part.same_in(one, (here, *input)) || is_same_but_for_marks((part, here), (one, *input))
        };
        // Content that no request can have contained may be missing.
        let may_skip = |is_removable: bool| is_removable || starts_anew && at == 0;
        if !before.by_ref().find(|one| is_same(one) || !may_skip(one.2)).is_some_and(|one| is_same(&one)) {
            return Some(at);
        }
    }
    before.any(|(.., is_removable)| !is_removable).then_some(slot.turn.parts.len())
}

/// Whether two blocks that are sent as they came differ only in cache marks, which no model reads.
fn is_same_but_for_marks<H: Host>(here: (&Part<H>, Option<&Input>), there: (&Part<H>, Option<&Input>)) -> bool {
    let value = |(part, input): (&Part<H>, Option<&Input>)| {
        let origin = part.origin.as_ref().filter(|_| matches!(part.kind, Kind::Reasoning(_) | Kind::Opaque(_)))?;
        origin.to_value(input).ok().map(|value| unmarked(&value))
    };
    here.0.signed == there.0.signed && matches!((value(here), value(there)), (Some(a), Some(b)) if a.same(&b))
}

/// Whether a part has no content to compare.
fn is_blank<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    matches!(&part.kind, Kind::Text(text) if text.is_blank(input))
}

/// Whether a part may be missing without a change, if no request can have contained its turn unchanged.
fn is_removable<H: Host>(part: &Part<H>) -> bool {
    matches!(part.kind, Kind::Result(_) | Kind::Reasoning(_))
}
