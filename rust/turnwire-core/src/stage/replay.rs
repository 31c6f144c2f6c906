//! Repeats the decisions of earlier requests of a run, so that the prefix that was sent stays the same.
//!
//! A result that comes after a made-up one was sent becomes the user's text. Reasoning that was left out stays out.
//! Notes between the caller's turns are sent again. All of this happens before the repairs, which then find the same
//! gaps and fill them in the same way.

use std::sync::Arc;

use super::{
    draft::{Draft, DraftTurn},
    inputs::{Budget, Frozen, Inputs},
    pair,
    policy::Policy,
    reasoning, size,
};
use crate::{
    convert,
    model::{Content, Frame, Kind, Part, Parts, Role, ToolResult, Turn, compaction},
    pairing::{CallSite, Fate, Matching},
    prefix,
    report::{Change, Edit, Error, Place, Severity, error::Code},
    rules::DialectId,
    value::{HashSet, Host, Input, Source, Tape, Text},
};

/// Why a result becomes the user's text.
pub(super) const ANSWERED_BEFORE: &str = "its call had been answered by a made-up result in an earlier request";

/// The same where the caller has removed its call.
const COVERED: &str = "its call is gone, because a summary replaces it";

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
    let mut rest = Inputs { measured: true, ..*inputs };
    let mut freed = Vec::new();
    if let Some(cut) = frozen.cut {
        // Cuts the same turns in the same way again. The turns that came since follow them.
        let slots = draft.slots();
        let tail = slots.split_off(slots.iter().position(|slot| slot.index >= cut.count).unwrap_or(slots.len()));
        draft.frame = frozen.frame.as_deref().map(|frame| Arc::new(first_tools(frame, cut.tools)));
        let budget = cut.limit.and_then(|limit| inputs.budget.map(|budget| budget.with_limit(limit)));
        super::repair(draft, &Inputs { budget, pinned: &cut.pinned, measured: false, ..*inputs })?;
        freed = draft.receipt.totals.take().map_or_else(Vec::new, |totals| totals.freed);
        draft.slots().extend(tail);
        draft.frame = None;
        rest = Inputs { system_prompts: &[], summary: None, opening: None, ..rest };
    }
    draft.frame.clone_from(&frozen.frame);
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
    let is_own = |at: usize| frozen.compacted.is_none_or(|one| one.at < at);
    let mut answered = frozen.answered.to_vec();
    // What a provider's own compaction covers was sent and answered, too.
    let has_any = draft.given.turns().iter().any(|turn| compaction::last_of(turn).is_some());
    let own = if has_any { own_compaction(draft.slots()).filter(|at| is_own(*at)) } else { None };
    if let Some(at) = own {
        answered.insert(answered.partition_point(|length| *length <= at), at);
    }
    if !answered.is_empty() {
        say_late(draft, &answered, own.or(frozen.compacted.map(|one| one.covers)), target);
    }
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

/// The index of the last compaction, if no call before it is left: then it has replaced them.
fn own_compaction<H: Host>(slots: &[DraftTurn<H>]) -> Option<usize> {
    let at = slots.iter().rposition(|slot| compaction::last_of(&slot.turn).is_some())?;
    let has_call = |slot: &DraftTurn<H>| slot.turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_)));
    (!slots[..at].iter().any(has_call)).then(|| slots[at].index)
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

