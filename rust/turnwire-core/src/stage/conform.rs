//! Step 5, for a target: finds turns of the target's own format that it would refuse.
//!
//! This step rewrites nothing. It marks such a turn or part as touched and reports it. The renderer then writes
//! everything that is touched, by the same limits row that found it. So each form is written in one place, and a second
//! build finds nothing. Turns of other formats are always rewritten: of these, only the names of tools are checked
//! here.

mod blobs;
mod bound;
mod cited;
mod deferred;
mod definitions;
mod details;
mod documents;
mod forms;
mod items;
mod keys;
mod look;
mod marks;
mod own_tools;
mod prefix;
mod ran;
mod references;
mod settings;
mod surroundings;
mod tools;
mod unknown_kind;
mod unproved;

use self::look::{Fault, Look};
use super::{
    bond::Bond,
    draft::{Draft, DraftTurn},
    pair::lone,
    policy::Policy,
};
use crate::{
    model::{Content, Kind, Part, Role, ToolResult, Turn},
    report::{Change, Edit, Error, Path, ToolNames, error::Code},
    rules::{DialectId, Limits, Target, ToolName},
    value::{Host, Input, Text},
    wire::{
        plan::{
            decide::Scope,
            judge, passages,
            unknown_keys::all_are_left_out,
            wrong::{Wrong, is_repaired},
        },
        write::says::is_written,
    },
};
use std::sync::Arc;

pub(super) use self::{
    prefix::is_marked,
    settings::{found as changes, translate},
};

/// How many passes are made at most. A removed turn may leave another one in a wrong place, but rarely twice.
const ROUNDS: usize = 4;

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    let Some(target) = rules.written_for() else { return Ok(()) };
    surroundings::apply(draft, &target)?;
    references::apply(draft, target.id);
    deferred::apply(draft, &target);
    turns(draft, rules)
}

/// Checks only the turns. Everything else is checked once.
pub(super) fn turns<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    let (Some(wire), Some(limits)) = (rules.written_for(), rules.limits) else { return Ok(()) };
    let target = wire.id;
    documents::rename(draft, target, limits);
    settings::part(draft, &wire);
    settings::place(draft, &wire);
    blobs::apply(draft, &wire);
    items::apply(draft, wire, limits);
    ran::foreign(draft, target);
    forms::apply(draft, target, limits);
    cited::apply(draft, &wire);
    details::apply(draft, &wire);
    unproved::apply(draft, &wire);
    for _ in 0..ROUNDS {
        let Seen { faults, told, taken } = look(draft, wire, limits)?;
        for (fault, wrong) in taken {
            let note = Change::warning(wrong.code, path_of(draft, &fault), wrong.why).graded(wrong.severity);
            if !draft.taken.contains(&note) {
                draft.taken.push(note);
            }
        }
        for at in told {
            let (turn, index) = draft.at(at);
            let mut warnings = if all_are_left_out(limits) {
                Vec::new()
            } else {
                keys::warnings(target, turn, index, wire.options.row)
            };
            warnings.retain(|warning| !draft.receipt.changes.contains(warning));
            draft.receipt.changes.append(&mut warnings);
        }
        if faults.is_empty() {
            break;
        }
        let (mut entries, mut names) = (Vec::new(), ToolNames::default());
        let slots = draft.slots();
        // Without its id, the target does not recognise the item.
        let repeated = |fault: &&Fault| fault.code() == Some(Edit::RepeatedItem);
        let gone: Vec<_> = faults.iter().filter(repeated).map(|fault| fault.turn).collect();
        let gone: Vec<_> = gone.into_iter().filter(|turn| slots[*turn].turn.id.is_none()).collect();
        for faults in faults.chunk_by(|a, b| a.turn == b.turn) {
            repair(&mut slots[faults[0].turn], faults, &wire, (&mut entries, &mut names));
            for with in faults.iter().filter_map(|fault| fault.with) {
                if !slots[with].turn.touched {
                    slots[with].turn = Arc::new(slots[with].turn.touch());
                }
            }
        }
        // A turn of which the target would get nothing is removed, and its neighbours become neighbours of each other.
        let (mut at, mut bond) = (0.., Bond::default());
        let turns = slots.len();
        slots.retain_mut(|slot| {
            let repeated = at.next().is_some_and(|at| gone.binary_search(&at).is_ok());
            let silent = slot.turn.touched && is_own(&slot.turn, target) && !is_written(&slot.turn, &wire);
            if repeated || silent {
                let code = if repeated { Edit::RepeatedItem } else { Edit::Reasoning };
                bond.removed(&slot.turn, code);
                return false;
            }
            bond.kept(slot, &mut entries)
        });
        if slots.len() < turns {
            lone::remove(slots, &mut entries);
        }
        draft.receipt.changes.append(&mut entries);
        draft.names.join(&names);
        settings::part(draft, &wire);
    }
    ran::apply(draft, target);
    marks::apply(draft, &wire);
    prefix::apply(draft, &wire);
    bound::apply(draft, &wire);
    settings::join(draft, &wire);
    documents::apply(draft, &wire)
}

