//! Checks calls and results that are written without ids. A reader pairs them by order, so a result in the place of
//! another call's result is a loss.

mod reader;

use std::mem;

pub(crate) use self::reader::ByOrder;
use super::writer::Writer;
use crate::{
    model::Kind,
    pairing::links::calls,
    report::{Edit, Error},
    value::{Host, Sink},
    wire::plan::{Item, Said},
};

/// Takes the calls and results of the turns that were sent back unchanged.
fn catch_up<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>) {
    for index in mem::take(&mut w.s.by_order.replayed) {
        let turn = w.p.conversation.turns[index];
        let input = turn.input.as_ref();
        w.s.by_order.element(calls(turn));
        for (place, part) in turn.parts.iter().enumerate() {
            match &part.kind {
                Kind::Call(call) if call.made_up_id => {
                    w.s.by_order.open.add(w.s.by_order.run, (index, place), call.name.wtf8(input));
                }
                Kind::Result(result) if result.made_up_id => {
                    w.s.by_order.open.take(result.name.as_deref().map(|name| name.wtf8(input)).as_ref());
                }
                _ => {}
            }
        }
    }
}

/// Records an element with these calls, this result, or other content. `is_calling`: whether the calling side wrote it.
/// `named`: whether a result there names its tool.
pub(crate) fn wrote<'i, 'a: 'i, H: Host + 'i, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: impl IntoIterator<Item = &'i Item<'a, H>>,
    is_calling: bool,
    named: bool,
) -> Result<(), Error> {
    catch_up(w);
    w.s.by_order.element(is_calling);
    for item in items {
        let Some(turn) = w.p.conversation.turns.get(item.site.0) else { continue };
        let input = turn.input.as_ref();
        match (&item.said, turn.parts.get(item.site.1).map(|part| &part.kind)) {
            (Said::Call(_), Some(Kind::Call(call))) if !item.own || call.made_up_id => {
                let run = w.s.by_order.run;
                w.s.by_order.open.add(run, item.site, call.name.wtf8(input));
                if !item.own && !call.made_up_id {
                    let reason = "the target has no ids: calls and results pair by their order";
                    w.p.losses.changed(Edit::RenamedId, w.p.path_of(item), reason);
                }
            }
            (Said::Result(_), Some(Kind::Result(result))) if !item.own || result.made_up_id => {
                let called = w.p.links.call_name(item.site.0, item.site.1);
                let said = || Some((result.name.as_deref()?, input));
                let name = called.or_else(said).filter(|_| named).map(|(name, input)| name.wtf8(input));
                if called.is_none() && !result.made_up_id && !result.id.is_empty() {
                    let reason = "the target has no ids, and there is no call with this one";
                    w.p.losses.lost(Edit::Id, w.p.path_of(item), reason)?;
                }
                if w.s.by_order.open.take(name.as_ref()) != w.p.links.call_site(item.site) {
                    let reason = "the target has no ids, and its order would give this result to another call";
                    w.p.losses.lost(Edit::Id, w.p.path_of(item), reason)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
