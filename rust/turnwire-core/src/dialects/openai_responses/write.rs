//! Writes input items. One message may become several, and each text of another format's assistant becomes one.

mod part;

use self::part::part;
use super::{OpenAiResponses, forms, keys as k, reasoning, tools};
use crate::{
    model::{Call, Choice, Kind, MOVED_MEDIA, Role, Tool},
    report::{Error, Path},
    value::{Host, Key, Piece, Raw, Sink, Text, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, arguments::is_free},
        write::{SystemText, Writer, system},
    },
};

impl Write for OpenAiResponses {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        // Without an id, a plain string is the only form of the assistant's text that every server accepts, so each
        // text is an item.
        // Some servers read only the first text of a message, so its id has no place then.
        let texts = message.items.iter().filter(|item| is_content(item)).count();
        let split = w.p.target.limits.typed_items && texts > 1;
        let apart = message.role == Role::Assistant && (split || message.id(&w.p.target).is_none());
        let mut rest = message.items.as_slice();
        // The first item gets the turn's own extras.
        let mut first = true;
        if rest.is_empty() {
            return said(w, message, &[], (first, split));
        }
        while let [item, ..] = rest {
            let count = match is_content(item) {
                true if apart => 1,
                true => rest.iter().take_while(|item| is_content(item)).count(),
                false => 1,
            };
            let (now, later) = rest.split_at(count);
            w.s.provenance.sources.push(message.sources_of(now));
            w.out.scope(item.input);
            if is_content(item) {
                said(w, message, now, (first, split))?;
            } else {
                whole(w, message, item)?;
            }
            (rest, first) = (later, false);
        }
        Ok(())
    }
    /// Writes all instructions as one text, each part on its own line.
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
        system::one_text(w, texts);
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tools::write(w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
        tools::write_choice(w, choice);
    }
}

/// Whether an item belongs to the content of a message. All others are separate items.
fn is_content<H: Host>(item: &Item<'_, H>) -> bool {
    match &item.said {
        Said::Call(_) | Said::Result(_) | Said::Translated(_) | Said::Thought(..) => false,
        Said::Origin(_) => item.part.is_some_and(|part| part.place.key == Some(k::CONTENT.name)),
        _ => true,
    }
}

/// Writes a message.
fn said<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    items: &[Item<'_, H>],
    (first, split): (bool, bool),
) -> Result<(), Error> {
    w.out.open_map();
    // A message with a status is of the type that has an id. Without an id it is written as the type with one text.
    let has_status = first && has_key(message, w, &k::STATUS);
    let may = message.role == Role::Assistant && !split && (has_status || !w.p.target.limits.typed_items);
    let named = message.id(&w.p.target).filter(|_| first && may);
    // An id from another format's options makes it the type that has one.
    let provided: &[_] = if let [one] = items { one.provided.as_ref().map_or(&[], |keys| keys) } else { &[] };
    let known = provided.iter().any(|(key, _)| *key == k::ID.name);
    let is_reply = message.role == Role::Assistant && named.is_none();
    let fresh = is_reply
        && matches!(items, [one] if is_text(one) || own_text(one).is_some())
        && !(known || first && has_key(message, w, &k::ID));
    // The type with an id always has a list.
    let listed = named.is_some() || known || has_status && !fresh;
    if named.is_some() || w.p.target.limits.typed_items && !(first && has_key(message, w, &k::TYPE)) {
        w.out.key(&k::TYPE);
        w.out.literal(&k::MESSAGE);
    }
    if let Some((_, id, input)) = named {
        w.out.scope(input);
        w.out.key(&k::ID);
        w.out.text(id);
    } else if known {
        w.out.key(&k::TYPE);
        w.out.literal(&k::MESSAGE);
        w.out.key(&k::STATUS);
        w.out.literal(&k::COMPLETED);
    }
    provide(w, provided);
    w.out.key(&k::ROLE);
    w.out.literal(match message.role {
        Role::System => &k::SYSTEM,
        Role::Developer => &k::DEVELOPER,
        Role::Assistant => &k::ASSISTANT,
        Role::User | Role::Tool => &k::USER,
    });
    w.out.key(&k::CONTENT);
    match items {
        [] if !listed => w.out.literal(&k::EMPTY),
        [one] if fresh => alone(w, one)?,
        [one] if is_plain(one) && !listed => text(w, one, "")?,
        several => {
            w.out.open_list();
            for one in several {
                part(w, one, "", message.role == Role::Assistant)?;
            }
            w.out.close();
        }
    }
    match (first, fresh) {
        (true, true) => w.message_extras_but(message, &k::STATUS),
        (true, false) => w.message_extras(message),
        (false, _) => phase(w, message),
    }
    w.out.close();
    Ok(())
}

/// Writes which part of an answer a message is, which is said of all its texts.
fn phase<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) {
    let Some((extras, input)) = message.extras(w.p.target.id) else { return };
    for (key, value) in extras.iter().filter(|(key, _)| key.is(k::PHASE.name, input)) {
        w.out.scope(input);
        w.out.key_text(key);
        w.out.raw(value);
    }
}

/// Writes the keys that lay among another format's options.
fn provide<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, provided: &[(&'static str, Value<H>)]) {
    for (key, value) in provided {
        w.out.key_text(&Text::own(key));
        w.out.raw(&Raw::Tree(value.share()));
    }
}

/// Whether a message has this key among its extras.
fn has_key<H: Host, K: Sink<H>>(message: &Message<'_, H>, w: &Writer<'_, '_, H, K>, key: &Key) -> bool {
    let extras = message.extras(w.p.target.id);
    extras.is_some_and(|(extras, input)| extras.iter().any(|(known, _)| known.is(key.name, input)))
}

/// The text of an item that would be sent back unchanged.
fn own_text<'i, H: Host>(item: &'i Item<'_, H>) -> Option<&'i Text<H>> {
    match (&item.said, item.part.map(|part| &part.kind)) {
        (Said::Origin(_), Some(Kind::Text(text))) => Some(text),
        _ => None,
    }
}

/// Writes the text of an item as the whole content of a message. The other keys of its part are lost.
fn alone<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    match own_text(item) {
        Some(words) => w.out.text(words),
        None => text(w, item, "")?,
    }
    let path = w.p.path_of(item);
    w.p.extras_lost(item.extras(), item.input, &|| path.clone())
}

