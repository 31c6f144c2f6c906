//! Writes results of calls: messages of role `tool`.

use super::super::keys as k;
use super::{
    content::{is_words, joined},
    part::parts,
    text::text,
};
use crate::{
    dialects::chat::member::{Member, Writes},
    model::Role,
    report::Error,
    value::{Host, Piece, Sink},
    wire::{
        plan::{Item, Outcome, judge},
        write::Writer,
    },
};

/// Writes a message of role `tool`.
pub(crate) fn answer<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    answers(writes.member, w, item, outcome)?;
    self::outcome(writes, w, outcome)
}

/// Writes the id of a result's call, if there is one, and the name of its tool.
pub(crate) fn answers<H: Host, K: Sink<H>>(
    member: &Member,
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let result = outcome.result;
    w.out.literal(&k::TOOL);
    let call = w.p.links.call(item.site.0, item.site.1);
    let has_id = call.map_or(!result.made_up_id && !result.id.is_empty(), |(call, _)| !call.made_up_id);
    if has_id || w.p.target.limits.needs_ids() {
        w.out.key(&k::TOOL_CALL_ID);
        w.id(item, &result.id);
    }
    match member.result_name {
        Some(key) if judge::names_results(w.p.target.limits) => {
            w.out.key(key);
            w.write_result_name(item, result);
            Ok(())
        }
        _ => name(member, w, item, outcome),
    }
}

/// Writes the content of a result.
pub(crate) fn outcome<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    if w.p.target.limits.json.is_one() {
        outcome_as_text(w, outcome)?;
        (writes.around)(w, &outcome.items);
        return Ok(());
    }
    if Role::Tool.sends_one_text(w.p.target.limits) && !outcome.items.is_empty() && outcome.items.iter().all(is_words) {
        return outcome_as_text(w, outcome);
    }
    w.out.key(&k::CONTENT);
    match (outcome.items.as_slice(), outcome.alone()) {
        ([], _) => w.out.pieces(&[Piece::Str(outcome.prefix)]),
        (_, Some(one)) if !w.marks_part(one) => text(w, one, outcome.prefix)?,
        _ => parts(writes, w, &outcome.items, outcome.prefix)?,
    }
    Ok(())
}

/// Writes all of a result as one text.
pub(crate) fn outcome_as_text<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    w.out.key(&k::CONTENT);
    joined(w, outcome.items.iter(), outcome.prefix)
}

/// Writes the name of the tool if the result came with one. Reports a name that differs from the call's.
pub(crate) fn name<H: Host, K: Sink<H>>(
    member: &Member,
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    if let (Some(key), Some(name)) = (member.result_name, outcome.result.name.as_deref().filter(|_| item.own)) {
        w.out.key(key);
        w.out.text(name);
        return Ok(());
    }
    w.result_name_lost(item, outcome.result)
}
