//! Calls and results that are written without ids: whoever reads them pairs them by their order, so what stands where its reader
//! takes it for the answer to another call is a loss.

use super::writer::Writer;
use crate::{
    model::part::Kind,
    pairing::unnamed::Open,
    report::{error::Error, loss::LossCode},
    value::{door::Sink, handle::Host},
    wire::plan::{Item, Said},
};

/// What a reader knows of the calls that were written.
#[derive(Default)]
pub(crate) struct ByOrder<'a> {
    open: Open<'a>,
    /// How many runs there are, and whether the last one is the calling side's.
    run: usize,
    calls: bool,
}

impl ByOrder<'_> {
    /// One element was written, of the calling side or not.
    fn element(&mut self, calls: bool) {
        self.run += usize::from(self.calls != calls);
        self.calls = calls;
    }
}

/// An element was written that holds these calls, this result, or anything else. `named`: whether a result names its tool there.
pub(crate) fn wrote<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    items: &[Item<'_, H>],
    calls: bool,
    named: bool,
) -> Result<(), Error> {
    w.by_order.element(calls);
    for item in items {
        let Some(turn) = w.conversation.turns.get(item.site.0) else { continue };
        let input = turn.input.as_ref();
        match (&item.said, turn.parts.get(item.site.1).map(|part| &part.kind)) {
            (Said::Call(_), Some(Kind::Call(call))) if !item.own || call.made_up_id => {
                let run = w.by_order.run;
                w.by_order.open.add(run, item.site, call.name.wtf8(input));
                if !item.own && !call.made_up_id {
                    let reason = "the target has no ids: calls and results pair by their order";
                    w.losses.changed(LossCode::Id, w.path_of(item), reason);
                }
            }
            (Said::Result(_), Some(Kind::Result(result))) if !item.own || result.made_up_id => {
                let called = w.links.call_name(item.site.0, item.site.1);
                let said = || Some((result.name.as_deref()?, input));
                let name = called.or_else(said).filter(|_| named).map(|(name, input)| name.wtf8(input));
                if w.by_order.open.take(name.as_ref()) != w.links.call_site(item.site) {
                    let reason = "the target has no ids, and by its order this result is that of another call";
                    w.losses.lost(LossCode::Id, w.path_of(item), reason)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
