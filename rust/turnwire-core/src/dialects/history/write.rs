//! Writes spec 003's messages.

use super::History;
use super::keys as k;
use crate::{
    model::{Call, Content, Kind, MOVED_MEDIA, Role},
    report::Error,
    value::{Host, Key, Piece, Sink},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::Writer,
    },
};

impl Write for History {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        w.out.open_map();
        w.out.key(&k::ROLE);
        // Spec 001's own messages keep their form.
        let own =
            message.turns.first().is_some_and(|(_, turn)| turn.from.same_wire(w.p.target.id) && turn.origin.is_some());
        w.out.literal(match message.role {
            Role::System | Role::Developer => &k::SYSTEM,
            Role::Assistant => &k::ASSISTANT,
            // Without a separate result, readers take all content of a tool's message as one.
            Role::Tool if own && message.items.iter().any(is_result) => &k::TOOL,
            Role::User | Role::Tool => &k::USER,
        });
        w.out.key(&k::CONTENT);
        match (message.items.as_slice(), message.alone()) {
            ([], _) => w.out.pieces(&[]),
            (_, Some(one)) if message.role != Role::Assistant => text(w, one),
            _ => blocks(w, &message.items)?,
        }
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
}

fn is_result<H: Host>(item: &Item<'_, H>) -> bool {
    item.part.is_some_and(|part| matches!(part.kind, Kind::Result(_)))
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
    match (&item.said, item.part.map(|part| (&part.kind, part.place.key))) {
        // A call from `toolCalls` becomes a block, so its original wire value does not fit.
        (Said::Origin(_), Some((Kind::Call(call), key))) if key != Some(k::CONTENT.name) => {
            return self::call(w, item, call);
        }
        (Said::Origin(raw), _) => {
            w.out.raw(raw);
            return Ok(());
        }
        (Said::Call(call), _) => return self::call(w, item, call),
        (Said::Result(outcome), _) => result(w, item, outcome)?,
        (Said::Media(shown), _) => image(w, item, shown),
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            text(w, item);
        }
    }
    // A block says that it is a call.
    w.p.own_key_lost(item, &k::TYPE)?;
    w.item_extras_but(item, &k::TYPE);
    w.out.close();
    Ok(())
}

fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    open(w, &k::TOOL_USE);
    w.out.key(&k::ID);
    w.id(item, &call.id);
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::INPUT);
    w.args(item, call)?;
    // Its other keys may have been in an object that blocks do not have.
    w.flat_extras(item, &[&k::TYPE, &k::ID, &k::NAME, &k::INPUT])?;
    w.out.close();
    Ok(())
}

/// Writes the text of an item, or its value.
fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    match (&item.said, item.text()) {
        (_, Some(words)) => w.out.text(words),
        (Said::Json(raw), _) => w.out.sound(raw),
        (Said::JsonText(raw), _) => w.json_text(raw, item.input),
        (Said::MovedMedia(result), _) => {
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&result.id), Piece::Str(":")]);
        }
        _ => w.out.pieces(&[]),
    }
}

fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}

/// Begins an image; the caller closes it.
fn image<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    open(w, &k::IMAGE);
    w.out.key(&k::SOURCE);
    match &shown.data {
        ShownData::Base64 { mime, data, .. } => {
            open(w, &k::BASE64);
            w.out.key(&k::MEDIA_TYPE);
            w.out.pieces(&[Piece::Str(mime)]);
            w.out.key(&k::DATA);
            w.out.text(data);
        }
        ShownData::Url(words, _) => {
            open(w, &k::URL);
            w.out.key(&k::URL);
            w.out.text(words);
        }
        // The limits row allows no documents, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            w.out.text(words);
        }
    }
    w.inner_extras(item);
    w.out.close();
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
    w.out.key(&k::TOOL_NAME);
    let own = outcome.result.name.as_deref().map(|name| (name, item.input));
    match own.or_else(|| w.p.links.call_name(item.site.0, item.site.1)) {
        Some((name, input)) => {
            w.out.scope(input);
            w.out.text(name);
        }
        None => w.out.literal(&k::UNKNOWN),
    }
    w.out.scope(item.input);
    w.out.key(&k::CONTENT);
    // A list stays a list, even if some of its parts are lost.
    let listed = matches!(&outcome.result.content, Content::Blocks(blocks) if blocks.len() > 1);
    match (outcome.items.as_slice(), outcome.alone().filter(|_| !listed)) {
        ([], _) => w.out.pieces(&[]),
        (_, Some(one)) => text(w, one),
        _ => blocks(w, &outcome.items)?,
    }
    if outcome.result.error {
        w.out.key(&k::IS_ERROR);
        w.out.bool(true);
    }
    Ok(())
}
