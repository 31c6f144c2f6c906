//! Writes Gemini contents and system text.

use super::keys as k;
use super::{Gemini, RESULT_KEYS, read::is_signature, tools};
use crate::{
    model::{Call, Choice, Content, MOVED_MEDIA, Role, Tool},
    report::{Error, Path},
    value::{Host, Key, Piece, Sink, Tree, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::{SystemText, Writer},
    },
};

impl Write for Gemini {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        w.out.open_map();
        w.out.key(&k::ROLE);
        w.out.literal(if message.role == Role::Assistant { &k::MODEL } else { &k::USER });
        w.out.key(&k::PARTS);
        w.out.open_list();
        for item in &message.items {
            w.out.scope(item.input);
            part(w, item)?;
        }
        w.out.close();
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
        system(w, texts);
    }
    fn write_tools<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        tools: &[(usize, &Tool<H>)],
    ) -> Result<(), Error> {
        tools::write(w, tools)
    }
    fn write_tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
        tools::declaration(w, tool, at)
    }
    fn write_choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, choice: &Choice<H>) {
        tools::write_choice(w, choice);
    }
}

fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    if let Some(raw) = item.whole() {
        w.out.raw(raw);
        return Ok(());
    }
    w.out.open_map();
    match &item.said {
        Said::Call(call) => {
            w.out.key(&k::FUNCTION_CALL);
            self::call(w, item, call)?;
        }
        Said::Result(outcome) => {
            w.out.key(&k::FUNCTION_RESPONSE);
            result(w, item, outcome)?;
        }
        Said::Media(shown) => media(w, item, shown),
        _ => {
            w.out.key(&k::TEXT);
            text(w, item);
        }
    }
    if let Some(signature) = &item.signature {
        w.out.key(&k::THOUGHT_SIGNATURE);
        w.out.text(signature);
    }
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Writes the text of an item.
fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    match (&item.said, item.text()) {
        (_, Some(words)) => w.out.text(words),
        (Said::Json(raw) | Said::JsonText(raw), _) => w.json_text(raw, item.input),
        (Said::MovedMedia(result), _) => {
            // Without ids, the name pairs a result with its call.
            let name = result.name.as_deref().filter(|_| result.made_up_id);
            let id = name.unwrap_or_else(|| w.p.id_of(item, &result.id)).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => w.out.pieces(&[]),
    }
}

/// `{"id"?, "name", "args"}`
fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    w.out.open_map();
    if has_id(call) {
        w.out.key(&k::ID);
        w.id(item, &call.id);
    }
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::ARGS);
    w.args(item, call)?;
    w.inner_extras(item);
    w.out.close();
    Ok(())
}

fn has_id<H: Host>(call: &Call<H>) -> bool {
    !call.made_up_id && !call.id.is_empty()
}

/// `{"id"?, "name", "response", "parts"?}`
fn result<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let result = outcome.result;
    let call = w.p.links.call(item.site.0, item.site.1);
    w.out.open_map();
    if call.map_or(!result.made_up_id && !result.id.is_empty(), |(call, _)| has_id(call)) {
        w.out.key(&k::ID);
        w.id(item, &result.id);
    }
    w.out.key(&k::NAME);
    w.write_result_name(item, result);
    w.out.scope(item.input);
    w.out.key(&k::RESPONSE);
    response(w, item, outcome)?;
    let mut parts = outcome.items.iter().filter(|item| is_part(item)).peekable();
    if parts.peek().is_some() {
        w.out.key(&k::PARTS);
        w.out.open_list();
        parts.try_for_each(|one| part(w, one))?;
        w.out.close();
    }
    w.inner_extras(item);
    w.out.close();
    Ok(())
}

/// Whether an item of a result belongs to the list of its parts.
fn is_part<H: Host>(item: &Item<'_, H>) -> bool {
    matches!(item.said, Said::Media(_) | Said::Origin(_))
}

