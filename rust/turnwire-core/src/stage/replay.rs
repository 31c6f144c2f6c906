//! Repeats the decisions of earlier requests of a run, so that the prefix that was sent stays the same.
//!
//! A result that comes after a made-up one was sent becomes the user's text. Reasoning that was left out stays out.
//! Notes between the caller's turns are sent again. All of this happens before the repairs, which then find the same
//! gaps and fill them in the same way.

use std::sync::Arc;

use super::{
    draft::{Draft, DraftTurn},
    inputs::{Budget, Frozen, Inputs},
    late::{self, Sent},
    policy::Policy,
    reasoning, size,
};
use crate::{
    convert,
    model::{Frame, Kind, Part, Role, Turn},
    prefix,
    report::{Change, Edit, Error, Severity, error::Code},
    rules::DialectId,
    value::{HashSet, Host, Input, Source, Tape, Text},
};

/// Runs all steps with the decisions of earlier requests.
pub(super) fn run<H: Host>(
    draft: &mut Draft<'_, H>,
    frozen: &Frozen<'_, H>,
    inputs: &Inputs<'_, H>,
) -> Result<(), Error> {
    if frozen.frame.is_some() {
        draft.slots().retain(|slot| !frozen.hoisted.contains(&slot.index));
        let why = "what was sent at the beginning of an earlier request stays";
        let stays = Change::warning(Edit::SystemFrozen, draft.given.frame.system_path(), why);
        draft.report(stays.graded(Severity::Info));
    }
    if !frozen.lead.is_empty() {
        let lead = read(frozen.lead.iter().map(String::as_str), inputs.target.unwrap_or(DialectId::NONE))?;
        draft.slots().splice(..0, lead.into_iter().map(|turn| DraftTurn::made(turn, 0)));
    }
    let rules = Policy::of(inputs)?;
    let mut rest = Inputs { measured: true, ..*inputs };
    let mut freed = Vec::new();
    if let Some(cut) = frozen.cut {
        // Cuts the same turns in the same way again. The turns that came since follow them.
        let slots = draft.slots();
        let tail = slots.split_off(slots.iter().position(|slot| slot.index >= cut.count).unwrap_or(slots.len()));
        draft.frame = frozen.frame.as_deref().map(|frame| Arc::new(first_tools(frame, cut.tools)));
        let sent = Sent { compacted: frozen.compacted, ..Sent::default() };
        late::apply(draft, &rules, sent, cut.count.min(draft.given.len()));
        let budget = cut.limit.and_then(|limit| inputs.budget.map(|budget| budget.with_limit(limit)));
        super::repair(draft, &Inputs { budget, pinned: &cut.pinned, measured: false, ..*inputs })?;
        freed = draft.receipt.totals.take().map_or_else(Vec::new, |totals| totals.freed);
        draft.slots().extend(tail);
        draft.frame = None;
        rest = Inputs { system_prompts: &[], summary: None, opening: None, ..rest };
    }
    draft.frame.clone_from(&frozen.frame);
    let cut = frozen.cut.map_or(0, |cut| cut.count);
    let sent = Sent { answered: frozen.answered, compacted: frozen.compacted, cut };
    late::apply(draft, &rules, sent, draft.given.len());
    apply(draft, frozen, inputs.target)?;
    super::repair(draft, &rest)?;
    if let Some(totals) = &mut draft.receipt.totals {
        totals.before += freed.iter().map(|(_, size)| size).sum::<usize>();
        totals.freed = freed;
    }
    let mut told = HashSet::default();
    draft.receipt.changes.retain(|change| !change.is_warning() || told.insert(change.to_string()));
    Ok(())
}

impl Budget<'_> {
    /// The budget with another limit in the same unit.
    fn with_limit(self, limit: usize) -> Self {
        match self {
            Self::Bytes(_) => Self::Bytes(limit),
            Self::Tokens(_, count) => Self::Tokens(limit, count),
            Self::Turns(_) => Self::Turns(limit),
        }
    }
}

