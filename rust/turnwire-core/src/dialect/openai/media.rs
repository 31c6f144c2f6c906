//! Media in Chat Completions: what the format takes, and how it is written.

use std::borrow::Cow;

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{
    super::write::Where,
    render::{Page, text_part},
};
use crate::{
    handle::{Input, Text},
    loss::LossCode,
    media::{Media, MediaClass, MediaData},
    path::Step,
    value::Piece,
};

/// Media that this format takes.
pub(super) enum Shown<'a, H: Host> {
    /// An image by its address, which may be a `data:` URL.
    Image(&'a Text<H>),
    /// An image by its media type and base64 text.
    ImageData(Cow<'static, str>, Text<H>),
    /// Sound by its format and base64 text.
    Sound(&'static str, Text<H>),
    /// A file by its name, media type and base64 text.
    File(Option<&'a Text<H>>, Cow<'static, str>, Text<H>),
    /// A document that is plain text.
    Plain(&'a Text<H>),
}

type Taken<'a, H> = Result<Shown<'a, H>, Cow<'static, str>>;

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// Media as this format takes it, or `None` where a loss says why not.
    pub(super) fn shown(
        &mut self,
        media: &'a Media<H>,
        input: Option<&Input>,
        path: Where<'_>,
    ) -> Result<Option<Shown<'a, H>>, Error> {
        let taken = match (media.class, &media.data) {
            (MediaClass::Video, _) => Err("the target takes no film".into()),
            (_, MediaData::File(_)) => Err("a file id is only known to the provider that holds the file".into()),
            (MediaClass::Image, MediaData::Url(url)) => Ok(Shown::Image(url)),
            (_, MediaData::Url(_)) => Err("the target takes no address for this kind of media".into()),
            (MediaClass::Document, MediaData::Plain(text)) => {
                self.w.losses.changed(LossCode::Media, path(), "the target has no plain text documents: it is text");
                if let Some(name) = &media.name {
                    let reason = format!("no place for the document's name {:?}", name.to_str(input));
                    self.w.losses.lost(LossCode::Name, path().then(Step::Key("title")), reason)?;
                }
                Ok(Shown::Plain(text))
            }
            (_, MediaData::Plain(_)) => Err("the target takes this kind of media as base64 only".into()),
            (_, MediaData::Base64(_) | MediaData::DataUrl(_)) => self.bytes(media, input, path)?,
        };
        match taken {
            Ok(shown) => Ok(Some(shown)),
            Err(reason) => self.w.losses.lost(LossCode::Media, path(), reason).map(|()| None),
        }
    }

    fn bytes(&mut self, media: &'a Media<H>, input: Option<&Input>, path: Where<'_>) -> Result<Taken<'a, H>, Error> {
        let Some(inline) = media.base64(input)? else {
            return Ok(Err("the target takes data as base64 only".into()));
        };
        let Some(mime) = inline.true_type(input) else {
            return Ok(Err("nothing says what kind of media this is".into()));
        };
        let declared = inline.mime.as_ref().is_some_and(|declared| declared.is(&mime, input));
        if let Some(other) = inline.mime.as_ref().filter(|_| !declared && media.class == MediaClass::Image) {
            let reason = format!("declared as {}, but it is {mime}", other.to_str(input));
            self.w.losses.changed(LossCode::Media, path(), reason);
        }
        Ok(match (media.class, &*mime, &media.data) {
            (MediaClass::Image, "image/png" | "image/jpeg" | "image/gif" | "image/webp", data) => match data {
                MediaData::DataUrl(url) if declared => Ok(Shown::Image(url)),
                _ => Ok(Shown::ImageData(mime, inline.data)),
            },
            (MediaClass::Audio, "audio/mp3" | "audio/mpeg", _) => Ok(Shown::Sound("mp3", inline.data)),
            (MediaClass::Audio, "audio/wav" | "audio/x-wav" | "audio/wave", _) => Ok(Shown::Sound("wav", inline.data)),
            (MediaClass::Document, _, _) => Ok(Shown::File(media.name.as_ref(), mime, inline.data)),
            _ => Err(format!("the target takes no {mime}").into()),
        })
    }

    /// Begins a media part; the caller closes it.
    pub(super) fn begin_media(&mut self, shown: &Shown<'_, H>) {
        let data_url = |mime, data| [Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)];
        let out = &mut *self.w.out;
        let mut begin = |kind: &'static crate::value::Key| {
            out.open_map();
            out.key(&TYPE);
            out.literal(kind);
            out.key(kind);
            out.open_map();
        };
        match shown {
            Shown::Plain(text) => return text_part(self.w, text),
            Shown::Image(url) => {
                begin(&IMAGE_URL);
                out.key(&URL);
                out.text(url);
            }
            Shown::ImageData(mime, data) => {
                begin(&IMAGE_URL);
                out.key(&URL);
                out.pieces(&data_url(mime, data));
            }
            Shown::Sound(format, data) => {
                begin(&INPUT_AUDIO);
                out.key(&DATA);
                out.text(data);
                out.key(&FORMAT);
                out.pieces(&[Piece::Str(format)]);
            }
            Shown::File(name, mime, data) => {
                begin(&FILE);
                if let Some(name) = name {
                    out.key(&FILENAME);
                    out.text(name);
                }
                out.key(&FILE_DATA);
                out.pieces(&data_url(mime, data));
            }
        }
        out.close();
    }
}
