//! Reads and writes images, documents, video and audio of Converse.

use super::keys as k;
use super::{
    block_rules::{CITED, FILMS, PAPERS, PICTURES, SOUNDS, THREE_GP, is_bucket},
    part::{Inside, ReadPart},
};
use crate::{
    model::{
        Flaw, Kind, Media, MediaData, Texts,
        file_type::{extension_of, type_by_name},
    },
    report::{Error, Path, Trail},
    rules::{MediaClass, passage::lines},
    value::{Host, Key, NodeKind, Piece, Sink, Source, Text},
    wire::{
        plan::{Item, Shown, ShownData},
        read::{
            Keys,
            keys::{keys_beside, wrong_type},
        },
        write::Writer,
    },
};

/// The service's names of formats, by kind.
fn formats(class: MediaClass) -> &'static [&'static str] {
    match class {
        MediaClass::Image => PICTURES,
        MediaClass::Document => PAPERS,
        MediaClass::Video => FILMS,
        MediaClass::Audio => SOUNDS,
    }
}

static FORMAT_WORD: Flaw = Flaw::refused("the target does not know this format");
static SOURCES: Flaw = Flaw::refused("media come from one place");
static NO_CITATIONS: Flaw = Flaw::refused("citations are enabled or not");

/// The key of a block of this kind.
fn key_of(class: MediaClass) -> &'static Key {
    match class {
        MediaClass::Image => &k::IMAGE,
        MediaClass::Document => &k::DOCUMENT,
        MediaClass::Video => &k::VIDEO,
        MediaClass::Audio => &k::AUDIO,
    }
}

/// Where the source of a block of this kind is.
fn in_source(class: MediaClass) -> &'static str {
    match class {
        MediaClass::Image => "image.source",
        MediaClass::Document => "document.source",
        MediaClass::Video => "video.source",
        MediaClass::Audio => "audio.source",
    }
}

/// Where the place of the file is.
fn in_place(class: MediaClass) -> &'static str {
    match class {
        MediaClass::Image => "image.source.s3Location",
        MediaClass::Document => "document.source.s3Location",
        MediaClass::Video => "video.source.s3Location",
        MediaClass::Audio => "audio.source.s3Location",
    }
}

/// Every kind with its key.
pub(super) fn classes() -> impl Iterator<Item = (MediaClass, &'static Key)> {
    let all = [MediaClass::Image, MediaClass::Document, MediaClass::Video, MediaClass::Audio];
    all.into_iter().map(|class| (class, key_of(class)))
}

/// `{"format", "name"?, "source": {"bytes"} | {"s3Location"} | {"text"} | {"content"}}`; another source stays opaque.
pub(super) fn read<S: Source>(node: &S, class: MediaClass, at: &Trail<'_>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let format = keys.text(&k::FORMAT)?;
    let name = if class == MediaClass::Document { keys.text(&k::NAME)? } else { None };
    // An image may hold only a report of an error.
    let Some(source) = keys.some(&k::SOURCE) else { return Ok(None) };
    let source_at = at.key(k::SOURCE.name);
    let mut inner = Keys::of(&source, &source_at)?;
    let block = key_of(class).name;
    let known = |format: &Text<S::H>| formats(class).iter().any(|known| format.is(known, node.input()));
    let wanted = class != MediaClass::Document;
    let spelled = format.as_ref().map_or(!wanted, known);
    let cites = class == MediaClass::Document
        && node.get(&k::CITATIONS).is_some_and(|citations| !CITED.allows_raw(&citations.raw(), node.input()));
    let flaws = [(!spelled).then_some(&FORMAT_WORD), cites.then_some(&NO_CITATIONS)];
    inside.flaw = flaws.into_iter().flatten().next();
    let data = if let Some(bytes) = inner.some(&k::BYTES) {
        blob(&bytes, &source_at.key(k::BYTES.name))?
    } else if let Some(place) = inner.some(&k::S3_LOCATION) {
        let place_at = source_at.key(k::S3_LOCATION.name);
        let mut s3 = Keys::of(&place, &place_at)?;
        let uri = s3.needed_text(&k::URI)?;
        // Such a bucket cannot exist, so no server can read from it.
        if uri.starts_with("s3://", node.input()) && !is_bucket(&uri.to_str(node.input())) {
            return Ok(None);
        }
        inside.add_at(in_place(class), block, s3);
        MediaData::Url(uri)
    } else if let Some(text) = inner.text(&k::TEXT)? {
        MediaData::Plain(text)
    } else if let Some(texts) = inner.some(&k::CONTENT).and_then(|list| texts(&list)) {
        MediaData::Texts(Box::new(texts))
    } else {
        return Ok(None);
    };
    let mime = format.map(|format| {
        let format = format.to_str(node.input());
        let extension = if format == THREE_GP.0 { THREE_GP.1 } else { &*format };
        match type_by_name(class, extension) {
            Some(mime) => Text::own(mime),
            None => Text::own(&format!("{}/{format}", class.name())),
        }
    });
    // Only the first source key is read, and only that one is written. The others stay unknown keys, so that other formats
    // report them as lost.
    let others: &[&'static Key] = match data {
        MediaData::Url(_) => &[&k::TEXT],
        MediaData::Plain(_) | MediaData::Texts(_) => &[],
        _ => &[&k::S3_LOCATION, &k::TEXT],
    };
    let says = |key: &&'static Key| source.get(key).is_some_and(|node| node.kind() != NodeKind::Null);
    inside.flaw = inside.flaw.or(others.iter().any(says).then_some(&SOURCES));
    inside.add_at(in_source(class), block, inner);
    inside.add_at(block, block, keys);
    Ok(Some(Kind::Media(Media { class, mime, data, name })))
}

