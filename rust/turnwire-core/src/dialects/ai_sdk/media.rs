//! Reads media by their data or URL.

use super::keys as k;
use crate::{
    model::{Inner, Kind, Media, MediaData},
    report::Error,
    rules::MediaClass,
    value::{Key, NodeKind, Source, Text},
    wire::read::Keys,
};

/// Unknown keys of an object inside a part.
pub(super) type Rest<H> = Option<Box<Inner<H>>>;

/// Reads media by their data or URL: as text, as bytes, or as an object with a type, whose unknown keys go to `rest`. A
/// provider's file stays opaque.
pub(super) fn read<S: Source>(
    keys: &mut Keys<'_, S>,
    key: &'static Key,
    class: Option<MediaClass>,
    rest: &mut Rest<S::H>,
) -> Result<Option<Kind<S::H>>, Error> {
    let node = keys.needed(key)?;
    let data = match node.kind() {
        NodeKind::Blob => Some(MediaData::Bytes(node.raw())),
        NodeKind::Map => {
            let at = keys.at.key(key.name);
            let mut inner = Keys::of(&node, &at)?;
            let kind = inner.some(&k::TYPE);
            let data = match kind.as_ref().and_then(Source::word).as_deref() {
                Some("data") => inner.take(&k::DATA).and_then(|data| by_text(&data)),
                Some("url") => inner.take(&k::URL).and_then(|url| by_text(&url)),
                Some("text") => inner.take(&k::TEXT).and_then(|text| text.text()).map(MediaData::Plain),
                _ => None,
            };
            *rest = data.as_ref().and_then(|_| Inner::of(key.name, inner.extras()));
            data
        }
        _ => by_text(&node),
    };
    let Some(data) = data else { return Ok(None) };
    let (mime, name) = (keys.text(&k::MEDIA_TYPE)?, keys.text(&k::FILENAME)?);
    let declared = mime.as_ref().map(|mime| mime.to_str(keys.node.input()).into_owned());
    let class = class.unwrap_or_else(|| MediaClass::of(declared.as_deref()));
    let mime = mime.filter(|_| !declared.as_deref().is_some_and(|declared| says_only_class(declared, class)));
    Ok(Some(Kind::Media(Media { class, mime, data, name })))
}

/// Whether a media type says no more than the class: `image/*` and `image` are any image, `application` any file, and
/// `*/*` and an empty type anything.
fn says_only_class(declared: &str, class: MediaClass) -> bool {
    let word = declared.strip_suffix("/*").unwrap_or(declared);
    word == class.name() || matches!(word, "*" | "") || class == MediaClass::Document && word == "application"
}

/// Reads a URL, a `data:` URL, or base64.
pub(super) fn by_text<S: Source>(node: &S) -> Option<MediaData<S::H>> {
    let text: Text<S::H> = node.text()?;
    let starts = |head| text.starts_with(head, node.input());
    Some(match () {
        () if starts("data:") => MediaData::DataUrl(text),
        () if starts("http://") || starts("https://") => MediaData::Url(text),
        () => MediaData::Base64(text),
    })
}
