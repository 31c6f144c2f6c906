//! Reads the images and documents of blocks in Claude's form, which clients put into messages of the family.

use crate::{
    dialects::chat::part::PartDraft,
    k,
    model::{Flaw, Inner, Kind, Media, MediaData},
    report::Error,
    rules::MediaClass,
    value::{NodeKind, Source},
    wire::read::Keys,
};

static SOURCE: Flaw = Flaw::refused("media in the form of another format");

/// `{"type": "image" | "document", "source": {"type": "base64" | "text" | "url", …}}`. Another source stays opaque.
pub(super) fn read<S: Source>(
    class: MediaClass,
    draft: &mut PartDraft<'_, '_, S>,
) -> Result<Option<Kind<S::H>>, Error> {
    let Some(node) = draft.keys.node.get(&k::SOURCE).filter(|node| node.kind() == NodeKind::Map) else {
        return Ok(None);
    };
    let at = draft.keys.at.key(k::SOURCE.name);
    let mut source = Keys::of(&node, &at)?;
    let Some(kind) = source.some(&k::TYPE) else { return Ok(None) };
    let mime = source.text(&k::MEDIA_TYPE)?;
    let data = match kind.word().as_deref() {
        Some("base64") => MediaData::Base64(source.needed_text(&k::DATA)?),
        Some("text") => MediaData::Plain(source.needed_text(&k::DATA)?),
        Some("url") => MediaData::Url(source.needed_text(&k::URL)?),
        _ => return Ok(None),
    };
    draft.keys.take(&k::SOURCE);
    draft.inner = Inner::of(k::SOURCE.name, source.extras());
    draft.flaw = Some(&SOURCE);
    let name = if class == MediaClass::Document { draft.keys.text(&k::TITLE)? } else { None };
    Ok(Some(Kind::Media(Media { class, mime, data, name })))
}
