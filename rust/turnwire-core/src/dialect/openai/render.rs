//! Writing Chat Completions messages.

use super::super::outline::{Item, Message, Outcome, Said, Shown, ShownData};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    error::Error,
    handle::{Host, Text},
    media::MediaClass,
    part::Kind,
    tool::{Call, MOVED_MEDIA},
    turn::Role,
    value::{Key, Piece},
};

pub(super) fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&ROLE);
    match message.items.as_slice() {
        [item @ Item { said: Said::Result(outcome), .. }] => result(w, item, outcome)?,
        _ => spoken(w, message)?,
    }
    w.message_extras(message);
    w.out.close();
    Ok(())
}

/// A message of role `tool`; one of the legacy role `function` has no id to answer by.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let name = outcome.result.name.as_deref().filter(|_| item.own);
    let legacy = outcome.result.made_up_id && name.is_some();
    w.out.literal(if legacy { &FUNCTION } else { &TOOL });
    if !legacy {
        w.out.key(&TOOL_CALL_ID);
        w.id(item, &outcome.result.id);
    }
    if let Some(name) = name {
        w.out.key(&NAME);
        w.out.text(name);
    }
    w.out.key(&CONTENT);
    match (outcome.items.as_slice(), outcome.alone()) {
        ([], _) => w.out.pieces(&[Piece::Str(outcome.prefix.trim_end())]),
        (_, Some(one)) => text(w, one, outcome.prefix)?,
        (several, None) => {
            w.out.open_list();
            for (place, one) in several.iter().enumerate() {
                part(w, one, if place == 0 { outcome.prefix } else { "" })?;
            }
            w.out.close();
        }
    }
    Ok(())
}

/// What an assistant or user says, each thing under its key.
fn spoken<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
    w.out.literal(match message.role {
        Role::System => &SYSTEM,
        Role::Developer => &DEVELOPER,
        Role::Assistant => &ASSISTANT,
        Role::User | Role::Tool => &USER,
    });
    let items = &message.items;
    if items.iter().any(|item| matches!(item.said, Said::NoReasoning)) {
        w.out.key(&REASONING_CONTENT);
        w.out.literal(&EMPTY);
    }
    let calls = items.iter().filter(|item| is_call(item)).count();
    let refusals = items.iter().filter(|item| matches!(item.said, Said::Refusal(_))).count();
    let in_content = |item: &&Item<'_, H>| match &item.said {
        Said::Origin(_) => item.own_key().is_none() && !is_call(item),
        // A message has one key for a refusal; several are parts.
        Said::Refusal(_) => refusals > 1,
        Said::Call(_) | Said::Result(_) | Said::NoReasoning => false,
        _ => true,
    };
    w.out.key(&CONTENT);
    let mut content = items.iter().filter(in_content);
    match (content.next(), content.next()) {
        (None, _) if calls == 0 && refusals == 0 => w.out.literal(&EMPTY),
        (None, _) => w.out.null(),
        (Some(one), None) if one.text().is_some() && !one.was_listed() => text(w, one, "")?,
        _ => {
            w.out.open_list();
            for one in items.iter().filter(in_content) {
                part(w, one, "")?;
            }
            w.out.close();
        }
    }
    for item in items {
        w.out.scope(item.input);
        match (&item.said, item.own_key()) {
            (Said::Refusal(words), _) if refusals == 1 => {
                w.out.key(&REFUSAL);
                w.out.text(words);
            }
            // What has a key of its own goes back under it.
            (Said::Origin(raw), Some(key)) => {
                w.out.key_text(&Text::own(key));
                w.out.raw(raw);
            }
            _ => {}
        }
    }
    self::calls(w, message, calls)
}

fn is_call<H: Host>(item: &Item<'_, H>) -> bool {
    match item.said {
        Said::Call(_) => true,
        Said::Origin(_) => item.was_listed() && item.part.is_some_and(|part| matches!(part.kind, Kind::Call(_))),
        _ => false,
    }
}

