//! Writes the messages of a run.

use super::{AgUi, keys as k};
use crate::{
    model::{Call, Kind, MOVED_MEDIA, Reasoning, Role, Tool},
    report::{Edit, Error, Path},
    rules::MediaClass,
    value::{Host, Key, Piece, Raw, Sink, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::{Writer, single_text},
    },
};

impl Write for AgUi {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let id = w.message_id(message);
        w.out.open_map();
        w.out.key(&k::ID);
        w.out.text(&id);
        if let [Item { said: Said::Origin(raw), input, part: Some(part), .. }] = message.items.as_slice()
            && part.place.key.is_none()
        {
            whole(w, &part.kind, &raw.to_value(*input)?);
            w.message_extras(message);
            w.out.close();
            return Ok(());
        }
        w.out.key(&k::ROLE);
        let is_result = matches!(message.items.as_slice(), [Item { said: Said::Result(_), .. }]);
        w.out.literal(match message.role {
            Role::System => &k::SYSTEM,
            Role::Developer => &k::DEVELOPER,
            Role::Assistant => &k::ASSISTANT,
            Role::Tool if is_result => &k::TOOL,
            // In other formats a tool's turn may have other content than results.
            Role::User | Role::Tool => &k::USER,
        });
        match (message.role, message.items.as_slice()) {
            (Role::Tool, [item @ Item { said: Said::Result(outcome), .. }]) => result(w, item, outcome)?,
            (Role::User | Role::Tool, items) => content(w, items, message.alone())?,
            (_, items) => words(w, items, message.role)?,
        }
        calls(w, &message.items)?;
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        w.out.open_map();
        w.out.key(&k::NAME);
        w.out.text(&tool.name);
        w.out.key(&k::DESCRIPTION);
        match w.description(tool) {
            Some(words) => w.out.text(&words),
            None => w.out.literal(&k::EMPTY),
        }
        if let Some(schema) = &tool.schema {
            w.out.key(&k::PARAMETERS);
            w.out.sound(schema);
        } else {
            w.no_schema(tool, at)?;
        }
        w.tool_extras_lost(tool, at)?;
        w.out.close();
        Ok(())
    }
}

/// Writes reasoning or an activity, each of which is a separate message, with its original keys.
fn whole<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &Kind<H>, message: &Value<H>) {
    let Value::Map(entries) = message else { return };
    let own: &[&Key] = match kind {
        Kind::Reasoning(Reasoning { text: Some(_) }) => &[&k::ROLE, &k::CONTENT, &k::ENCRYPTED_VALUE],
        Kind::Reasoning(Reasoning { text: None }) => &[&k::ROLE, &k::ENCRYPTED_VALUE],
        _ => &[&k::ROLE, &k::ACTIVITY_TYPE, &k::CONTENT],
    };
    for (key, value) in entries.iter().filter(|(key, _)| own.iter().any(|own| key.is(own.name, None))) {
        w.out.key_text(key);
        w.out.raw(&Raw::Tree(value.share()));
    }
    if matches!(kind, Kind::Reasoning(Reasoning { text: None })) {
        w.out.key(&k::CONTENT);
        w.out.literal(&k::EMPTY);
    }
}

fn is_call<H: Host>(item: &Item<'_, H>) -> bool {
    item.part.is_some_and(|part| matches!(part.kind, Kind::Call(_)))
}

/// Writes the text as one string, unless there is none.
fn words<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>], role: Role) -> Result<(), Error> {
    let (words, media): (Vec<_>, Vec<_>) =
        items.iter().filter(|item| !is_call(item)).partition(|item| !item.is_media());
    for item in media {
        w.p.losses.lost(Edit::Media, w.p.path_of(item), "only users and tools can send media here")?;
    }
    if !words.is_empty() || role != Role::Assistant || !items.iter().any(is_call) {
        w.out.key(&k::CONTENT);
        single_text::joined(w, &words)?;
    }
    Ok(())
}