/// Turns results into the user's text if an earlier request has already answered their calls, or if a summary replaces
/// these. `covered`: how many turns it covers.
fn say_late<H: Host>(draft: &mut Draft<'_, H>, answered: &[usize], covered: Option<usize>, target: Option<DialectId>) {
    let given = draft.given.turns();
    let matching = Matching::of(given.iter().map(|turn| &**turn), false);
    let rules = Policy { target, ..Policy::none() };
    let waits = |site: &CallSite<'_>| rules.may_wait(&given[site.turn], &given[site.turn].parts[site.part]);
    let is_late = |call: usize, result: usize| {
        if waits(&matching.calls[call]) {
            return false;
        }
        let first = answered.partition_point(|length| *length <= matching.calls[call].turn);
        answered.get(first).is_some_and(|length| *length <= result)
    };
    let mut late: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for result in &matching.results {
        // A second result of a call cannot come before the first one.
        let is_behind = |call: usize| {
            let first = matching.calls[call].result.map(|first| &matching.results[first]);
            first.is_some_and(|first| is_late(call, first.turn))
        };
        let call = match result.fate {
            Fate::Of(call) | Fate::Duplicate(call) if is_late(call, result.turn) && is_behind(call) => Some(call),
            Fate::Orphan if covered.is_some_and(|covered| covered <= result.turn) => None,
            _ => continue,
        };
        late.push((result.turn, result.part, call));
    }
    let mut entries = Vec::new();
    let mut said_last = Vec::new();
    for in_turn in late.chunk_by(|one, next| one.0 == next.0) {
        let index = in_turn[0].0;
        let slots = draft.slots.get_or_insert_with(|| Draft::all(given));
        let Some(at) = slots.iter().position(|slot| slot.index == index && !slot.sources.is_empty()) else {
            continue;
        };
        let slot = &mut slots[at];
        let mut parts = Parts::new();
        // Nothing may be between a call and its result, so late ones are said behind the results that follow them.
        let mut last = Parts::new();
        for (place, part) in slot.turn.parts.iter().enumerate() {
            let late = in_turn.iter().find(|one| one.1 == place);
            let (Kind::Result(result), Some((_, _, call))) = (&part.kind, late) else {
                if !matches!(part.kind, Kind::Result(_)) && !pair::is_among_results(&slot.turn, part) {
                    parts.append(&mut last);
                }
                parts.push(part.share());
                continue;
            };
            let asker = call.map(|call| (&given[matching.calls[call].turn], matching.calls[call].part));
            let name = match asker.map(|(turn, part)| (turn, &turn.parts[part].kind)) {
                Some((turn, Kind::Call(call))) => call.name.to_str(turn.input.as_ref()).into_owned(),
                Some(_) => String::new(),
                None => result
                    .name
                    .as_ref()
                    .map_or("a tool".into(), |name| name.to_str(slot.turn.input.as_ref()))
                    .into_owned(),
            };
            let why = if call.is_some() { ANSWERED_BEFORE } else { COVERED };
            let id = result.id.to_str(slot.turn.input.as_ref()).into_owned();
            let said = said(&slot.turn, result, &name);
            let size = size::result(&slot.turn, result);
            entries.push(Change::new(Edit::LateResult, index, slot.path_of(place), why).of(id).sized(size, size));
            last.extend(said);
        }
        if parts.is_empty() {
            said_last.push(at);
        }
        parts.append(&mut last);
        let role = if slot.turn.role == Role::Tool { Role::User } else { slot.turn.role };
        slot.turn = Arc::new(Turn { role, ..slot.turn.touch_with(parts) });
    }
    // From last to first, so that the positions of earlier turns do not change.
    for at in said_last.into_iter().rev() {
        say_behind(draft.slots(), at);
    }
    draft.receipt.changes.append(&mut entries);
}

/// Moves a turn behind the turns of results that follow it: these answer calls before it.
fn say_behind<H: Host>(slots: &mut [DraftTurn<H>], at: usize) {
    let answers = |slot: &DraftTurn<H>| {
        let mut parts = slot.turn.parts.iter();
        !slot.turn.parts.is_empty() && parts.all(|part| matches!(part.kind, Kind::Result(_)))
    };
    let count = slots[at + 1..].iter().take_while(|slot| answers(slot)).count();
    slots[at..=at + count].rotate_left(1);
}

/// A result as text, followed by its other content.
fn said<H: Host>(turn: &Turn<H>, result: &ToolResult<H>, name: &str) -> Parts<H> {
    let input = turn.input.as_ref();
    let id = if result.made_up_id { String::new() } else { format!(" ({})", result.id.to_str(input)) };
    let head = format!("Late result of {name}{id}:");
    let text = |words: &str| Part { touched: true, ..Part::text(Text::own(words)) };
    match &result.content {
        Content::Absent => [text(&head)].into_iter().collect(),
        Content::Text(words) => [text(&format!("{head}\n{}", words.to_str(input)))].into_iter().collect(),
        Content::Blocks(blocks) => [text(&head)]
            .into_iter()
            // In a message, a target may have other rules for them than in a result.
            .chain(blocks.iter().map(|block| Part {
                origin: None,
                place: Place::default(),
                touched: true,
                ..block.share()
            }))
            .collect(),
    }
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