/// The frame with its first tools only.
fn first_tools<H: Host>(frame: &Frame<H>, count: usize) -> Frame<H> {
    let mut frame = frame.map(&mut Text::share, &mut crate::value::handle::Raw::share);
    if let Some(tools) = frame.tools.as_mut().filter(|tools| tools.len() > count) {
        tools.truncate(count);
        frame.tools_origin = None;
    }
    frame
}

fn apply<H: Host>(draft: &mut Draft<'_, H>, frozen: &Frozen<'_, H>, target: Option<DialectId>) -> Result<(), Error> {
    if !frozen.left_out.is_empty() {
        leave_out(draft, frozen.left_out);
    }
    if frozen.notes.is_empty() { Ok(()) } else { say_news(draft, frozen, target.unwrap_or(DialectId::NONE)) }
}

/// Says changes of the head where they were said first: before the next assistant turn, else at the end.
fn say_news<H: Host>(draft: &mut Draft<'_, H>, frozen: &Frozen<'_, H>, target: DialectId) -> Result<(), Error> {
    let (mut said, mut next) = (Vec::with_capacity(frozen.notes.len()), 0);
    let read = read(frozen.notes.iter().map(|note| &*note.json), target)?;
    for (note, turn) in frozen.notes.iter().zip(read) {
        let slots = draft.slots();
        // Notes are in the order of the list, so each follows the one before it.
        let follows = |slot: &DraftTurn<H>| slot.index >= note.index && slot.turn.role == Role::Assistant;
        next = slots[next..].iter().position(follows).map_or(slots.len(), |more| next + more);
        said.push((next, DraftTurn::made(turn, note.index)));
    }
    for (_, slot) in said.iter().rev() {
        let why = "system text or tools differ from those of the last request";
        draft.report(Change::new(Edit::Notice, slot.index, slot.path(), why).sized(0, size::turn(&slot.turn)));
    }
    let slots = draft.slots();
    let mut rest = std::mem::take(slots).into_iter().enumerate().peekable();
    for (place, note) in said {
        slots.extend(std::iter::from_fn(|| rest.next_if(|(at, _)| *at < place).map(|(_, slot)| slot)));
        slots.push(note);
    }
    slots.extend(rest.map(|(_, slot)| slot));
    Ok(())
}

/// Reads elements of the target that earlier requests have written, as one list, which takes less time than each alone.
fn read<'j, H: Host>(elements: impl Iterator<Item = &'j str>, target: DialectId) -> Result<Vec<Turn<H>>, Error> {
    let elements: Vec<_> = elements.collect();
    let bad = |text: &str| Error::new(Code::BadState, format!("expected the state of a ledger: {text}"));
    let tape = Tape::read(&Input::new(format!("[{}]", elements.join(",")).into_bytes()));
    let tape = tape.map_err(|error| bad(error.text()))?;
    let view = tape.view();
    let list = view.root::<H>();
    if list.len() != elements.len() {
        return Err(bad(&format!("{} messages of its own, got {}", elements.len(), list.len())));
    }
    list.items().map(|element| convert::parse_element(&element, 0, target).map_err(|error| bad(error.text()))).collect()
}

/// Leaves out the same reasoning again, because later reasoning was made without it.
fn leave_out<H: Host>(draft: &mut Draft<'_, H>, left_out: &HashSet<(usize, u64)>) {
    let indices: Vec<_> = draft.slots().iter().map(|slot| slot.index).collect();
    let turns: HashSet<_> = left_out.iter().map(|(index, _)| *index).collect();
    let goes = |at: usize, turn: &Turn<H>, part: usize| {
        turns.contains(&indices[at])
            && token(turn, &turn.parts[part]).is_some_and(|token| left_out.contains(&(indices[at], token)))
    };
    reasoning::leave_out(draft, goes, (Edit::StaleReasoning, "the messages before it have changed since it was made"));
}

/// The identity of a signed block of reasoning.
pub(crate) fn token<H: Host>(turn: &Turn<H>, part: &Part<H>) -> Option<u64> {
    if !matches!(part.kind, Kind::Reasoning(_)) || !part.signed {
        return None;
    }
    let value = part.origin.as_ref().or(turn.origin.as_ref())?.to_value(turn.input.as_ref()).ok()?;
    prefix::token(&value)
}
