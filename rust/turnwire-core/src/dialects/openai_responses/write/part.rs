//! Writes one part of a message or an output: a text, an image or a file.

use super::{super::keys as k, is_custom, open, text};
use crate::{
    model::Kind,
    report::{Edit, Error},
    rules::MediaClass,
    value::{Host, Piece, Sink, Text},
    wire::{
        plan::{Item, Said, Shown, ShownData},
        write::Writer,
    },
};

/// Writes the part.
pub(super) fn part<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
    assistant: bool,
) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Media(shown) => media(w, item, shown),
        _ => {
            open(w, if assistant { &k::OUTPUT_TEXT } else { &k::INPUT_TEXT });
            w.out.key(&k::TEXT);
            text(w, item, prefix)?;
            let has = |key: &Text<H>| key.is(k::ANNOTATIONS.name, item.input);
            if assistant && !item.extras().into_iter().flatten().any(|(key, _)| has(key)) {
                w.out.key(&k::ANNOTATIONS);
                w.out.open_list();
                w.out.close();
            }
        }
    }
    w.mark_key(item.cached);
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins an image or a file; the caller closes it.
fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    let image = shown.class == MediaClass::Image;
    open(w, if image { &k::INPUT_IMAGE } else { &k::INPUT_FILE });
    if let Some(name) = shown.name.as_ref().filter(|_| !image) {
        w.out.key(&k::FILENAME);
        w.out.text(name);
    }
    match &shown.data {
        ShownData::Base64 { mime, data, url, .. } => {
            w.out.key(if image { &k::IMAGE_URL } else { &k::FILE_DATA });
            match url {
                Some(url) => w.out.text(url),
                None => {
                    w.out.pieces(&[Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)]);
                }
            }
        }
        ShownData::Url(url, _) => {
            w.out.key(if image { &k::IMAGE_URL } else { &k::FILE_URL });
            w.out.text(url);
        }
        ShownData::File(id) => {
            w.out.key(&k::FILE_ID);
            w.out.text(id);
        }
        // The limits row sends plain text as text, so this does not occur.
        ShownData::Plain(words) => {
            w.out.key(&k::TEXT);
            w.out.text(words);
        }
    }
    if image {
        detail(w, item, shown);
    }
}

/// The SDK's type requires the detail of an image in a message.
fn detail<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    let has = |key: &Text<H>| key.is(k::DETAIL.name, item.input);
    if item.extras().into_iter().flatten().any(|(key, _)| has(key)) {
        return;
    }
    let in_result = item.part.is_some_and(|part| part.place.key == Some(k::OUTPUT.name)) || is_in_result(w, item);
    let in_result = in_result && !is_custom(w, item);
    match &shown.detail {
        Some(detail) => {
            w.out.key(&k::DETAIL);
            w.out.raw(detail);
        }
        None if in_result => {}
        None => {
            let path = w.p.path_of(item);
            w.p.losses.changed(Edit::StandIn, path, "the target requires the detail of an image");
            w.out.key(&k::DETAIL);
            w.out.literal(&k::AUTO);
        }
    }
}

/// Whether an item is a block of a result, which may lack this key.
fn is_in_result<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>, item: &Item<'_, H>) -> bool {
    let part = w.p.conversation.turns.get(item.site.0).and_then(|turn| turn.parts.get(item.site.1));
    part.is_some_and(|part| matches!(part.kind, Kind::Result(_)))
}
