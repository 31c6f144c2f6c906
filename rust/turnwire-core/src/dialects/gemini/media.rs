//! Reads media: by their bytes, or by their URL.

use super::keys as k;
use super::{
    part::{Beside, ReadPart, opaque},
    spelling::{either_text, left},
};
use crate::{
    model::{Flaw, Inner, Kind, Media, MediaData, Part},
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{Key, NodeKind, Source, Text},
    wire::read::{
        Keys,
        keys::{placed, wrong_type},
    },
};

static NO_TYPE: Flaw = Flaw::refused("data says of what type it is");

/// Reads media inside a result; other parts stay opaque.
pub(super) fn media_part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let (mut inner, mut flaw) = (None, None);
    let mut made = match media(&mut keys, (&mut inner, &mut flaw))? {
        Some(kind) => Part { extras: keys.extras(), ..placed(kind, element, place) },
        None => opaque(element, place),
    };
    (made.inner, made.flaw) = (inner, flaw);
    Ok(made)
}

/// Reads media by their bytes or their URL.
pub(super) fn media<S: Source>(keys: &mut Keys<'_, S>, beside: Beside<'_, S>) -> Result<Option<Kind<S::H>>, Error> {
    for key in [&k::INLINE_DATA, &k::INLINE_DATA_SNAKE] {
        if let Some(node) = keys.some(key) {
            let at = keys.at.key(key.name);
            let mut blob = Keys::of(&node, &at)?;
            let data = blob.needed(&k::DATA)?;
            let data = match data.text() {
                Some(text) => MediaData::Base64(text),
                None if data.kind() == NodeKind::Blob => MediaData::Bytes(data.raw()),
                None => return Err(wrong_type("base64 text or bytes", &data, &at.key(k::DATA.name))),
            };
            return described(blob, data, key, beside).map(Some);
        }
    }
    for key in [&k::FILE_DATA, &k::FILE_DATA_SNAKE] {
        if let Some(node) = keys.some(key) {
            let at = keys.at.key(key.name);
            let mut file = Keys::of(&node, &at)?;
            let uri =
                either_text(&mut file, &k::FILE_URI, &k::FILE_URI_SNAKE)?.ok_or_else(|| file.missing(&k::FILE_URI))?;
            let typed = [&k::MIME_TYPE, &k::MIME_TYPE_SNAKE].iter().any(|key| node.get(key).is_some());
            let public = typed && is_public(&uri.head(256, node.input()));
            let data = if public { MediaData::Url(uri) } else { MediaData::File(uri) };
            return described(file, data, key, beside).map(Some);
        }
    }
    Ok(None)
}

/// Whether other providers can fetch from this URL: not a file of the service, nor a video that only Google plays.
fn is_public(uri: &str) -> bool {
    let host = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"));
    let host = host.and_then(|rest| rest.split(['/', '?', ':']).next()).unwrap_or_default();
    let private = ["generativelanguage.googleapis.com", "youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be"];
    !host.is_empty() && !private.contains(&host)
}

fn described<S: Source>(
    mut keys: Keys<'_, S>,
    data: MediaData<S::H>,
    key: &'static Key,
    (inner, flaw): Beside<'_, S>,
) -> ReadPart<S> {
    let mime = either_text(&mut keys, &k::MIME_TYPE, &k::MIME_TYPE_SNAKE)?;
    let name = either_text(&mut keys, &k::DISPLAY_NAME, &k::DISPLAY_NAME_SNAKE)?;
    let class = MediaClass::of(mime.as_ref().map(|mime| mime.to_str(keys.node.input())).as_deref());
    let (extras, twice) = left(keys);
    let inline = [&k::INLINE_DATA, &k::INLINE_DATA_SNAKE].iter().any(|known| std::ptr::eq(*known, key));
    let untyped = inline && mime.as_ref().is_none_or(Text::is_empty);
    *flaw = flaw.or(twice).or(untyped.then_some(&NO_TYPE));
    *inner = Inner::of(key.name, extras);
    Ok(Kind::Media(Media { class, mime, data, name }))
}
