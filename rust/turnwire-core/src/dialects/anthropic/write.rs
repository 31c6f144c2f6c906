//! Writes Anthropic messages and system text.

use super::keys as k;
use super::{Anthropic, tools};
use crate::{
    model::{Choice, MOVED_MEDIA, Role, Tool},
    report::{Error, Path},
    rules::MediaClass,
    value::{Host, Key, Piece, Raw, Sink, Text, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::{SystemText, Writer},
    },
};

impl Write for Anthropic {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        w.out.open_map();
        w.out.key(&k::ROLE);
        w.out.literal(match message.role {
            Role::Assistant => &k::ASSISTANT,
            Role::System | Role::Developer => &k::SYSTEM,
            Role::User | Role::Tool => &k::USER,
        });
        w.out.key(&k::CONTENT);
        match message.alone().and_then(Item::text) {
            Some(text) => w.out.text(text),
            None => blocks(w, &message.items)?,
        }
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
        system(w, texts);
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tools::write(w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
        tools::write_choice(w, choice);
    }
}

fn blocks<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    w.out.open_list();
    for item in items {
        w.out.scope(item.input);
        block(w, item)?;
    }
    w.out.close();
    Ok(())
}

fn block<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    if let Some(raw) = item.whole() {
        match (raw, item.cached) {
            (Raw::Tree(Value::Map(entries)), Some(_)) => {
                w.out.open_map();
                for (key, value) in entries.iter() {
                    w.out.key_text(key);
                    w.out.raw(&Raw::Tree(value.share()));
                }
                w.mark_key(item.cached);
                w.out.close();
            }
            _ => w.out.raw(raw),
        }
        return Ok(());
    }
    match &item.said {
        Said::Call(call) => {
            open(w, &k::TOOL_USE);
            w.out.key(&k::ID);
            w.id(item, &call.id);
            w.out.key(&k::NAME);
            w.out.text(&call.name);
            w.out.key(&k::INPUT);
            w.args(item, call)?;
        }
        Said::Thought(_, text) => {
            open(w, &k::THINKING);
            w.out.key(&k::THINKING);
            w.out.text(text);
            w.out.close();
            return Ok(());
        }
        Said::NoReasoning(_, instead) => {
            open(w, &k::THINKING);
            w.out.key(&k::THINKING);
            w.out.pieces(&[Piece::Str(instead)]);
            w.out.close();
            return Ok(());
        }
        Said::Result(outcome) => result(w, item, outcome)?,
        Said::Media(shown) => media(w, item, shown),
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            text(w, item);
            if let Some(cited) = &item.cited {
                w.out.key(&k::CITATIONS);
                w.out.sound(cited);
            }
        }
    }
    w.item_extras(item);
    w.mark_key(item.cached);
    w.out.close();
    Ok(())
}

/// Writes the text of an item.
fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    match (&item.said, item.text()) {
        (_, Some(words)) => w.out.text(words),
        (Said::Json(raw) | Said::JsonText(raw), _) => w.json_text(raw, item.input),
        (Said::MovedMedia(result), _) => {
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => {}
    }
}

/// Begins a result; the caller closes it.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    open(w, &k::TOOL_RESULT);
    w.out.key(&k::TOOL_USE_ID);
    w.id(item, &outcome.result.id);
    w.result_name_lost(item, outcome.result)?;
    if !outcome.items.is_empty() {
        w.out.key(&k::CONTENT);
        match outcome.alone() {
            Some(one) => text(w, one),
            None => blocks(w, &outcome.items)?,
        }
    }
    if outcome.result.error {
        w.out.key(&k::IS_ERROR);
        w.out.bool(true);
    }
    w.out.scope(item.input);
    Ok(())
}

fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}

/// Begins a block of media; the caller closes it.
fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    let document = shown.class == MediaClass::Document;
    open(w, if document { &k::DOCUMENT } else { &k::IMAGE });
    w.out.key(&k::SOURCE);
    match &shown.data {
        ShownData::Base64 { mime, data, .. } => {
            open(w, &k::BASE64);
            w.out.key(&k::MEDIA_TYPE);
            w.out.pieces(&[Piece::Str(mime)]);
            w.out.key(&k::DATA);
            w.out.text(data);
        }
        ShownData::Plain(_) if shown.texts.is_some() => {
            open(w, &k::CONTENT);
            w.out.key(&k::CONTENT);
            w.out.open_list();
            for text in shown.texts.into_iter().flatten() {
                open(w, &k::TEXT);
                w.out.key(&k::TEXT);
                w.out.text(text);
                w.out.close();
            }
            shown.images.iter().filter_map(|image| image.origin.as_ref()).for_each(|image| w.out.raw(image));
            w.out.close();
        }
        ShownData::Plain(words) | ShownData::File(words) => {
            open(w, &k::TEXT);
            w.out.key(&k::MEDIA_TYPE);
            w.out.literal(&k::PLAIN);
            w.out.key(&k::DATA);
            w.out.text(words);
        }
        ShownData::Url(words, _) => {
            open(w, &k::URL);
            w.out.key(&k::URL);
            w.out.text(words);
        }
    }
    w.inner_extras(item);
    w.out.close();
    if let Some(name) = shown.name.as_ref().filter(|_| document) {
        w.out.key(&k::TITLE);
        w.out.text(name);
    }
    for (key, raw) in &shown.beside {
        w.out.key_text(&Text::own(key));
        w.out.sound(raw);
    }
}

pub(super) fn system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
    if let [SystemText { text, input, origin: None, extras: None, cached: None, .. }] = texts {
        w.out.scope(*input);
        w.out.text(text);
        return;
    }
    w.out.open_list();
    for SystemText { text, input, origin, extras, cached, .. } in texts {
        w.out.scope(*input);
        if let Some(raw) = origin {
            w.out.raw(raw);
            continue;
        }
        w.out.open_map();
        w.out.key(&k::TYPE);
        w.out.literal(&k::TEXT);
        w.out.key(&k::TEXT);
        w.out.text(text);
        if let Some(extras) = extras {
            w.write_extras(extras);
        }
        w.mark_key(*cached);
        w.out.close();
    }
    w.out.close();
}