fn calls<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>, count: usize) -> Result<(), Error> {
    if count == 0 {
        return Ok(());
    }
    let mut calls = message.items.iter().filter(|item| is_call(item));
    // A call of the legacy form stays one: its result is told by name as well.
    if let Some(item @ Item { said: Said::Call(call), .. }) = calls.clone().next()
        && count == 1
        && item.own_key() == Some(FUNCTION_CALL.name)
    {
        w.out.scope(item.input);
        w.out.key(&FUNCTION_CALL);
        return named_args(w, item, call, &ARGUMENTS);
    }
    w.out.key(&TOOL_CALLS);
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

/// `{"id", "type": "function", "function": {"name", "arguments"}}`
fn tool_call<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    let (outer, args) =
        if call.custom && w.target.limits.free_text { (&CUSTOM, &INPUT) } else { (&FUNCTION, &ARGUMENTS) };
    w.out.open_map();
    w.out.key(&ID);
    w.id(item, &call.id);
    w.out.key(&TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    named_args(w, item, call, args)?;
    w.item_extras(item);
    w.out.close();
    Ok(())
}

fn named_args<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    call: &Call<H>,
    key: &'static Key,
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&NAME);
    w.out.text(&call.name);
    w.out.key(key);
    w.args(item, call)?;
    w.inner_extras(item);
    w.out.close();
    Ok(())
}

/// The text of an item, alone.
fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, prefix: &str) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::MovedMedia(result) => {
            let id = w.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        Said::Origin(raw) if prefix.is_empty() => w.out.raw_as_text(raw),
        Said::Json(raw) | Said::JsonText(raw) if prefix.is_empty() => w.json_text(raw, item.input),
        Said::Json(raw) | Said::JsonText(raw) | Said::Origin(raw) => {
            let json = w.json_of(raw, item.input)?;
            w.out.pieces(&[Piece::Str(prefix), Piece::Str(&json)]);
        }
        _ => match item.text() {
            Some(text) if prefix.is_empty() => w.out.text(text),
            Some(text) => w.out.pieces(&[Piece::Str(prefix), Piece::Text(text)]),
            None => w.out.literal(&EMPTY),
        },
    }
    Ok(())
}

/// One part of a content list.
fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, prefix: &str) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Media(shown) => media(w, item, shown),
        Said::Refusal(words) => {
            open(w, &REFUSAL);
            w.out.text(words);
        }
        _ => {
            open(w, &TEXT);
            text(w, item, prefix)?;
        }
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// `{"type": kind, kind: …`
fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(kind);
    w.out.key(kind);
}

/// Begins a part of media; the caller closes it.
fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    let kind = match shown.class {
        MediaClass::Audio => &INPUT_AUDIO,
        MediaClass::Document => &FILE,
        MediaClass::Image | MediaClass::Video => &IMAGE_URL,
    };
    open(w, kind);
    w.out.open_map();
    match (&shown.data, shown.class) {
        (ShownData::Base64 { mime, data, .. }, MediaClass::Audio) => {
            w.out.key(&DATA);
            w.out.text(data);
            w.out.key(&FORMAT);
            w.out.literal(if mime.ends_with('3') || mime.ends_with("mpeg") { &MP3 } else { &WAV });
        }
        (ShownData::Base64 { mime, data, url, .. }, class) => {
            let document = class == MediaClass::Document;
            if let Some(name) = shown.name.as_ref().filter(|_| document) {
                w.out.key(&FILENAME);
                w.out.text(name);
            }
            w.out.key(if document { &FILE_DATA } else { &URL });
            match url.filter(|_| !document) {
                Some(url) => w.out.text(url),
                None => {
                    w.out.pieces(&[Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)]);
                }
            }
        }
        (ShownData::Url(words, _), _) => {
            w.out.key(&URL);
            w.out.text(words);
        }
        (ShownData::Plain(words), _) => {
            w.out.key(&TEXT);
            w.out.text(words);
        }
    }
    if let Some(detail) = shown.detail {
        w.out.key(&DETAIL);
        w.out.raw(detail);
    }
    w.inner_extras(item);
    w.out.close();
}
