//! Writes formats whose elements hold one part each: a text, a call or a result.
//!
//! Such a format pairs calls and results by order, and does not have ids.

use super::{by_order, writer::Writer};
use crate::{
    model::Role,
    report::Error,
    value::{Host, Sink, Text},
    wire::plan::{Item, Message, Outcome, Said},
};

/// The content of one element.
pub(crate) enum One<'i, 'a, H: Host> {
    /// Texts, to be joined.
    Text(&'i [Item<'a, H>]),
    /// One call, or several that shared an element of the target's own format.
    Calls(&'i [Item<'a, H>]),
    Result(&'i Item<'a, H>, &'i Outcome<'a, H>),
}

/// What a format's elements may hold.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// Whether an element may hold several calls, if it did so in the target's own format.
    pub(crate) own_calls: bool,
    /// Whether a result names its tool.
    pub(crate) named: bool,
}

/// Passes each part of a message to `write`. The unknown keys of its turn follow the first part.
pub(crate) fn each<'w, 'a, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, 'w, H, K>,
    message: &Message<'a, H>,
    form: Form,
    mut write: impl FnMut(&mut Writer<'_, 'w, H, K>, &One<'_, 'a, H>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rest = message.items.as_slice();
    let mut first = true;
    while first || !rest.is_empty() {
        let (one, count) = match rest.first().map(|item| (item, &item.said)) {
            Some((item, Said::Call(_))) => {
                let own = rest.iter().take_while(|next| form.own_calls && stood_with(item, next)).count();
                let count = own.max(1);
                (One::Calls(&rest[..count]), count)
            }
            Some((item, Said::Result(outcome))) => (One::Result(item, outcome), 1),
            _ => {
                let count = rest.iter().take_while(|item| is_text(item)).count();
                (One::Text(&rest[..count]), count)
            }
        };
        if let One::Text(texts) = one
            && message.role == Role::Assistant
            && count < message.items.len()
            && is_blank(texts)
        {
            for item in texts {
                w.p.silent_lost(item.text().is_some_and(Text::is_empty), w.p.path_of(item))?;
            }
            rest = &rest[count..];
            continue;
        }
        w.s.provenance.sources.push(message.sources_of(&rest[..count]));
        w.out.scope(rest.first().and_then(|item| item.input));
        w.out.open_map();
        for item in rest[..count].iter().filter(|_| !form.named) {
            if let Said::Result(outcome) = &item.said {
                w.result_name_lost(item, outcome.result)?;
            }
        }
        write(w, &one)?;
        if first {
            w.message_extras(message);
        }
        w.out.close();
        let calls = message.role == Role::Assistant || matches!(one, One::Calls(..));
        by_order::wrote(w, &rest[..count], calls, form.named)?;
        (rest, first) = (&rest[count..], false);
    }
    Ok(())
}

fn is_blank<H: Host>(texts: &[Item<'_, H>]) -> bool {
    texts.iter().all(|item| item.text().is_some_and(|text| text.is_blank(item.input)))
}

fn is_text<H: Host>(item: &Item<'_, H>) -> bool {
    !matches!(item.said, Said::Call(_) | Said::Result(_))
}

/// Whether both calls were in one element of the target's own format.
fn stood_with<H: Host>(item: &Item<'_, H>, next: &Item<'_, H>) -> bool {
    matches!(next.said, Said::Call(_)) && item.own && next.own && item.site.0 == next.site.0
}