/// Writes a string, or a list of parts.
fn content<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    items: &[Item<'_, H>],
    alone: Option<&Item<'_, H>>,
) -> Result<(), Error> {
    w.out.key(&k::CONTENT);
    match (items, alone) {
        ([], _) => w.out.literal(&k::EMPTY),
        (_, Some(one)) => single_text::write(w, "", &[one])?,
        _ => {
            w.out.open_list();
            items.iter().filter(|item| !is_call(item)).try_for_each(|item| part(w, item))?;
            w.out.close();
        }
    }
    Ok(())
}

fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Media(shown) => return media(w, item, shown),
        Said::MovedMedia(result) => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            single_text::write(w, "", &[item])?;
        }
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}

/// Writes a part of media.
fn media<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    shown: &Shown<'_, H>,
) -> Result<(), Error> {
    // An older form has the data beside its other keys.
    w.p.own_key_lost(item, &k::SOURCE)?;
    open(
        w,
        match shown.class {
            MediaClass::Image => &k::IMAGE,
            MediaClass::Audio => &k::AUDIO,
            MediaClass::Video => &k::VIDEO,
            MediaClass::Document => &k::DOCUMENT,
        },
    );
    w.out.key(&k::SOURCE);
    let mut value = |kind: &'static Key, value, mime: Option<&str>| {
        open(w, kind);
        w.out.key(&k::VALUE);
        w.out.text(value);
        if let Some(mime) = mime {
            w.out.key(&k::MIME_TYPE);
            w.out.pieces(&[Piece::Str(mime)]);
        }
    };
    match &shown.data {
        ShownData::Base64 { mime, data, .. } => value(&k::DATA, data, Some(mime)),
        // The limits row sends a document's text as bytes and allows no files, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => value(&k::DATA, words, Some("text/plain")),
        ShownData::Url(url, _) => value(&k::URL, url, item.type_of_address().as_deref()),
    }
    w.inner_extras(item);
    w.out.close();
    w.item_extras_but(item, &k::SOURCE);
    w.out.close();
    Ok(())
}

/// Writes a tool's answer, after the role. An error is also written as the content, because providers get only that.
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    w.out.key(&k::TOOL_CALL_ID);
    w.id(item, &outcome.result.id);
    w.result_name_lost(item, outcome.result)?;
    // An original error is written under its own key only.
    let beside = |item: &&Item<'_, H>| item.own_key() == Some(k::ERROR.name);
    let said: Vec<_> = outcome.items.iter().filter(|item| !beside(item)).collect();
    w.out.key(&k::CONTENT);
    match said.as_slice() {
        [] => w.out.literal(&k::EMPTY),
        [one] if outcome.alone().is_some() || !(one.is_media() || one.was_listed()) => {
            single_text::write(w, "", &[one])?;
        }
        several => {
            w.out.open_list();
            several.iter().try_for_each(|item| part(w, item))?;
            w.out.close();
        }
    }
    if outcome.result.error && w.p.target.limits.error_repeats {
        w.out.key(&k::ERROR);
        let why: Vec<_> = outcome.items.iter().filter(beside).collect();
        let why = if why.is_empty() { said.into_iter().filter(|item| !item.is_media()).collect() } else { why };
        single_text::write(w, "", &why)?;
    }
    w.out.scope(item.input);
    w.item_extras(item);
    Ok(())
}

/// Writes the calls.
fn calls<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    let mut calls = items.iter().filter(|item| is_call(item)).peekable();
    if calls.peek().is_none() {
        return Ok(());
    }
    w.out.key(&k::TOOL_CALLS);
    w.out.open_list();
    for item in calls {
        w.out.scope(item.input);
        match &item.said {
            Said::Call(called) => call(w, item, called)?,
            Said::Origin(raw) => w.out.raw(raw),
            _ => {}
        }
    }
    w.out.close();
    Ok(())
}

fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&k::ID);
    w.id(item, &call.id);
    w.out.key(&k::TYPE);
    w.out.literal(&k::FUNCTION);
    w.out.key(&k::FUNCTION);
    w.out.open_map();
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::ARGUMENTS);
    w.args(item, call)?;
    w.inner_extras(item);
    w.out.close();
    w.item_extras(item);
    w.out.close();
    Ok(())
}
