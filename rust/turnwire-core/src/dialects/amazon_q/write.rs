//! Writes Amazon Q messages.

use super::{AmazonQ, keys as k, read};
use crate::{
    model::{Kind, Role},
    report::{Edit, Error},
    value::{Host, Key, Piece, Sink, Text},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, ShownData},
        write::Writer,
    },
};

impl Write for AmazonQ {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let user = message.role != Role::Assistant;
        w.out.open_map();
        w.out.key(if user { &k::USER_MESSAGE } else { &k::ASSISTANT_MESSAGE });
        w.out.open_map();
        if let Some((_, id, input)) = message.id(&w.p.target) {
            w.out.scope(input);
            w.out.key(&k::MESSAGE_ID);
            w.out.text(id);
        }
        content(w, message)?;
        // Parts of the wrong side are here only if they were in the input.
        context(w, message)?;
        list(w, message, &k::IMAGES, |item| {
            matches!(item.said, Said::Media(_)) || is(item, |kind| matches!(kind, Kind::Media(_)))
        })?;
        list(w, message, &k::TOOL_USES, |item| {
            matches!(item.said, Said::Call(_)) || is(item, |kind| matches!(kind, Kind::Call(_)))
        })?;
        only_here(w, message, false)?;
        w.out.close();
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
}

/// Whether an item is sent back unchanged and is of this kind.
fn is<H: Host>(item: &Item<'_, H>, of: impl Fn(&Kind<H>) -> bool) -> bool {
    matches!(item.said, Said::Origin(_)) && item.part.is_some_and(|part| of(&part.kind))
}

/// Writes all texts as one, each on its own line.
fn content<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
    w.out.key(&k::CONTENT);
    let texts = || message.items.iter().filter_map(|item| item.text().map(|text| (text, item.input)));
    let mut few = texts();
    if let (Some((text, input)), None) = (few.next(), few.next()) {
        w.out.scope(input);
        w.out.text(text);
        return Ok(());
    }
    // All pieces are read in one scope, but these texts may come from several inputs.
    let mut shared = Vec::new();
    for (text, input) in texts() {
        shared.push(match text {
            Text::Span(_) => w.p.text_of(&text.wtf8(input))?,
            _ => text.share(),
        });
    }
    let lines = shared.iter().enumerate();
    let pieces: Vec<_> = lines
        .flat_map(|(at, text)| [(at > 0).then_some(Piece::Str("\n")), Some(Piece::Text(text))])
        .flatten()
        .collect();
    w.out.pieces(&pieces);
    Ok(())
}

/// Writes results, and opaque parts: the state of the environment, tool definitions.
fn context<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
    let result =
        |item: &Item<'_, H>| matches!(item.said, Said::Result(_)) || is(item, |kind| matches!(kind, Kind::Result(_)));
    let any = message.items.iter().any(|item| result(item) || is_only_here(item, true));
    if !any {
        return Ok(());
    }
    w.out.key(&k::CONTEXT);
    w.out.open_map();
    only_here(w, message, true)?;
    list(w, message, &k::TOOL_RESULTS, result)?;
    w.out.close();
    Ok(())
}

/// Whether an item is a key that only this service has: in the context, or in the message itself.
fn is_only_here<H: Host>(item: &Item<'_, H>, context: bool) -> bool {
    let beside =
        item.part.and_then(|part| part.place.key).is_some_and(|key| key == read::USER || key == read::ASSISTANT);
    beside != context && is(item, |kind| matches!(kind, Kind::Opaque(_)))
}

/// Writes the keys that only this service has. Of messages that are joined, the last says the current state.
fn only_here<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    context: bool,
) -> Result<(), Error> {
    let items: Vec<_> = message.items.iter().filter(|item| is_only_here(item, context)).collect();
    for (at, item) in items.iter().enumerate() {
        let (Said::Origin(raw), Some(Kind::Opaque(name))) = (&item.said, item.part.map(|part| &part.kind)) else {
            continue;
        };
        let again = items[at + 1..].iter().any(|later| is_named(later, &name.to_str(item.input)));
        if again {
            let path = w.p.path_of(item);
            w.p.losses.lost(Edit::Key, path, "a later message, which joins this one, has the same key")?;
            continue;
        }
        w.out.scope(item.input);
        w.out.key_text(name);
        w.out.raw(raw);
    }
    Ok(())
}

fn is_named<H: Host>(item: &Item<'_, H>, word: &str) -> bool {
    item.part.is_some_and(|part| matches!(&part.kind, Kind::Opaque(name) if name.is(word, item.input)))
}

/// Writes the items of one kind as a list under their key, if there are any.
fn list<'a, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'a, H>,
    key: &'static Key,
    of: impl Fn(&Item<'a, H>) -> bool,
) -> Result<(), Error> {
    let mut items = message.items.iter().filter(|item| of(item)).peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    w.out.key(key);
    w.out.open_list();
    items.try_for_each(|item| entry(w, item))?;
    w.out.close();
    Ok(())
}

fn entry<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    if let Said::Origin(raw) = &item.said {
        w.out.raw(raw);
        return Ok(());
    }
    w.out.open_map();
    match &item.said {
        Said::Call(call) => {
            w.out.key(&k::TOOL_USE_ID);
            w.id(item, &call.id);
            w.out.key(&k::NAME);
            w.out.text(&call.name);
            w.out.key(&k::INPUT);
            w.args(item, call)?;
        }
        Said::Result(outcome) => result(w, item, outcome)?,
        Said::Media(shown) => {
            if let ShownData::Base64 { mime, data, .. } = &shown.data {
                w.out.key(&k::FORMAT);
                w.out.pieces(&[Piece::Str(mime.trim_start_matches("image/"))]);
                w.out.key(&k::SOURCE);
                w.out.open_map();
                w.out.key(&k::BYTES);
                w.out.text(data);
                w.inner_extras(item);
                w.out.close();
            }
        }
        Said::Json(raw) => {
            w.out.key(&k::JSON);
            w.out.sound(raw);
        }
        _ => {
            w.out.key(&k::TEXT);
            match item.text() {
                Some(text) => w.out.text(text),
                None => w.out.pieces(&[]),
            }
        }
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    w.out.key(&k::TOOL_USE_ID);
    w.id(item, &outcome.result.id);
    w.result_name_lost(item, outcome.result)?;
    w.out.key(&k::CONTENT);
    w.out.open_list();
    outcome.items.iter().try_for_each(|one| entry(w, one))?;
    w.out.close();
    w.out.key(&k::STATUS);
    w.out.literal(if outcome.result.error { &k::ERROR } else { &k::SUCCESS });
    w.out.scope(item.input);
    Ok(())
}
