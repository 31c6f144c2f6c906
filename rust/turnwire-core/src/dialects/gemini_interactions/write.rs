//! Writes steps: a message becomes one step for its content, and one for each call and each result.

use super::{GeminiInteractions, keys as k, tools};
use crate::{
    model::{Call, Choice, Kind, MOVED_MEDIA, Part, Role, Tool},
    report::{Error, Path},
    rules::MediaClass,
    value::{Host, Key, Piece, Sink},
    wire::{
        format::Write,
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::{SystemText, Writer, system},
    },
};

impl Write for GeminiInteractions {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let mut rest = message.items.as_slice();
        // The first step with content gets the turn's own extras.
        let mut first = true;
        if rest.is_empty() {
            said(w, message, &[], first);
            return Ok(());
        }
        while let [item, ..] = rest {
            let count = rest.iter().take_while(|item| is_content(item)).count().max(1);
            let (now, later) = rest.split_at(count);
            w.s.provenance.sources.push(message.sources_of(now));
            w.out.scope(item.input);
            if is_content(item) {
                said(w, message, now, first);
                first = false;
            } else {
                whole(w, item)?;
            }
            rest = later;
        }
        if first { w.p.message_extras_lost(message) } else { Ok(()) }
    }
    /// Writes all system text as one text, each part on its own line.
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

/// Whether an item belongs to the content of a step. All others are separate steps.
fn is_content<H: Host>(item: &Item<'_, H>) -> bool {
    match &item.said {
        Said::Call(_) | Said::Result(_) => false,
        Said::Origin(_) => item.part.is_some_and(|part| part.place.key == Some(k::CONTENT.name) && !is_step(part)),
        _ => true,
    }
}

/// Whether a content of the API before May 2026 is a step now: a thought, or a call or result of the server.
fn is_step<H: Host>(part: &Part<H>) -> bool {
    match &part.kind {
        Kind::Reasoning(_) => true,
        Kind::Opaque(name) => {
            let name = name.to_str(None);
            name.ends_with("_call") || name.ends_with("_result")
        }
        _ => false,
    }
}

fn said<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
    items: &[Item<'_, H>],
    first: bool,
) {
    open(w, if message.role == Role::Assistant { &k::MODEL_OUTPUT } else { &k::USER_INPUT });
    w.out.key(&k::CONTENT);
    w.out.open_list();
    for item in items {
        content(w, item);
    }
    w.out.close();
    if first {
        w.message_extras(message);
    }
    w.out.close();
}

/// Writes an item as a separate step.
fn whole<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Call(call) => self::call(w, item, call)?,
        Said::Result(outcome) => result(w, item, outcome),
        _ => return Ok(()),
    }
    w.out.scope(item.input);
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a call; the caller closes it.
fn call<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, call: &Call<H>) -> Result<(), Error> {
    open(w, &k::FUNCTION_CALL);
    w.out.key(&k::ID);
    w.id(item, &call.id);
    w.out.key(&k::NAME);
    w.out.text(&call.name);
    w.out.key(&k::ARGUMENTS);
    w.args(item, call)
}

/// Begins a result; the caller closes it.
fn result<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, outcome: &Outcome<'_, H>) {
    open(w, &k::FUNCTION_RESULT);
    w.out.key(&k::CALL_ID);
    w.id(item, &outcome.result.id);
    if let Some(name) = outcome.result.name.as_deref() {
        w.out.key(&k::NAME);
        w.out.text(name);
    }
    w.out.key(&k::RESULT);
    match (outcome.items.as_slice(), outcome.alone()) {
        ([], _) => w.out.literal(&k::EMPTY),
        (_, Some(Item { said: Said::Json(raw), input, .. })) => {
            w.out.scope(*input);
            w.out.raw(raw);
        }
        (_, Some(one)) => text(w, one),
        (several, None) => {
            w.out.open_list();
            for one in several {
                content(w, one);
            }
            w.out.close();
        }
    }
    if outcome.result.error {
        w.out.key(&k::IS_ERROR);
        w.out.bool(true);
    }
}

fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}

fn text<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    w.out.scope(item.input);
    match &item.said {
        Said::MovedMedia(result) => {
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        Said::Json(raw) | Said::JsonText(raw) => w.out.raw_as_text(raw),
        _ => match item.text() {
            Some(text) => w.out.text(text),
            None => w.out.literal(&k::EMPTY),
        },
    }
}

/// Writes one content of a step or a result.
fn content<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return;
        }
        Said::Media(shown) => media(w, shown),
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            text(w, item);
        }
    }
    w.item_extras(item);
    w.out.close();
}

/// Begins media; the caller closes them.
fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, shown: &Shown<'_, H>) {
    open(
        w,
        match shown.class {
            MediaClass::Image => &k::IMAGE,
            MediaClass::Audio => &k::AUDIO,
            MediaClass::Video => &k::VIDEO,
            MediaClass::Document => &k::DOCUMENT,
        },
    );
    match &shown.data {
        ShownData::Base64 { mime, data, .. } => {
            w.out.key(&k::MIME_TYPE);
            w.out.pieces(&[Piece::Str(mime)]);
            w.out.key(&k::DATA);
            w.out.text(data);
        }
        // The limits row sends plain text as bytes and allows no files, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => {
            w.out.key(&k::DATA);
            w.out.text(words);
        }
        ShownData::Url(url, mime) => {
            if let Some(mime) = mime {
                w.out.key(&k::MIME_TYPE);
                w.out.pieces(&[Piece::Str(mime)]);
            }
            w.out.key(&k::URI);
            w.out.text(url);
        }
    }
}