/// Writes the tool's answer: an object unchanged, no answer as `{}`, any other value under `result`, or under `error`
/// if it failed.
fn response<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let failed = outcome.result.error;
    let key: &'static Key = if failed { &k::ERROR } else { &k::RESULT };
    let said: Vec<_> = outcome.items.iter().filter(|item| !is_part(item)).collect();
    match said.as_slice() {
        [Item { said: Said::Json(raw), input, .. }] => {
            let value = raw.to_value(*input)?;
            let says = || RESULT_KEYS.value_of(&Tree(&value));
            if matches!(value, Value::Map(_)) && matches!(says(), (None, same) if same == failed) {
                w.out.sound(raw);
                return Ok(());
            }
            if !failed && matches!(value, Value::Null) {
                w.out.open_map();
                w.out.close();
                return Ok(());
            }
            under(w, key, |w| {
                // A reader would take these values for a success.
                if failed && matches!(value, Value::Null | Value::Bool(false)) {
                    w.out.raw_as_text(raw);
                } else {
                    w.out.sound(raw);
                }
            });
        }
        [Item { said: Said::Object(raw), .. }] => w.out.raw(raw),
        // The result is empty or has only media.
        [] if !failed && !matches!(outcome.result.content, Content::Text(_)) => {
            w.out.open_map();
            w.out.close();
        }
        [one] => under(w, key, |w| text(w, one)),
        several => {
            let json = |one: &&Item<'_, H>, w: &mut Writer<'_, '_, H, K>| match &one.said {
                Said::Json(raw) | Said::JsonText(raw) => w.p.json_of(raw, one.input).map(Some),
                _ => Ok(None),
            };
            let values: Vec<_> = several.iter().map(|one| json(one, w)).collect::<Result<_, _>>()?;
            let mut pieces = Vec::with_capacity(2 * several.len());
            for (at, (one, value)) in several.iter().zip(&values).enumerate() {
                pieces.extend((at > 0).then_some(Piece::Str("\n")));
                pieces.extend(value.as_deref().map(Piece::Str));
                pieces.extend(one.text().map(Piece::Text));
            }
            under(w, key, |w| w.out.pieces(&pieces));
        }
    }
    w.out.scope(item.input);
    Ok(())
}

/// An object with this one key.
fn under<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    key: &'static Key,
    write: impl FnOnce(&mut Writer<'_, '_, H, K>),
) {
    w.out.open_map();
    w.out.key(key);
    write(w);
    w.out.close();
}

/// `"inlineData": {"mimeType", "data", "displayName"?}` or `"fileData": {"mimeType", "fileUri", "displayName"?}`
fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    let mut mime_type = |key: &'static Key, mime: &str| {
        w.out.key(key);
        w.out.open_map();
        w.out.key(&k::MIME_TYPE);
        w.out.pieces(&[Piece::Str(mime)]);
    };
    match &shown.data {
        ShownData::Base64 { mime, data, .. } => {
            mime_type(&k::INLINE_DATA, mime);
            w.out.key(&k::DATA);
            w.out.text(data);
        }
        // The limits row sends a document's text as bytes, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => {
            mime_type(&k::INLINE_DATA, "text/plain");
            w.out.key(&k::DATA);
            w.out.text(words);
        }
        ShownData::Url(words, mime) => {
            mime_type(&k::FILE_DATA, mime.as_deref().unwrap_or_default());
            w.out.key(&k::FILE_URI);
            w.out.text(words);
        }
    }
    if let Some(name) = &shown.name {
        w.out.key(&k::DISPLAY_NAME);
        w.out.text(name);
    }
    w.inner_extras(item);
    w.out.close();
}

/// `{"parts": [{"text"}, …]}`
pub(super) fn system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
    w.out.open_map();
    w.out.key(&k::PARTS);
    w.out.open_list();
    for SystemText { text, input, origin, extras, .. } in texts {
        w.out.scope(*input);
        if let Some(raw) = origin {
            w.out.raw(raw);
            continue;
        }
        w.out.open_map();
        w.out.key(&k::TEXT);
        w.out.text(text);
        // The loss of its signature is already reported.
        for (key, raw) in extras.iter().flat_map(|extras| extras.iter()).filter(|(key, _)| !is_signature(key, *input)) {
            w.out.key_text(key);
            w.out.raw(raw);
        }
        w.out.close();
    }
    w.out.close();
    let frame = w.p.conversation.frame;
    let beside = frame.system.as_ref().filter(|_| frame.from.same_wire(w.p.target.id));
    if let Some(extras) = beside.and_then(|system| system.extras.as_deref()) {
        w.out.scope(frame.input.as_ref());
        w.write_extras(extras);
    }
    w.out.close();
}