fn is_own<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    turn.from.same_wire(target)
}

/// What a look at the turns has found.
struct Seen {
    /// What a build repairs.
    faults: Vec<Fault>,
    /// The turns with keys to report.
    told: Vec<usize>,
    /// What the target accepts, so that it stays.
    taken: Vec<(Fault, Wrong)>,
}

/// The place of a fault in the caller's payload.
#[cold]
fn path_of<H: Host>(draft: &Draft<'_, H>, fault: &Fault) -> Path {
    let (turn, index) = draft.at(fault.turn);
    fault.part.map_or_else(|| turn.path(index), |part| turn.part_path(index, part))
}

/// What is wrong with the turns.
fn look<H: Host>(draft: &Draft<'_, H>, target: Target<'_>, limits: &'static Limits) -> Result<Seen, Error> {
    let (mut faults, mut told, mut taken) = (Vec::new(), Vec::new(), Vec::new());
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    let mut look = Look::at(draft.turns().map(|turn| &**turn), frame, target, limits);
    for (at, turn) in draft.turns().enumerate() {
        look.turn(at, turn, &mut faults).map_err(|(part, text)| {
            let (turn, index) = draft.at(at);
            Error::new(Code::Unsendable, text).at_path(turn.part_path(index, part))
        })?;
    }
    if faults.iter().any(|fault: &Fault| fault.code().is_none()) {
        let (repaired, others): (Vec<_>, Vec<_>) = faults.into_iter().partition(|fault| fault.code().is_some());
        faults = repaired;
        for fault in others {
            match fault.wrong {
                Some(wrong) => taken.push((fault, wrong)),
                None => told.push(fault.turn),
            }
        }
    }
    Ok(Seen { faults, told, taken })
}

