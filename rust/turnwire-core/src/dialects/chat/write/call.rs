//! Writes the calls of a message.

use super::super::keys as k;
use crate::{
    model::{Call, Kind},
    report::Error,
    value::{Host, Key, Sink},
    wire::{
        plan::{Item, Said, arguments::is_free},
        write::Writer,
    },
};

pub(crate) fn is_call<H: Host>(item: &Item<'_, H>) -> bool {
    match item.said {
        Said::Call(_) => true,
        Said::Origin(_) => item.was_listed() && item.part.is_some_and(|part| matches!(part.kind, Kind::Call(_))),
        _ => false,
    }
}

/// Writes the calls.
pub(crate) fn calls<'i, 'a: 'i, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: impl IntoIterator<Item = &'i Item<'a, H>>,
) -> Result<(), Error> {
    let mut calls = items.into_iter().filter(|item| is_call(item)).peekable();
    if calls.peek().is_none() {
        return Ok(());
    }
    w.out.key(&k::TOOL_CALLS);
    w.out.open_list();
    calls.try_for_each(|item| {
        w.out.scope(item.input);
        match &item.said {
            Said::Call(call) => tool_call(w, item, call),
            Said::Origin(raw) => {
                w.out.raw(raw);
                Ok(())
            }
            _ => Ok(()),
        }
    })?;
    w.out.close();
    Ok(())
}

/// `{"id"?, "type": "function", "function": {"name", "arguments"}}`
fn tool_call<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
) -> Result<(), Error> {
    let (outer, args) =
        if is_free(w.p.target.limits, call.custom) { (&k::CUSTOM, &k::INPUT) } else { (&k::FUNCTION, &k::ARGUMENTS) };
    w.out.open_map();
    if !call.made_up_id || w.p.target.limits.needs_ids() {
        w.out.key(&k::ID);
        w.id(item, &call.id);
    }
    // A type that is neither, which a stored format keeps, is among the unknown keys.
    if !item.extras().is_some_and(|extras| extras.iter().any(|(key, _)| key.is(k::TYPE.name, item.input))) {
        w.out.key(&k::TYPE);
        w.out.literal(outer);
    }
    w.out.key(outer);
    named_args(w, item, call, args)?;
    signature(w, item);
    w.out.close();
    Ok(())
}

/// Writes Google's signature where the server reads it, and the keys beside it.
fn signature<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    let path = w.p.target.limits.carries.signature();
    let (Some(signature), Some((first, _))) = (&item.signature, path.split_first()) else {
        return w.item_extras(item);
    };
    for key in path {
        w.out.key(key);
        if !std::ptr::eq(*key, *path.last().unwrap_or(key)) {
            w.out.open_map();
        }
    }
    w.out.text(signature);
    path.iter().skip(1).for_each(|_| w.out.close());
    // What lay in its place, or under another key that carries it.
    w.item_extras_but(item, first);
}

pub(crate) fn named_args<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
    key: &'static Key,
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(key);
    w.args(item, call)?;
    w.inner_extras(item);
    w.out.close();
    Ok(())
}
