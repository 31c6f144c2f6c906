//! Reads and writes a tool's output: `{"type", "value"}`. Its type says whether the tool failed, and whether it is text, JSON
//! or several parts.

use super::{
    keys as k,
    media::{self, Rest},
};
use crate::{
    model::{Content, DENIED_CALL, Flaw, Inner, Kind, Part, Parts, ToolResult, flaw},
    report::{Edit, Error, Place, Trail},
    rules::{MediaClass, value_rule::member},
    value::{Host, Key, NodeKind, Piece, Sink, Source, Text, Value},
    wire::{
        plan::{Item, Outcome, Said, Shown, ShownData},
        read::{
            Keys,
            keys::{each_part, placed, wrong_type},
        },
        write::{Writer, single_text},
    },
};

pub(super) static OLD: Flaw = Flaw::unsure("newer versions of the SDK read `input` and `output`");
static NO_OUTPUT: Flaw = Flaw::refused("an output must say of which type it is, and hold its value");

/// The path of an output's value.
const PLACE: &str = "output.value";

/// A result, the unknown keys of its output, and its flaw.
type Given<H> = (ToolResult<H>, Rest<H>, Option<&'static Flaw>);

/// Reads a result. Version 4 has the bare value under another key.
pub(super) fn read<S: Source>(keys: &mut Keys<'_, S>) -> Result<Given<S::H>, Error> {
    let (id, name) = (keys.needed_text(&k::TOOL_CALL_ID)?, keys.text(&k::TOOL_NAME)?);
    let unnamed = name.is_none().then_some(&flaw::NO_RESULT_NAME);
    let made = |content, error| {
        let name = name.map(Box::new);
        ToolResult { id, made_up_id: false, name, content, error, synthetic: false, custom: false, form: None }
    };
    let Some(node) = keys.some(&k::OUTPUT) else {
        let value = keys.needed(&k::RESULT)?;
        let error = keys.flag(&k::IS_ERROR);
        let content = match value.text() {
            Some(text) => Content::Text(text),
            None => Content::blocks([Part::at(Place::key(k::RESULT.name), Kind::Json(value.raw()))]),
        };
        return Ok((made(content, error), None, Some(&OLD)));
    };
    let at = keys.at.key(k::OUTPUT.name);
    let mut output = Keys::of(&node, &at)?;
    let kind = output.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let json = |value: &S| Content::blocks([Part::at(Place::key(PLACE), Kind::Json(value.raw()))]);
    let (content, error, flaw) = match word.as_deref() {
        Some(kind @ ("text" | "error-text")) => {
            let value = output.needed(&k::VALUE)?;
            let flaw = value.text().is_none().then_some(&NO_OUTPUT);
            (value.text().map_or_else(|| json(&value), Content::Text), kind == k::ERROR_TEXT.name, flaw)
        }
        Some(kind @ ("json" | "error-json")) => {
            // `null` is a value too.
            let value = output.take(&k::VALUE);
            let content = value.as_ref().map_or(Content::Absent, json);
            (content, kind == k::ERROR_JSON.name, value.is_none().then_some(&NO_OUTPUT))
        }
        Some("execution-denied") => (Content::Text(reason_or_default(output.text(&k::REASON)?)), false, None),
        Some("content") => (Content::blocks(parts(&output.needed(&k::VALUE)?, &at.key(k::VALUE.name))?), false, None),
        // The whole output is the value, its keys included.
        _ => return Ok((made(json(&node), false), None, Some(&NO_OUTPUT))),
    };
    Ok((made(content, error), Inner::of(k::OUTPUT.name, output.extras()), flaw.or(unnamed)))
}

/// What the model gets to know of a call that the user denied.
pub(in crate::dialects) fn reason_or_default<H: Host>(reason: Option<Text<H>>) -> Text<H> {
    reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| Text::own(DENIED_CALL))
}

/// Reads the parts of an output, whose names differ between versions.
fn parts<S: Source>(node: &S, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a list", node, at));
    }
    each_part(node, PLACE, at, part)
}

fn part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let mut rest = None;
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&k::TEXT)?)),
        Some("media" | "file-data" | "file") => media::read(&mut keys, &k::DATA, None, &mut rest)?,
        Some("image-data") => media::read(&mut keys, &k::DATA, Some(MediaClass::Image), &mut rest)?,
        Some("file-url") => media::read(&mut keys, &k::URL, None, &mut rest)?,
        Some("image-url") => media::read(&mut keys, &k::URL, Some(MediaClass::Image), &mut rest)?,
        _ => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("part").into()), element, place);
    if let Some(kind) = kind {
        made.kind = kind;
        made.extras = keys.extras();
        made.inner = rest;
    }
    Ok(made)
}

