//! Images and documents in Anthropic messages: what the format takes, and how it is written.

use std::borrow::Cow;

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{super::write::Where, render::Page};
use crate::{
    base64,
    handle::{Input, Text},
    loss::LossCode,
    media::{Media, MediaClass, MediaData},
    value::Key,
};

/// An image or document by its source.
pub(super) struct Shown<'a, H: Host> {
    class: MediaClass,
    name: Option<&'a Text<H>>,
    data: SourceData<'a, H>,
}

enum SourceData<'a, H: Host> {
    Base64(&'static Key, Text<H>),
    Plain(Text<H>),
    Url(&'a Text<H>),
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// Media as a source that the target takes, or `None` where a loss says why not.
    pub(super) fn media(
        &mut self,
        media: &'a Media<H>,
        input: Option<&Input>,
        path: Where<'_>,
    ) -> Result<Option<Shown<'a, H>>, Error> {
        let data = match (media.class, &media.data) {
            (MediaClass::Audio | MediaClass::Video, _) => {
                Err(format!("the target takes no {}", media.class.name()).into())
            }
            (_, MediaData::File(_)) => Err("a file id is only known to the provider that holds the file".into()),
            (_, MediaData::Url(url)) => Ok(SourceData::Url(url)),
            (MediaClass::Document, MediaData::Plain(text)) => Ok(SourceData::Plain(text.share())),
            (MediaClass::Image, MediaData::Plain(_)) => Err("an image is no text".into()),
            (class, MediaData::Base64(_) | MediaData::DataUrl(_)) => self.bytes(class, media, input, path)?,
        };
        let reason: Cow<'static, str> = match data {
            Ok(data) => {
                let name = media.name.as_ref();
                return Ok(Some(Shown { class: media.class, name, data }));
            }
            Err(reason) => reason,
        };
        self.w.losses.lost(LossCode::Media, path(), reason).map(|()| None)
    }

    fn bytes(
        &mut self,
        class: MediaClass,
        media: &Media<H>,
        input: Option<&Input>,
        path: Where<'_>,
    ) -> Result<Result<SourceData<'a, H>, Cow<'static, str>>, Error> {
        let Some(inline) = media.base64(input)? else {
            return Ok(Err("the target takes data as base64 only".into()));
        };
        let Some(mime) = inline.true_type(input) else {
            return Ok(Err("nothing says what kind of media this is".into()));
        };
        let word = match (class, &*mime) {
            (MediaClass::Image, "image/jpeg") => &JPEG,
            (MediaClass::Image, "image/png") => &PNG,
            (MediaClass::Image, "image/gif") => &GIF,
            (MediaClass::Image, "image/webp") => &WEBP,
            (MediaClass::Document, "application/pdf") => &PDF,
            (MediaClass::Document, plain) if plain.starts_with("text/") => {
                let text = base64::decode(&inline.data.wtf8(input)).and_then(|bytes| String::from_utf8(bytes).ok());
                let Some(text) = text else { return Ok(Err("this text is not UTF-8".into())) };
                if plain != "text/plain" {
                    self.w.losses.changed(LossCode::Media, path(), format!("the target takes {plain} as plain text"));
                }
                return Ok(Ok(SourceData::Plain(Text::own(&text))));
            }
            (_, other) => return Ok(Err(format!("the target takes no {other}").into())),
        };
        if let Some(declared) = inline.mime.as_ref().filter(|declared| !declared.is(&mime, input)) {
            let reason = format!("declared as {}, but it is {mime}", declared.to_str(input));
            self.w.losses.changed(LossCode::Media, path(), reason);
        }
        Ok(Ok(SourceData::Base64(word, inline.data)))
    }

    pub(super) fn begin_source(&mut self, source: &Shown<'a, H>) {
        self.begin(if source.class == MediaClass::Image { &IMAGE } else { &DOCUMENT });
        self.w.out.key(&SOURCE);
        match &source.data {
            SourceData::Base64(mime, data) => {
                self.begin(&BASE64);
                self.w.out.key(&MEDIA_TYPE);
                self.w.out.literal(mime);
                self.w.out.key(&DATA);
                self.w.out.text(data);
            }
            SourceData::Plain(text) => {
                self.begin(&TEXT);
                self.w.out.key(&MEDIA_TYPE);
                self.w.out.literal(&PLAIN);
                self.w.out.key(&DATA);
                self.w.out.text(text);
            }
            SourceData::Url(url) => {
                self.begin(&URL);
                self.w.out.key(&URL);
                self.w.out.text(url);
            }
        }
        self.w.out.close();
        if let Some(name) = source.name {
            self.w.out.key(&TITLE);
            self.w.out.text(name);
        }
    }
}
