//! Writes the content of a message: one text, or a list of parts.

use super::super::keys as k;
use super::{call::is_call, part::parts, text::text};
use crate::{
    dialects::chat::member::Writes,
    model::Kind,
    report::Error,
    rules::{PartOrder, SilentCalls},
    value::{Host, Sink},
    wire::{
        plan::{Item, Said},
        write::{Writer, single_text},
    },
};

/// Whether an item belongs to the content.
#[inline]
pub(crate) fn is_content<H: Host>(item: &Item<'_, H>) -> bool {
    match &item.said {
        Said::Origin(_) => item.own_key().is_none() && !is_call(item),
        Said::Call(_) | Said::Result(_) | Said::Listed(_) | Said::Thought(..) | Said::NoReasoning(..) => false,
        _ => true,
    }
}

/// Writes the content: one text, or a list. Without items it is `null`, or the empty text if that is required.
pub(crate) fn content<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    items: &[Item<'_, H>],
    inside: impl Fn(&Item<'_, H>) -> bool,
    must: bool,
) -> Result<(), Error> {
    let mut content = items.iter().filter(|item| inside(item));
    let is_silent = w.p.target.limits.order != PartOrder::OneText && !must && content.clone().next().is_none();
    if is_silent && w.p.target.limits.silent_calls == SilentCalls::Absent {
        return Ok(());
    }
    w.out.key(&k::CONTENT);
    if w.p.target.limits.order == PartOrder::OneText {
        return joined(w, items.iter().filter(|item| inside(item)), "");
    }
    match (content.next(), content.next()) {
        (None, _) if must || w.p.target.limits.silent_calls == SilentCalls::Empty => w.out.literal(&k::EMPTY),
        (None, _) => w.out.null(),
        (Some(one), None) if one.text().is_some() && !one.was_listed() && !w.marks_part(one) => text(w, one, "")?,
        _ => parts(writes, w, items.iter().filter(|item| inside(item)), "")?,
    }
    Ok(())
}

/// Whether an item is text.
pub(crate) fn is_words<H: Host>(item: &Item<'_, H>) -> bool {
    match &item.said {
        Said::Origin(_) => item.part.is_some_and(|part| matches!(part.kind, Kind::Text(_) | Kind::Json(_))),
        said => matches!(
            said,
            Said::Text(_) | Said::Made(_) | Said::Json(_) | Said::JsonText(_) | Said::Refusal(_) | Said::MovedMedia(_)
        ),
    }
}

/// Reports the keys of parts that become one text.
pub(crate) fn keys_lost<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: &[&Item<'_, H>],
) -> Result<(), Error> {
    for item in items {
        // The text may be a block of a result.
        let turn = w.p.conversation.turns.get(item.site.0);
        let whole = turn.and_then(|turn| turn.parts.get(item.site.1));
        let path = match (turn, item.part) {
            (Some(turn), Some(part)) if whole.is_some_and(|whole| !std::ptr::eq(whole, part)) => {
                turn.block_path(item.site.0, item.site.1, part)
            }
            _ => w.p.path_of(item),
        };
        w.p.extras_lost(item.extras(), item.input, &|| path.clone())?;
    }
    Ok(())
}

/// Joins the texts of these items, each on its own line. Keys beside a text have no place.
pub(crate) fn joined<'i, 'a: 'i, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: impl Iterator<Item = &'i Item<'a, H>>,
    prefix: &str,
) -> Result<(), Error> {
    let items: Vec<_> = items.filter(|item| is_words(item)).collect();
    keys_lost(w, &items)?;
    single_text::write(w, prefix, &items)
}