/// Writes an output, except for its end.
pub(super) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let failed = outcome.result.error;
    let said: Vec<_> = outcome.items.iter().collect();
    if let Some(reasoned) = denial(item) {
        open(w, &k::DENIED);
        if reasoned && !said.is_empty() {
            w.out.key(&k::REASON);
            single_text::write(w, "", &said)?;
        }
        return Ok(());
    }
    match said.as_slice() {
        [one] if matches!(one.said, Said::Json(_)) && !one.was_listed() => {
            open(w, if failed { &k::ERROR_JSON } else { &k::JSON });
            w.out.key(&k::VALUE);
            w.out.scope(one.input);
            if let Said::Json(raw) = &one.said {
                w.out.sound(raw);
            }
        }
        [] | [_] if failed || outcome.items.is_empty() || outcome.alone().is_some() => {
            open(w, if failed { &k::ERROR_TEXT } else { &k::TEXT });
            w.out.key(&k::VALUE);
            single_text::write(w, "", &said)?;
        }
        several if failed => {
            open(w, &k::ERROR_TEXT);
            w.out.key(&k::VALUE);
            for item in several.iter().skip(1) {
                let reason = "what a failed tool says is one text: a line each";
                w.p.losses.changed(Edit::Joined, w.p.path_of(item), reason);
            }
            single_text::write(w, "", several)?;
        }
        several => {
            open(w, &k::CONTENT);
            w.out.key(&k::VALUE);
            w.out.open_list();
            several.iter().try_for_each(|one| content(w, one))?;
            w.out.close();
        }
    }
    Ok(())
}

/// Whether a part of the SDK's own says that the user denied the call: as its output, or as an answer to a request for
/// approval. If it does, whether it says why.
fn denial<H: Host>(item: &Item<'_, H>) -> Option<bool> {
    let origin = item.part.filter(|_| item.own)?.origin.as_ref()?.to_value(item.input).ok()?;
    let Value::Map(entries) = &origin else { return None };
    let word = |entries: &[_], key: &Key| match member(entries, key.name) {
        Some(Value::Text(word)) => Some(word.to_str(None).into_owned()),
        _ => None,
    };
    let said = match (word(entries, &k::TYPE).as_deref(), member(entries, k::OUTPUT.name)) {
        (Some(kind), _) if kind == k::APPROVAL_RESPONSE.name => entries,
        (_, Some(Value::Map(output))) if word(output, &k::TYPE).as_deref() == Some(k::DENIED.name) => output,
        _ => return None,
    };
    Some(word(said, &k::REASON).is_some_and(|reason| !reason.is_empty()))
}

/// One part of an output.
fn content<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Media(shown) => media(w, item, shown)?,
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

/// Begins a part of media in an output; the caller closes it.
fn media<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    shown: &Shown<'_, H>,
) -> Result<(), Error> {
    let address = matches!(shown.data, ShownData::Url(..));
    open(w, if address { &k::FILE_URL } else { &k::FILE_DATA });
    file(w, item, shown, if address { &k::URL } else { &k::DATA })
}

/// Writes data or a URL under this key, and its type. The keys of an object around them have no place.
pub(super) fn file<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    shown: &Shown<'_, H>,
    key: &'static Key,
) -> Result<(), Error> {
    w.out.key(key);
    let mime = match &shown.data {
        ShownData::Base64 { mime, data, .. } => {
            w.out.text(data);
            mime.clone()
        }
        // The limits row sends a document's text as bytes and allows no files, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => {
            w.out.text(words);
            "text/plain".into()
        }
        ShownData::Url(url, _) => {
            w.out.text(url);
            item.type_of_address().map_or_else(|| any_of(shown.class).into(), |mime| mime.into_owned().into())
        }
    };
    w.out.key(&k::MEDIA_TYPE);
    w.out.pieces(&[Piece::Str(&mime)]);
    if let Some(name) = &shown.name {
        w.out.key(&k::FILENAME);
        w.out.text(name);
    }
    let path = w.p.path_of(item);
    w.p.extras_lost(item.inner_extras(), item.input, &|| path.clone())
}

/// A media type for media whose type is unknown. Providers accept `image/*` for any image.
pub(in crate::dialects) fn any_of(class: MediaClass) -> &'static str {
    match class {
        MediaClass::Image => "image/*",
        MediaClass::Audio => "audio/*",
        MediaClass::Video => "video/*",
        MediaClass::Document => "application/octet-stream",
    }
}

pub(super) fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}
