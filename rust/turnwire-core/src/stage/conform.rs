//! Step 5, for a target: a turn of its own format goes back as it came only where the target takes it so.
//!
//! Nothing is rewritten here. A turn or part that the target would refuse is marked as touched, and says so in the receipt;
//! the outline of a rendering writes what is touched anew, under the same row that was asked here. So there is one place
//! that knows how each thing is said, and what was mended once is not found again. Turns of other formats are written anew
//! anyway: of them only what nobody can mend is asked, the name of a tool.

mod frame;
mod look;

use std::sync::Arc;

use self::look::{Fault, Look};
use super::{Draft, Rules, Slot};
use crate::{
    dialect::{self, DialectId, Limits},
    error::{Code, Error},
    handle::{Host, Input},
    part::{Extras, Kind, Part},
    path::{Path, Step},
    receipt::{Change, Entry, Warning},
    tool::Content,
    turn::Turn,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Rules) -> Result<(), Error> {
    let (Some(target), Some(limits)) = (rules.target, rules.limits) else { return Ok(()) };
    frame::apply(draft, target, limits)?;
    let mut faults = Vec::new();
    {
        let mut look = Look::at(draft.turns().map(|turn| &**turn), target, limits);
        for (at, turn) in draft.turns().enumerate() {
            look.turn(at, turn, &mut faults).map_err(|(part, text)| {
                let index = draft.slots.as_ref().map_or(at, |slots| slots[at].index);
                Error::new(Code::Unsendable, text).at_path(turn.part_path(index, part))
            })?;
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    let mut entries = Vec::new();
    let mut warnings = Vec::new();
    let slots = draft.slots();
    for faults in faults.chunk_by(|a, b| a.turn == b.turn) {
        let slot = &mut slots[faults[0].turn];
        mend(slot, faults, target, limits, (&mut entries, &mut warnings));
    }
    draft.receipt.entries.append(&mut entries);
    draft.receipt.warnings.append(&mut warnings);
    Ok(())
}

/// Marks what is faulty in one turn, and reports it.
fn mend<H: Host>(
    slot: &mut Slot<H>,
    faults: &[Fault],
    target: DialectId,
    limits: &Limits,
    (entries, warnings): (&mut Vec<Entry>, &mut Vec<Warning>),
) {
    let mut new = slot.turn.touch();
    let mut changed = false;
    for fault in faults {
        match fault.code {
            None => warn_of_keys(slot, fault, target, warnings),
            Some(Change::ReplyKeys) => {
                let extras = match fault.part {
                    Some(part) => &mut new.parts[part].extras,
                    None => &mut new.extras,
                };
                let kept = strip(extras.take(), target, slot.turn.input.as_ref());
                *extras = kept;
            }
            Some(Change::WrongRole) => new.role = dialect::speaker(&slot.turn),
            Some(_) => {}
        }
        let Some(code) = fault.code else { continue };
        changed = true;
        if let Some(part) = fault.part.and_then(|part| new.parts.get_mut(part)) {
            touch(part, limits, slot.turn.input.as_ref());
        }
        let path = fault.part.map_or_else(|| slot.path(), |part| slot.path_of(part));
        entries.push(Entry::new(code, slot.index, path, fault.why));
    }
    if changed {
        let said_nothing = !dialect::says(&new, target);
        if said_nothing && !entries.last().is_some_and(|entry| entry.code == Change::EmptyTurn) {
            let why = "nothing of this turn is left that the target takes";
            entries.push(Entry::new(Change::EmptyTurn, slot.index, slot.path(), why));
        }
        slot.turn = Arc::new(new);
    }
}

/// A part that is to be written anew, and what in it may not stay where it is.
fn touch<H: Host>(part: &mut Part<H>, limits: &Limits, input: Option<&Input>) {
    part.touched = true;
    if let Kind::Result(result) = &mut part.kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        let failed = result.error;
        for block in blocks.iter_mut() {
            block.touched |= look::block_fault(block, failed, limits, input).is_some();
        }
    }
}

/// The keys without those that only replies have.
fn strip<H: Host>(extras: Option<Box<Extras<H>>>, target: DialectId, input: Option<&Input>) -> Option<Box<Extras<H>>> {
    let mut extras = extras?;
    let reply = target.keys().reply;
    extras.retain(|(key, _)| !reply.iter().any(|known| key.is(known, input)));
    (!extras.is_empty()).then_some(extras)
}

fn warn_of_keys<H: Host>(slot: &Slot<H>, fault: &Fault, target: DialectId, warnings: &mut Vec<Warning>) {
    let turn: &Turn<H> = &slot.turn;
    let input = turn.input.as_ref();
    let keys = target.keys();
    let (extras, known, path): (_, _, Path) = match fault.part {
        Some(part) => (turn.parts[part].extras.as_deref(), keys.part, slot.path_of(part)),
        None => (turn.extras.as_deref(), keys.turn, slot.path()),
    };
    for (key, _) in extras.into_iter().flatten() {
        let listed = |list: &[&str]| list.iter().any(|known| key.is(known, input));
        if !listed(known) && !listed(keys.reply) {
            let key = key.to_str(input);
            let text = format!("the target may refuse the key {key:?}, which it does not know");
            let path = path.clone().then(Step::Name(key.as_ref().into()));
            warnings.push(Warning { code: "unknown_key", path, text: text.into() });
        }
    }
}