/// Whether an item may be a string without a list around it.
fn is_plain<H: Host>(item: &Item<'_, H>) -> bool {
    let free = !item.was_listed() && item.cached.is_none();
    free && matches!(item.said, Said::Text(_) | Said::Made(_) | Said::JsonText(_) | Said::Json(_))
}

/// Writes a part as a separate item.
fn whole<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    item: &Item<'_, H>,
) -> Result<(), Error> {
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Translated(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Thought(_, text) => {
            reasoning::write(w, text);
            return Ok(());
        }
        Said::Call(call) => match call.form {
            Some(form) => forms::write::call(w, item, call, form)?,
            None => self::call(w, item, call)?,
        },
        Said::Result(outcome) => {
            let form = outcome.form;
            if !form.map_or(Ok(false), |form| forms::write::answer(w, item, outcome, form))? {
                output(w, item, outcome)?;
            }
        }
        _ => return Ok(()),
    }
    if let Some((_, id, input)) = message.id(&w.p.target) {
        w.out.key(&k::ID);
        w.out.scope(input);
        w.out.text(id);
    }
    w.out.scope(item.input);
    provide(w, item.provided.as_ref().map_or(&[], |keys| keys));
    match &item.said {
        Said::Result(_) if is_custom(w, item) => w.item_extras_but(item, &k::STATUS),
        _ => w.item_extras(item),
    }
    w.out.close();
    Ok(())
}

/// Begins a call; the caller closes it.
fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    let free = is_free(w.p.target.limits, call.custom);
    let (kind, args) = if free { (&k::CUSTOM_TOOL_CALL, &k::INPUT) } else { (&k::FUNCTION_CALL, &k::ARGUMENTS) };
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
    w.out.key(&k::CALL_ID);
    w.id(item, &call.id);
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    if let Some(namespace) = call.namespace.as_deref() {
        w.out.key(&k::NAMESPACE);
        w.out.text(namespace);
    }
    w.out.key(args);
    w.args(item, call)
}

/// Begins an output; the caller closes it.
fn output<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let custom = is_custom(w, item);
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(if custom { &k::CUSTOM_TOOL_CALL_OUTPUT } else { &k::FUNCTION_CALL_OUTPUT });
    // An output of a function may name no call. With an id of its own it would name one that is not there.
    let calls = |(turn, place)| w.p.links.call(turn, place).is_some();
    let unnamed = item.own && !custom && outcome.result.id.is_empty() && !calls(item.site);
    if !unnamed {
        w.out.key(&k::CALL_ID);
        w.id(item, &outcome.result.id);
    }
    if let Some(name) = outcome.result.name.as_deref().filter(|_| item.own) {
        w.out.key(&k::NAME);
        w.out.text(name);
    } else {
        w.result_name_lost(item, outcome.result)?;
    }
    w.out.key(&k::OUTPUT);
    match (outcome.items.as_slice(), outcome.alone()) {
        ([], _) => w.out.pieces(&[Piece::Str(outcome.prefix)]),
        (_, Some(one)) if one.cached.is_none() => text(w, one, outcome.prefix)?,
        (several, _) => {
            w.out.open_list();
            let mut prefix = outcome.prefix;
            if !prefix.is_empty() && several.first().is_some_and(|one| !is_text(one)) {
                open(w, &k::INPUT_TEXT);
                w.out.key(&k::TEXT);
                w.out.pieces(&[Piece::Str(prefix)]);
                w.out.close();
                prefix = "";
            }
            for one in several {
                part(w, one, prefix, false)?;
                prefix = "";
            }
            w.out.close();
        }
    }
    Ok(())
}

/// Whether an output answers a custom call. Its call decides, or if the server has the call, the output's own type.
fn is_custom<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>, item: &Item<'_, H>) -> bool {
    let (turn, part) = item.site;
    if let Some((call, _)) = w.p.links.call(turn, part) {
        return is_free(w.p.target.limits, call.custom);
    }
    let turn = w.p.conversation.turns.get(turn).filter(|_| item.own);
    matches!(turn.and_then(|turn| turn.parts.get(part)).map(|part| &part.kind), Some(Kind::Result(result)) if result.custom)
}

/// Whether a part is text, and may begin with the error prefix.
fn is_text<H: Host>(item: &Item<'_, H>) -> bool {
    !matches!(item.said, Said::Media(_) | Said::Origin(_))
}

/// Writes the text of an item alone.
fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, prefix: &str) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::MovedMedia(result) => {
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        Said::Json(raw) | Said::JsonText(raw) if prefix.is_empty() => w.out.raw_as_text(raw),
        Said::Json(raw) | Said::JsonText(raw) => {
            let json = w.p.json_of(raw, item.input)?;
            w.out.pieces(&[Piece::Str(prefix), Piece::Str(&json)]);
        }
        _ => match item.text() {
            Some(text) if prefix.is_empty() => w.out.text(text),
            Some(text) => w.out.pieces(&[Piece::Str(prefix), Piece::Text(text)]),
            None => w.out.literal(&k::EMPTY),
        },
    }
    Ok(())
}

pub(super) fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}
