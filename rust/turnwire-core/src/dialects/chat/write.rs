//! Writes messages of the family.

use super::{
    ARGUMENTS, ASSISTANT, CONTENT, CUSTOM, Chat, DETAIL, DEVELOPER, EMPTY, FUNCTION, ID, IMAGE_URL, INPUT, NAME,
    REFUSAL, ROLE, SYSTEM, TEXT, TOOL, TOOL_CALL_ID, TOOL_CALLS, TYPE, URL, USER,
    member::{Member, Writes},
    tools,
};
use crate::{
    model::{
        part::Kind,
        tool::{Call, Choice, MOVED_MEDIA, Tool},
        turn::Role,
    },
    report::{error::Error, path::Path},
    rules::limits::PartOrder,
    value::{
        door::{Key, Piece, Sink},
        handle::{Host, Text},
    },
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::{single_text, writer::Writer},
    },
};

impl<D: Chat> Write for D {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        <D as Chat>::message(w, message)
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tools::write(&D::KEYS, w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
        tools::write_choice(D::MEMBER, w, choice);
    }
}

pub(crate) fn message<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    message: &Message<'_, H>,
) -> Result<(), Error> {
    w.out.open_map();
    w.out.key(&ROLE);
    if let [item @ Item { said: Said::Result(outcome), .. }] = message.items.as_slice() {
        (writes.answer)(w, item, outcome)?;
    } else {
        w.out.literal(role(writes.member, message.role));
        (writes.spoken)(w, message)?;
    }
    w.message_extras(message);
    w.out.close();
    Ok(())
}

/// The member's word for a role.
pub(crate) fn role(member: &Member, role: Role) -> &'static Key {
    match role {
        Role::Developer if member.roles.iter().any(|(_, known)| *known == Role::Developer) => &DEVELOPER,
        Role::System | Role::Developer => &SYSTEM,
        Role::Assistant => &ASSISTANT,
        Role::User | Role::Tool => &USER,
    }
}

/// Writes a message of role `tool`.
pub(crate) fn answer<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    answers(writes.member, w, item, outcome)?;
    self::outcome(writes, w, outcome)
}

/// Writes the id of a result's call, if there is one, and the name of its tool.
pub(crate) fn answers<H: Host, K: Sink<H>>(
    member: &Member,
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let result = outcome.result;
    w.out.literal(&TOOL);
    let call = w.links.call(item.site.0, item.site.1);
    let has_id = call.map_or(!result.made_up_id && !result.id.is_empty(), |(call, _)| !call.made_up_id);
    if has_id || !w.target.limits.id.optional {
        w.out.key(&TOOL_CALL_ID);
        w.id(item, &result.id);
    }
    match member.result_name {
        Some(key) if w.target.limits.results_named => {
            w.out.key(key);
            w.write_result_name(item, result);
            Ok(())
        }
        _ => name(member, w, item, outcome),
    }
}

/// Writes the content of a result.
pub(crate) fn outcome<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    if w.target.limits.json.is_one() {
        outcome_as_text(w, outcome)?;
        (writes.around)(w, &outcome.items);
        return Ok(());
    }
    w.out.key(&CONTENT);
    match (outcome.items.as_slice(), outcome.alone()) {
        ([], _) => w.out.pieces(&[Piece::Str(outcome.prefix)]),
        (_, Some(one)) => text(w, one, outcome.prefix)?,
        (_, None) => parts(writes, w, &outcome.items, outcome.prefix)?,
    }
    Ok(())
}

/// Writes all of a result as one text.
pub(crate) fn outcome_as_text<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    w.out.key(&CONTENT);
    joined(w, outcome.items.iter(), outcome.prefix)
}

/// Writes the name of the tool if the result came with one. Reports a name that differs from the call's.
pub(crate) fn name<H: Host, K: Sink<H>>(
    member: &Member,
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    if let (Some(key), Some(name)) = (member.result_name, outcome.result.name.as_deref().filter(|_| item.own)) {
        w.out.key(key);
        w.out.text(name);
        return Ok(());
    }
    w.result_name_lost(item, outcome.result)
}

/// Writes the parts of a message, each under its key.
pub(crate) fn spoken<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    message: &Message<'_, H>,
) -> Result<(), Error> {
    let items = &message.items;
    content(writes, w, items, is_content, !items.iter().any(is_call))?;
    own_keys(w, items);
    (writes.around)(w, items);
    calls(w, items)
}

/// Whether an item belongs to the content.
pub(crate) fn is_content<H: Host>(item: &Item<'_, H>) -> bool {
    match &item.said {
        Said::Origin(_) => item.own_key().is_none() && !is_call(item),
        Said::Call(_) | Said::Result(_) | Said::NoReasoning => false,
        _ => true,
    }
}