/// The texts that a document is made of. `None` if there is anything else, or nothing.
fn texts<S: Source>(list: &S) -> Option<Texts<S::H>> {
    let text = |item: S| item.get(&k::TEXT)?.text();
    let each = list.items().map(text).collect::<Option<Vec<_>>>().filter(|each| !each.is_empty())?;
    let keys = list.items().flat_map(|item| keys_beside(&item, &[&k::TEXT])).collect();
    Some(Texts { whole: lines(&each, list.input()), each, has_images: false, images: Vec::new(), keys })
}

/// Base64 text, or bytes where a host has them.
fn blob<S: Source>(node: &S, at: &Trail<'_>) -> Result<MediaData<S::H>, Error> {
    match node.text() {
        Some(data) => Ok(MediaData::Base64(data)),
        None if node.kind() == NodeKind::Blob => Ok(MediaData::Bytes(node.raw())),
        None => Err(wrong_type("base64 text or bytes", node, at)),
    }
}

/// Writes the other keys of a block. Another source has no place, nor have a document's citations that are those of an answer.
pub(super) fn beside<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    class: MediaClass,
) -> Result<(), Error> {
    let inner = item.part.and_then(|part| part.inner.as_ref());
    let path = inner.map_or_else(Path::default, |inner| inner.path(w.p.path_of(item)));
    let extras = item.inner_extras().map_or(&[][..], Vec::as_slice);
    for (at, (key, raw)) in extras.iter().enumerate() {
        let source = [&k::BYTES, &k::S3_LOCATION, &k::TEXT].iter().any(|known| key.is(known.name, item.input));
        let cites = class == MediaClass::Document && key.is(k::CITATIONS.name, item.input);
        // The keys of inner objects are written here, where the block has the first two itself.
        let named = || class == MediaClass::Document && key.is(k::NAME.name, item.input);
        let written = [&k::FORMAT, &k::SOURCE].iter().any(|known| key.is(known.name, item.input)) || named();
        let twice = || extras[..at].iter().any(|(before, _)| before.wtf8(item.input) == key.wtf8(item.input));
        if source || written || twice() || cites && !CITED.allows_raw(raw, item.input) {
            w.p.extra_lost((key, raw), item.input, &|| path.clone())?;
        } else {
            w.out.key_text(key);
            w.out.raw(raw);
        }
    }
    Ok(())
}

/// Writes `{"image": {…}}` and the like, with the other keys in `inside`.
pub(super) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    shown: &Shown<'_, H>,
    inside: impl FnOnce(&mut Writer<'_, '_, H, K>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mime = match &shown.data {
        ShownData::Base64 { mime, .. } => Some(mime),
        ShownData::Url(_, mime) => mime.as_ref(),
        ShownData::Plain(_) | ShownData::File(_) => None,
    };
    w.out.key(key_of(shown.class));
    w.out.open_map();
    if let Some(format) = mime.and_then(|mime| extension_of(shown.class, mime)) {
        let format = if format == THREE_GP.1 { THREE_GP.0 } else { format };
        w.out.key(&k::FORMAT);
        w.out.pieces(&[Piece::Str(format)]);
    }
    // Only a document has a name: the plan reports that of others.
    if let Some(name) = shown.name.as_ref().filter(|_| shown.class == MediaClass::Document) {
        w.out.key(&k::NAME);
        w.out.text(name);
    }
    w.out.key(&k::SOURCE);
    w.out.open_map();
    match &shown.data {
        ShownData::Base64 { data, bytes, .. } => {
            w.out.key(&k::BYTES);
            match bytes {
                _ if !w.p.target.options.raw_blobs => w.out.text(data),
                Some(same) => w.out.raw(same),
                None => w.out.text_as_blob(data),
            }
        }
        ShownData::Url(url, _) => {
            w.out.key(&k::S3_LOCATION);
            w.out.open_map();
            w.out.key(&k::URI);
            w.out.text(url);
            w.out.close();
        }
        ShownData::Plain(_) if shown.texts.is_some() => {
            w.out.key(&k::CONTENT);
            w.out.open_list();
            for text in shown.texts.into_iter().flatten() {
                w.out.open_map();
                w.out.key(&k::TEXT);
                w.out.text(text);
                w.out.close();
            }
            w.out.close();
        }
        ShownData::Plain(words) | ShownData::File(words) => {
            w.out.key(&k::TEXT);
            w.out.text(words);
        }
    }
    w.out.close();
    for (key, raw) in &shown.beside {
        w.out.key_text(&Text::own(key));
        w.out.sound(raw);
    }
    inside(w)?;
    w.out.close();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::LIMITS, *};

    #[test]
    fn every_type_that_is_taken_has_a_format() {
        for (class, _) in classes() {
            for mime in LIMITS.media.types(class) {
                let extension = extension_of(class, mime);
                assert!(extension.is_some_and(|extension| type_by_name(class, extension).is_some()), "{mime}");
            }
        }
    }
}
