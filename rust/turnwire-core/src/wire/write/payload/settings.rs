//! Writes the settings of a body, unchanged in their own format and translated elsewhere, and reports what is lost.

use std::sync::Arc;

use crate::{
    model::{Frame, RestKey},
    report::{Edit, Error, Others, Path},
    value::{Host, Input, Key, Raw, Sink, Text, Value},
    wire::{
        settings::{defaults, merged, translated},
        write::Writer,
    },
};

/// Keys for a body of the target's own format: new ones, and replacements.
pub(super) type More<H> = Vec<(Text<H>, Value<H>)>;

/// The entries of an object, shared with the object.
type Entries<H> = Arc<[(Text<H>, Value<H>)]>;

/// Translates the settings if the caller asks for it, and returns the keys for a body of the target's own format.
/// `is_list`: whether the payload is the bare list, which has none.
pub(super) fn more<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, is_list: bool) -> Result<More<H>, Error> {
    if w.p.target.options.rest != Others::Convert || is_list {
        return Ok(Vec::new());
    }
    let frame = w.p.conversation.frame;
    if !frame.settings_from().same_wire(w.p.target.id) || frame.order.is_empty() {
        w.s.settings = translated(frame, w.p.target)?;
        return Ok(Vec::new());
    }
    let input = frame.input.as_ref();
    let rest = || frame.rest.iter().flat_map(|rest| &rest.keys);
    let mut more: More<H> = Vec::new();
    for (key, value) in defaults::<H>(w.p.target.options)? {
        if let Some(held) = held_around(frame, &key)? {
            more.extend(merged(&held, &value).map(|value| (key, value)));
            continue;
        }
        match rest().find(|one| one.key.wtf8(input) == key.wtf8(None)) {
            None if frame.order.iter().any(|known| key.is(known, None)) => {}
            None => more.push((key, value)),
            Some(one) => more.extend(merged(&one.value.to_value(input)?, &value).map(|value| (key, value))),
        }
    }
    if let Some(model) = w.p.target.options.model_of_body() {
        let same = |one: &&RestKey<H>| one.key.is("model", input);
        let is_it =
            |one: &RestKey<H>| matches!(one.value.to_value(input), Ok(Value::Text(text)) if text.is(model, None));
        if rest().find(same).is_some_and(|one| !is_it(one)) {
            more.retain(|(key, _)| !key.is("model", None));
            more.push((Text::own("model"), Value::Text(Text::own(model))));
        }
    }
    Ok(more)
}

/// The settings of a body that are around its choice of tools, under this key.
fn held_around<H: Host>(frame: &Frame<H>, key: &Text<H>) -> Result<Option<Value<H>>, Error> {
    let input = frame.input.as_ref();
    let Some(outer) = frame.outer.as_ref().filter(|outer| outer.settings && key.is(outer.name, None)) else {
        return Ok(None);
    };
    let each = outer.extras.iter().flat_map(|extras| extras.iter());
    let each = each.map(|(key, value)| Ok((key.detach(input), value.to_value(input)?)));
    Ok(Some(Value::Map(each.collect::<Result<_, Error>>()?)))
}

/// The settings to write under a key that also holds the choice of tools.
pub(super) fn inside<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>, more: &More<H>, top: &Key) -> Option<Entries<H>> {
    let settings = w.s.settings.iter().flat_map(|settings| &settings.keys);
    let value = settings.chain(more).find(|(key, _)| key.is(top.name, None)).map(|(_, value)| value);
    if let Some(Value::Map(entries)) = value { Some(entries.clone()) } else { None }
}

/// The replacement for one of a body's own keys.
pub(super) fn instead<'m, H: Host>(more: &'m More<H>, one: &RestKey<H>, input: Option<&Input>) -> Option<&'m Value<H>> {
    let same = |key: &Text<H>| key.wtf8(None) == one.key.wtf8(input);
    more.iter().find(|(key, _)| same(key)).map(|(_, value)| value)
}

/// Writes the keys that are still missing.
pub(super) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    more: &More<H>,
    written: &[&str],
) -> Result<(), Error> {
    let frame = w.p.conversation.frame;
    let input = frame.input.as_ref();
    let has = |key: &Text<H>| {
        let mut rest = frame.rest.iter().flat_map(|rest| &rest.keys);
        rest.any(|one| one.key.wtf8(input) == key.wtf8(None))
    };
    let is_written = |key: &Text<H>| written.iter().any(|known| key.is(known, None));
    w.out.scope(None);
    let settings = w.s.settings.take();
    for (key, value) in settings.iter().flat_map(|settings| &settings.keys) {
        // A default may have the name of a key that holds the conversation.
        if !is_written(key) {
            w.out.key_text(key);
            w.out.raw(&Raw::Tree(value.share()));
        }
    }
    w.s.settings = settings;
    for (key, value) in more.iter().filter(|(key, _)| !has(key) && !is_written(key)) {
        w.out.key_text(key);
        w.out.raw(&Raw::Tree(value.share()));
    }
    w.replaced(|_| Path::default());
    w.out.fault().map_or(Ok(()), Err)
}

/// Reports a key of another format that is kept unchanged. No server reads those of a row.
pub(super) fn foreign<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, one: &RestKey<H>) {
    let frame = w.p.conversation.frame;
    if w.p.target.options.row {
        return;
    }
    if !frame.settings_from().same_wire(w.p.target.id) && crate::wire::settings::is_foreign(frame, w.p.target.id, one) {
        let reason = "the target does not have this setting, or it means something else there";
        w.p.losses.warned(Edit::Setting, one.path(frame.input.as_ref()), reason);
    }
}

/// Reports the settings that were lost or changed.
pub(super) fn told<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>) -> Result<(), Error> {
    for report in w.s.settings.take().into_iter().flat_map(|settings| settings.reports) {
        w.p.losses.tell(report.kind, Edit::Setting, report.path, report.why)?;
    }
    Ok(())
}