pub(crate) fn is_call<H: Host>(item: &Item<'_, H>) -> bool {
    match item.said {
        Said::Call(_) => true,
        Said::Origin(_) => item.was_listed() && item.part.is_some_and(|part| matches!(part.kind, Kind::Call(_))),
        _ => false,
    }
}

/// Writes the content: one text, or a list. Without items it is `null`, or the empty text if that is required.
pub(crate) fn content<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    items: &[Item<'_, H>],
    inside: impl Fn(&Item<'_, H>) -> bool,
    must: bool,
) -> Result<(), Error> {
    w.out.key(&CONTENT);
    if w.target.limits.order == PartOrder::OneText {
        return joined(w, items.iter().filter(|item| inside(item)), "");
    }
    let mut content = items.iter().filter(|item| inside(item));
    match (content.next(), content.next()) {
        (None, _) if must => w.out.literal(&EMPTY),
        (None, _) => w.out.null(),
        (Some(one), None) if one.text().is_some() && !one.was_listed() => text(w, one, "")?,
        _ => parts(writes, w, items.iter().filter(|item| inside(item)), "")?,
    }
    Ok(())
}

/// Writes the items that have their own keys.
pub(crate) fn own_keys<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, items: &[Item<'_, H>]) {
    for item in items {
        if let (Said::Origin(raw), Some(key)) = (&item.said, item.own_key()) {
            w.out.scope(item.input);
            w.out.key_text(&Text::own(key));
            w.out.raw(raw);
        }
    }
}

/// Writes the calls.
pub(crate) fn calls<'i, 'a: 'i, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    items: impl IntoIterator<Item = &'i Item<'a, H>>,
) -> Result<(), Error> {
    let mut calls = items.into_iter().filter(|item| is_call(item)).peekable();
    if calls.peek().is_none() {
        return Ok(());
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

/// `{"id"?, "type": "function", "function": {"name", "arguments"}}`
fn tool_call<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    let (outer, args) =
        if call.custom && w.target.limits.free_text { (&CUSTOM, &INPUT) } else { (&FUNCTION, &ARGUMENTS) };
    w.out.open_map();
    if !(call.made_up_id && w.target.limits.id.optional) {
        w.out.key(&ID);
        w.id(item, &call.id);
    }
    w.out.key(&TYPE);
    w.out.literal(outer);
    w.out.key(outer);
    named_args(w, item, call, args)?;
    w.item_extras(item);
    w.out.close();
    Ok(())
}

pub(crate) fn named_args<H: Host, K: Sink<H>>(
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

/// Writes the text of an item alone.
pub(crate) fn text<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
) -> Result<(), Error> {
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

/// Joins the texts of these items, each on its own line.
pub(crate) fn joined<'i, 'a: 'i, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    items: impl Iterator<Item = &'i Item<'a, H>>,
    prefix: &str,
) -> Result<(), Error> {
    let items: Vec<_> = items.filter(|item| is_words(item)).collect();
    single_text::write(w, prefix, &items)
}

/// Writes a list of parts.
pub(crate) fn parts<'i, 'a: 'i, H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    items: impl IntoIterator<Item = &'i Item<'a, H>>,
    prefix: &str,
) -> Result<(), Error> {
    w.out.open_list();
    for (place, one) in items.into_iter().enumerate() {
        part(writes, w, one, if place == 0 { prefix } else { "" })?;
    }
    w.out.close();
    Ok(())
}

/// Writes a part of a list.
pub(crate) fn part<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Media(shown) => (writes.media)(w, item, shown),
        Said::Json(raw) if prefix.is_empty() => (writes.value)(w, item, raw)?,
        Said::Refusal(words) => {
            open(w, &REFUSAL);
            w.out.text(words);
        }
        _ => text_part(w, item, prefix)?,
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a part of text; the caller closes it.
pub(crate) fn text_part<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
) -> Result<(), Error> {
    open(w, &TEXT);
    text(w, item, prefix)
}

/// `{"type": kind, kind: …`
pub(crate) fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(kind);
    w.out.key(kind);
}

/// Begins a part of an image; the caller closes it.
pub(crate) fn image<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    open(w, &IMAGE_URL);
    w.out.open_map();
    w.out.key(&URL);
    address(w, shown);
    if let Some(detail) = shown.detail {
        w.out.key(&DETAIL);
        w.out.raw(detail);
    }
    w.inner_extras(item);
    w.out.close();
}

/// Writes the URL of media, or their data as a `data:` URL.
pub(crate) fn address<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, shown: &Shown<'_, H>) {
    match &shown.data {
        ShownData::Base64 { url: Some(url), .. } => w.out.text(url),
        ShownData::Base64 { mime, data, .. } => {
            w.out.pieces(&[Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)]);
        }
        ShownData::Url(words, _) => w.out.text(words),
        ShownData::Plain(words) | ShownData::File(words) => w.out.text(words),
    }
}
