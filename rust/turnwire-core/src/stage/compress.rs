//! Step 1: replaces the older turns by a summary.

use std::{borrow::Cow, sync::Arc};

use super::{
    bond::Bond,
    draft::{Draft, DraftTurn},
    inputs::{Inputs, Summary},
    size, system,
};
use crate::{
    model::{Entity, Part, Role, Turn},
    report::{Change, Edit, Path, sentence::HALF_SUMMARY},
    value::{HashSet, Host, Raw, Text, Value, json},
};

/// Why an earlier summary is removed.
pub(super) const REPLACED: &str = "another summary replaces this one";
/// The beginning of every summary.
const PREFIX: &str = "[Previous conversation summary (";

impl Summary {
    /// The text of the turn with this summary.
    fn said(&self) -> String {
        summary(self.ids.len() + self.indices.len(), &self.text)
    }
}

/// The text of the turn that replaces `count` turns (spec 001).
pub(super) fn summary(count: usize, text: &str) -> String {
    format!("{PREFIX}{count} messages compressed)]\n\n{text}")
}

/// Whether a turn is a summary.
pub(super) fn is_summary<H: Host>(turn: &Turn<H>) -> bool {
    system::alone(turn).is_some_and(|text| text.starts_with(PREFIX, turn.input.as_ref()))
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>) {
    let Some(summary) = inputs.summary else { return };
    let start = draft.turns().position(|turn| id(turn).is_some_and(|id| id == *summary.start_id));
    let by_indices = !summary.indices.is_empty();
    if start.is_none() && (!by_indices || !summary.ids.is_empty()) {
        let text = "startMessageId not found, using all messages";
        draft.receipt.changes.push(Change::warning(Edit::StartIdMissing, Path::default(), text));
        if !by_indices {
            return;
        }
    }
    let start = start.unwrap_or(0);
    let indices: HashSet<usize> = summary.indices.iter().copied().collect();
    let covered: HashSet<&str> = summary.ids.iter().map(String::as_str).collect();
    let said = summary.said();
    let is_summary_text =
        |turn: &Arc<Turn<H>>| system::alone(turn).is_some_and(|text| text.is(&said, turn.input.as_ref()));
    let kept_summary = draft.turns().take(start).position(is_summary_text);
    let goes = |at: usize, index: usize, turn: &Turn<H>| match id(turn) {
        id if indices.contains(&index) || id.as_ref().is_some_and(|id| covered.contains(&**id)) => {
            Some((Edit::Compressed, "the summary covers this turn"))
        }
        Some(_) if at < start => {
            Some((Edit::BeforeSummary, "this turn is before the start id, and the summary does not cover it"))
        }
        None if at < start && Some(at) != kept_summary && is_summary(turn) => Some((Edit::BeforeSummary, REPLACED)),
        // A turn without an id cannot be known as old.
        _ => None,
    };
    let mut each = draft.slots().iter().enumerate();
    if kept_summary.is_some() && !each.any(|(at, slot)| goes(at, slot.index, &slot.turn).is_some()) {
        return;
    }
    let mut entries = Vec::new();
    let (mut at, mut bond) = (0.., Bond::default());
    draft.slots().retain_mut(|slot| {
        let gone = at.next().and_then(|at| goes(at, slot.index, &slot.turn));
        let Some((code, why)) = gone else { return bond.kept(slot, &mut entries) };
        bond.removed(&slot.turn, code);
        entries.push(Change::new(code, slot.index, slot.path(), why).sized(size::turn(&slot.turn), 0));
        false
    });
    // An earlier request of the run has sent it already, at its beginning or in a note.
    let heading = said.lines().next().unwrap_or_default();
    let was_sent = inputs.frozen.is_some_and(|frozen| frozen.has_said(heading));
    if kept_summary.is_none() && !was_sent {
        entries.extend(added(&said, summary.repaired));
        let turn = Turn::new(Role::System, [Part::text(Text::own(&said))]);
        // The summary follows the system prompts of an earlier build.
        let prompts = system::joined(inputs.system_prompts);
        let head = prompts.is_some_and(|prompts| draft.turns().next().is_some_and(|turn| system::says(turn, &prompts)));
        draft.slots().insert(usize::from(head), DraftTurn::made(turn, 0));
    }
    draft.receipt.changes.append(&mut entries);
}

/// Reports a summary, and lone surrogates in it.
pub(super) fn added(said: &str, repaired: bool) -> impl Iterator<Item = Change> {
    let why = "the summary of the older turns";
    let added = Change::new(Edit::SummaryAdded, 0, Path::default(), why).sized(0, said.len());
    let why = HALF_SUMMARY;
    let half = repaired.then(|| Change::new(Edit::LoneSurrogate, 0, Path::default(), why));
    [added].into_iter().chain(half)
}

/// The id by which the caller knows a turn: its entity's, its own, or one for which its format has no key.
fn id<H: Host>(turn: &Turn<H>) -> Option<Cow<'_, str>> {
    let input = turn.input.as_ref();
    let stored = turn.entity.as_ref().and_then(|entity| entity.id.as_ref());
    if let Some(id) = stored.or(turn.id.as_ref()) {
        return Some(id.to_str(input));
    }
    let (_, beside) =
        turn.extras.iter().flat_map(|extras| extras.iter()).find(|(key, _)| key.is(Entity::<H>::key(), input))?;
    match beside.to_value(input).ok()? {
        Value::Text(id) => Some(id.to_str(None).into_owned().into()),
        number @ (Value::Number(_) | Value::Leaf(_)) => {
            json::encode::to_string(&Raw::Tree(number), None).ok().map(Cow::from)
        }
        _ => None,
    }
}
