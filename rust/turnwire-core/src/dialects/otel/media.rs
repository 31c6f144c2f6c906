//! Reads and writes media: `blob` with data, `uri` with an address, `file` with a provider's id, each with its modality.

use super::keys as k;
use super::part::open;
use crate::{
    model::{Kind, Media, MediaData},
    report::Error,
    rules::MediaClass,
    value::{Host, Key, Piece, Sink, Source, Text},
    wire::{
        plan::{Item, Shown, ShownData},
        read::Keys,
        write::Writer,
    },
};

/// The form of a part of media.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Data,
    Address,
    File,
    /// pydantic-ai's data, whose media type shows the modality.
    Binary,
    /// pydantic-ai's address, whose type shows the modality.
    Old(MediaClass),
}

/// What the conventions and pydantic-ai call the kinds of media.
const MODALITIES: [&str; 4] = ["image", "audio", "video", "document"];

/// Reads one part. If its modality is unknown, the media type decides.
pub(super) fn read<S: Source>(keys: &mut Keys<'_, S>, form: Form) -> Result<Kind<S::H>, Error> {
    let input = keys.node.input().cloned();
    // Another word stays among the unknown keys.
    let known = |modality: S| modality.word().is_none_or(|word| MODALITIES.contains(&&*word));
    let known = keys.node.get(&k::MODALITY).is_some_and(known);
    let modality = if known { keys.text(&k::MODALITY)? } else { None };
    let mime = keys.text(if matches!(form, Form::Binary) { &k::MEDIA_TYPE } else { &k::MIME_TYPE })?;
    let data = match form {
        Form::Data | Form::Binary => MediaData::Base64(keys.needed_text(&k::CONTENT)?),
        Form::Address => address(keys, &k::URI)?,
        Form::Old(_) => address(keys, &k::URL)?,
        Form::File => MediaData::File(keys.needed_text(&k::FILE_ID)?),
    };
    let said = modality.as_ref().map(|word| word.to_str(input.as_ref()));
    let class = match (form, said.as_deref()) {
        (Form::Old(class), _) => class,
        (_, Some("image")) => MediaClass::Image,
        (_, Some("audio")) => MediaClass::Audio,
        (_, Some("video")) => MediaClass::Video,
        (_, Some("document")) => MediaClass::Document,
        _ => MediaClass::of(mime.as_ref().map(|mime| mime.to_str(input.as_ref())).as_deref()),
    };
    Ok(Kind::Media(Media { class, mime, data, name: None }))
}

fn address<S: Source>(keys: &mut Keys<'_, S>, key: &'static Key) -> Result<MediaData<S::H>, Error> {
    let url: Text<S::H> = keys.needed_text(key)?;
    let in_place = url.starts_with("data:", keys.node.input());
    Ok(if in_place { MediaData::DataUrl(url) } else { MediaData::Url(url) })
}

/// Writes one part. Keys of another form that this form has, too, are reported.
pub(super) fn write<H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    shown: &Shown<'_, H>,
) -> Result<(), Error> {
    let (kind, key, value, mime) = match &shown.data {
        ShownData::Base64 { mime, data, .. } => (&k::BLOB, &k::CONTENT, data, Some(mime.clone())),
        // The limits row sends a document's text as bytes and allows no files, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => (&k::BLOB, &k::CONTENT, words, Some("text/plain".into())),
        ShownData::Url(url, _) => (&k::URI, &k::URI, *url, item.type_of_address().map(|mime| mime.into_owned().into())),
    };
    open(w, kind);
    w.out.key(&k::MODALITY);
    w.out.literal(match shown.class {
        MediaClass::Image => &k::IMAGE,
        MediaClass::Audio => &k::AUDIO,
        MediaClass::Video => &k::VIDEO,
        MediaClass::Document => &k::DOCUMENT,
    });
    if let Some(mime) = mime {
        w.out.key(&k::MIME_TYPE);
        w.out.pieces(&[Piece::Str(&mime)]);
    }
    w.out.key(key);
    w.out.text(value);
    w.flat_extras(item, &[&k::TYPE, &k::MODALITY, &k::MIME_TYPE, key])?;
    w.out.close();
    Ok(())
}
