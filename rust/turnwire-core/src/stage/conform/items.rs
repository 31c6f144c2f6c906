//! Leaves out items that nothing can be written for: those that the provider made, where its server would refuse them as they
//! are, and requests for a compaction that are not at the end of the list.

use super::look::Look;
use crate::{
    model::{Kind, Role, Turn},
    pairing::links::on_server,
    report::Edit,
    rules::{Asked, CompactionRule, DialectId, Limits, Target},
    stage::{Draft, pair::lone, reasoning::leave_out},
    value::Host,
};

const NOT_LAST: &str = "the target takes this item only at the end of the list";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, wire: Target<'_>, limits: &'static Limits) {
    refused(draft, wire, limits);
    requests(draft, wire.id);
}

/// Leaves out what the provider made, and would refuse.
fn refused<H: Host>(draft: &mut Draft<'_, H>, wire: Target<'_>, limits: &'static Limits) {
    let may = |turn: &Turn<H>| {
        let alone = matches!(turn.parts.as_slice(), [part] if matches!(part.kind, Kind::Opaque(_)));
        alone && turn.role == Role::Assistant && !turn.touched && turn.from.same_wire(wire.id)
    };
    if !limits.has_items() || !draft.turns().any(|turn| may(turn)) {
        return;
    }
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame);
    let mut look = Look::at(draft.turns().map(|turn| &**turn), frame, wire, limits);
    let found = draft.turns().enumerate().filter(|(_, turn)| may(turn));
    let found: Vec<_> = found.filter_map(|(at, turn)| Some((at, look.refused_item(turn)?))).collect();
    for (at, why) in found.iter().rev() {
        leave_out(draft, |here, _, _| here == *at, (Edit::EmptyTurn, why));
    }
    if !found.is_empty() && !on_server::has_earlier_turns(&draft.given.frame, Some(wire.id)) {
        let mut entries = Vec::new();
        lone::remove(draft.slots(), &mut entries);
        draft.receipt.changes.append(&mut entries);
    }
}

/// Leaves out requests for a compaction that are not the last item.
fn requests<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some(CompactionRule { asked: Some(Asked::Last(_, kind)), .. }) = target.compaction() else { return };
    let asks = |turn: &Turn<H>| {
        let mut parts = turn.parts.iter();
        turn.from.same_wire(target)
            && parts.any(|part| matches!(&part.kind, Kind::Opaque(name) if name.is(kind, turn.input.as_ref())))
    };
    let last = draft.turns().len().saturating_sub(1);
    let early = |at: usize, turn: &Turn<H>| at < last && asks(turn);
    if draft.turns().enumerate().any(|(at, turn)| early(at, turn)) {
        leave_out(draft, |at, turn, _| early(at, turn), (Edit::Misplaced, NOT_LAST));
    }
}