/// Marks and reports the faulty parts of a turn.
fn repair<H: Host>(
    slot: &mut DraftTurn<H>,
    faults: &[Fault],
    wire: &Target<'_>,
    (entries, names): (&mut Vec<Change>, &mut ToolNames),
) {
    let Target { id: target, limits, .. } = *wire;
    let mut new = slot.turn.touch();
    let mut changed = false;
    for fault in faults {
        match fault.code() {
            Some(Edit::ReplyKeys | Edit::Reshaped | Edit::Key) => match fault.part {
                Some(part) => keys::strip((target.keys(), limits), &mut new.parts[part], slot.turn.input.as_ref()),
                None => keys::strip_turn((target.keys(), limits), &mut new, slot.turn.input.as_ref()),
            },
            Some(Edit::RepeatedItem) => {
                new.id = None;
                new.parts.iter_mut().filter(|part| part.place.key.is_none()).for_each(|part| part.touched = true);
                text_only(&mut new);
            }
            Some(Edit::RenamedTool) => {
                if let Some(part) = fault.part.and_then(|part| new.parts.get_mut(part)) {
                    rename(part, limits, slot.turn.input.as_ref(), names);
                }
            }
            Some(Edit::WrongRole) => new.role = slot.turn.speaker(),
            _ => {}
        }
        let Some(wrong) = fault.wrong else { continue };
        changed = true;
        if let Some(part) = fault.part.and_then(|part| new.parts.get_mut(part)) {
            touch(part, wire, Scope::of(&slot.turn));
        }
        let path = fault.part.map_or_else(|| slot.path(), |part| slot.path_of(part));
        entries.push(Change::new(wrong.code, slot.index, path, wrong.why).graded(wrong.severity));
    }
    if changed {
        if new.role == Role::Assistant && says_blanks_only(&new) {
            new.parts.retain(|part| !matches!(part.kind, Kind::Text(_)));
        }
        let told = faults.iter().any(|fault| fault.code() == Some(Edit::RepeatedItem));
        let said_nothing = !told && !is_written(&new, wire);
        if said_nothing && !entries.last().is_some_and(|entry| entry.code == Edit::EmptyTurn) {
            let why = "nothing is left of this turn that the target accepts";
            entries.push(Change::new(Edit::EmptyTurn, slot.index, slot.path(), why));
        }
        slot.turn = Arc::new(new);
    }
}

/// The turn with the names under which its calls are sent. `None` if the target refuses none of them.
pub(crate) fn with_legal_names<H: Host>(turn: &Turn<H>, limits: &Limits) -> Option<Turn<H>> {
    let input = turn.input.as_ref();
    let is_refused = |part: &Part<H>| matches!(&part.kind, Kind::Call(call) if !matches!(limits.tool_name(&call.name, input), ToolName::Fine));
    turn.parts.iter().any(is_refused).then(|| {
        let mut new = turn.touch();
        for part in new.parts.iter_mut().filter(|part| is_refused(part)) {
            rename(part, limits, input, &mut ToolNames::default());
            part.touched = true;
        }
        new
    })
}

/// Replaces the tool name of a call or a result by a legal one.
fn rename<H: Host>(part: &mut Part<H>, limits: &Limits, input: Option<&Input>, names: &mut ToolNames) {
    let name = match &mut part.kind {
        Kind::Call(call) => &mut call.name,
        Kind::Result(ToolResult { name: Some(name), .. }) => &mut **name,
        _ => return,
    };
    if let ToolName::Legal(wire) = limits.tool_name(name, input) {
        names.add(&wire, &name.to_str(input));
        *name = Text::own(&wire);
    }
}

/// Whether removing the reasoning of a turn leaves nothing visible. Then the turn would not be sent at all.
fn says_blanks_only<H: Host>(turn: &Turn<H>) -> bool {
    let thinks = |part: &Part<H>| matches!(part.kind, Kind::Reasoning(_)) && part.touched;
    turn.parts.iter().any(thinks)
        && turn.parts.iter().all(|part| match &part.kind {
            Kind::Reasoning(_) => part.touched,
            Kind::Text(text) => text.is_blank(turn.input.as_ref()),
            _ => false,
        })
}

/// Marks a part to be rewritten, and drops what it may no longer have.
fn touch<H: Host>(part: &mut Part<H>, wire: &Target<'_>, scope: Scope<'_>) {
    part.touched = !matches!(part.kind, Kind::Opaque(_)) || passages::is_refused(wire, scope, part);
    if let Kind::Result(result) = &mut part.kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        let failed = result.error;
        for block in blocks.iter_mut() {
            block.touched |= judge::block(wire, scope, block, failed).is_some_and(|wrong| is_repaired(wrong.severity));
        }
    }
}

/// Text of an item that loses its id becomes a plain text message.
fn text_only<H: Host>(turn: &mut Turn<H>) {
    if !turn.parts.iter().all(|part| matches!(part.kind, Kind::Text(_)) && part.place.index.is_some()) {
        return;
    }
    turn.extras = None;
    for part in &mut turn.parts {
        (part.touched, part.place.index) = (true, None);
        (part.extras, part.inner) = (None, None);
    }
}
