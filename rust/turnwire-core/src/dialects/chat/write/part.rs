//! Writes the parts of a list of content.

use super::super::keys as k;
use super::text::text;
use crate::{
    dialects::chat::member::Writes,
    report::Error,
    value::{Host, Key, Piece, Sink},
    wire::{
        plan::{Item, Said, Shown, ShownData},
        write::Writer,
    },
};

/// Writes a list of parts.
pub(crate) fn parts<'i, 'a: 'i, H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
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
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
) -> Result<(), Error> {
    w.out.scope(item.input);
    if let Some(raw) = item.whole() {
        w.out.raw(raw);
        return Ok(());
    }
    match &item.said {
        Said::Media(shown) => (writes.media)(w, item, shown),
        Said::Json(raw) if prefix.is_empty() => (writes.value)(w, item, raw)?,
        Said::Refusal(words) => {
            open(w, &k::REFUSAL);
            w.out.text(words);
        }
        _ => text_part(w, item, prefix)?,
    }
    w.part_mark(item);
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a part of text; the caller closes it.
pub(crate) fn text_part<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    prefix: &str,
) -> Result<(), Error> {
    open(w, &k::TEXT);
    text(w, item, prefix)
}

/// `{"type": kind, kind: …`
pub(crate) fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
    w.out.key(kind);
}

/// Begins a part of an image; the caller closes it.
pub(crate) fn image<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    by_url(w, item, shown, &k::IMAGE_URL);
}

/// Begins a part of media under this key; the caller closes it.
pub(crate) fn by_url<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    shown: &Shown<'_, H>,
    key: &'static Key,
) {
    open(w, key);
    w.out.open_map();
    w.out.key(&k::URL);
    address(w, shown);
    if let Some(detail) = &shown.detail {
        w.out.key(&k::DETAIL);
        w.out.raw(detail);
    }
    w.inner_extras(item);
    w.out.close();
}

/// Writes the URL of media, or their data as a `data:` URL.
pub(crate) fn address<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, shown: &Shown<'_, H>) {
    match &shown.data {
        ShownData::Base64 { url: Some(url), .. } => w.out.text(url),
        ShownData::Base64 { mime, data, .. } => {
            w.out.pieces(&[Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)]);
        }
        ShownData::Url(words, _) => w.out.text(words),
        ShownData::Plain(words) | ShownData::File(words) => w.out.text(words),
    }
}
