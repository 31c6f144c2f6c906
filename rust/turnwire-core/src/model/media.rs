//! Media: images, documents, audio and video, whatever form their bytes have.

use std::borrow::Cow;

use super::{
    file_type::{self, says_nothing, type_by_name},
    part::Part,
};
use crate::{
    report::Error,
    value::{Host, Input, Raw, Text, Value, base64, blob::blob_text},
};

/// An image, a document, audio or video.
#[derive(Debug)]
pub struct Media<H: Host> {
    /// Its class.
    pub class: MediaClass,
    /// Its media type, such as `image/png`. `None` if it is unknown or in the data.
    pub mime: Option<Text<H>>,
    /// The form of its bytes.
    pub data: MediaData<H>,
    /// Its file name.
    pub name: Option<Text<H>>,
}

pub use crate::rules::media_class::MediaClass;

/// The form of the bytes of media.
#[derive(Debug)]
pub enum MediaData<H: Host> {
    /// Plain base64 text.
    Base64(Text<H>),
    /// A `data:` URL, which includes the media type.
    DataUrl(Text<H>),
    /// A URL that the provider fetches.
    Url(Text<H>),
    /// The id of a file that the provider keeps.
    File(Text<H>),
    /// The addresses of the frames of a film, or their data.
    Frames(Vec<Text<H>>),
    /// Plain text of a document.
    Plain(Text<H>),
    /// A document made of texts.
    Texts(Box<Texts<H>>),
    /// Bytes of the host, unchanged. Targets that take bytes get the same object back. Plain Rust has none.
    Bytes(Raw<H>),
}

/// The texts that a document is made of.
#[derive(Debug)]
pub struct Texts<H: Host> {
    /// All of them as one text.
    pub whole: Text<H>,
    /// Each of them.
    pub each: Vec<Text<H>>,
    /// Whether there are images between them. What an earlier version stored has the images only in the wire value.
    pub has_images: bool,
    /// The images.
    pub images: Vec<Part<H>>,
    /// The names of the keys that its texts have in the wire value, and nowhere else.
    pub keys: Vec<Text<H>>,
}

impl<H: Host> MediaData<H> {
    /// The text of a document, if it has one.
    #[must_use]
    pub fn plain(&self) -> Option<&Text<H>> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Texts(texts) => Some(&texts.whole),
            _ => None,
        }
    }

    /// The texts that a document is made of, if it is made of some.
    #[must_use]
    pub fn texts(&self) -> Option<&Texts<H>> {
        if let Self::Texts(texts) = self { Some(texts) } else { None }
    }

    /// Its text: data, an address or an id. `None` for bytes.
    #[must_use]
    pub fn text(&self) -> Option<&Text<H>> {
        match self {
            Self::Base64(text) | Self::DataUrl(text) | Self::Url(text) | Self::File(text) | Self::Plain(text) => {
                Some(text)
            }
            Self::Texts(texts) => Some(&texts.whole),
            Self::Frames(frames) => frames.first(),
            Self::Bytes(_) => None,
        }
    }

    /// The size of its text in bytes. Bytes of the host count as the base64 text that JSON needs.
    #[must_use]
    pub fn utf8_len(&self, input: Option<&Input>) -> usize {
        match self {
            Self::Bytes(Raw::Tree(Value::Leaf(bytes))) => H::blob_len(bytes).map_or(0, base64::encoded_len),
            Self::Frames(frames) => frames.iter().map(|frame| frame.utf8_len(input)).sum(),
            Self::Bytes(raw) => blob_text(raw).map_or(0, |text| text.len()),
            _ => self.text().map_or(0, |text| text.utf8_len(input)),
        }
    }
}

impl<H: Host> MediaData<H> {
    /// Another handle to the same data.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    fn map(&self, text: &mut dyn FnMut(&Text<H>) -> Text<H>, raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>) -> Self {
        match self {
            Self::Base64(data) => Self::Base64(text(data)),
            Self::DataUrl(data) => Self::DataUrl(text(data)),
            Self::Url(url) => Self::Url(text(url)),
            Self::File(id) => Self::File(text(id)),
            Self::Frames(frames) => Self::Frames(frames.iter().map(text).collect()),
            Self::Plain(words) => Self::Plain(text(words)),
            Self::Texts(texts) => Self::Texts(Box::new(Texts {
                whole: text(&texts.whole),
                each: texts.each.iter().map(&mut *text).collect(),
                has_images: texts.has_images,
                images: texts.images.iter().map(|image| image.map(text, raw)).collect(),
                keys: texts.keys.iter().map(&mut *text).collect(),
            })),
            Self::Bytes(bytes) => Self::Bytes(raw(bytes)),
        }
    }
}

impl<H: Host> Media<H> {
    /// Another handle to the same media.
    #[must_use]
    pub fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        let data = self.data.map(text, raw);
        Self {
            class: self.class,
            mime: self.mime.as_ref().map(&mut *text),
            data,
            name: self.name.as_ref().map(&mut *text),
        }
    }
}

/// Media with their data, as plain base64 text.
#[derive(Debug)]
pub struct Inline<H: Host> {
    /// The media type, if it is known.
    pub mime: Option<Text<H>>,
    /// The base64 text.
    pub data: Text<H>,
}

impl<H: Host> Inline<H> {
    /// Whether it has no character that only the URL-safe alphabet has.
    #[must_use]
    pub fn is_standard(&self, input: Option<&Input>) -> bool {
        memchr::memchr2(b'-', b'_', &self.data.wtf8(input)).is_none()
    }

    /// The data in the standard alphabet. Some clients write base64 in the URL-safe alphabet.
    #[must_use]
    pub fn standard(self, input: Option<&Input>) -> Self {
        if self.is_standard(input) {
            return self;
        }
        let ordinary = String::from_utf8_lossy(&self.data.wtf8(input)).replace('-', "+").replace('_', "/");
        Self { data: Text::own(&ordinary), mime: self.mime }
    }

    /// The media type that the first bytes show.
    #[must_use]
    pub fn shown_type(&self, input: Option<&Input>) -> Option<&'static str> {
        let head = self.data.head(16, input);
        let shown = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature)).map(|(_, mime)| *mime);
        // RIFF may be audio or video: its type follows its length.
        let is_webp = || head.starts_with("UklGR") && head.ends_with("RUJQ");
        shown.or_else(|| is_webp().then_some("image/webp"))
    }

    /// The media type that the first bytes show, else the declared one. Providers refuse data whose declared type is
    /// wrong.
    #[must_use]
    pub fn true_type(&self, input: Option<&Input>) -> Option<Cow<'static, str>> {
        if let Some(mime) = self.shown_type(input) {
            return Some(Cow::Borrowed(mime));
        }
        let declared = self.mime.as_ref()?.to_str(input).to_ascii_lowercase();
        match declared.as_str() {
            "image/jpg" => Some(Cow::Borrowed("image/jpeg")),
            _ => is_media_type(&declared).then_some(Cow::Owned(declared)),
        }
    }
}

/// RFC 9110: two tokens with a slash between them.
fn is_media_type(text: &str) -> bool {
    let is_token = |token: &str| {
        let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&letter);
        !token.is_empty() && token.bytes().all(is_letter)
    };
    text.split_once('/').is_some_and(|(class, kind)| is_token(class) && is_token(kind))
}

/// The beginning of a file as base64 text.
const SIGNATURES: [(&str, &str); 5] = [
    ("iVBORw0KGg", "image/png"),
    ("/9j/", "image/jpeg"),
    ("R0lGODlh", "image/gif"),
    ("R0lGODdh", "image/gif"),
    ("JVBERi0", "application/pdf"),
];

impl<H: Host> Media<H> {
    /// Its media type and plain base64 text, if it has data: a `data:` URL is split, bytes are encoded.
    pub fn base64(&self, input: Option<&Input>) -> Result<Option<Inline<H>>, Error> {
        match &self.data {
            // A `data:` URL where plain data is expected.
            MediaData::Base64(url) if url.starts_with("data:", input) => {
                let media = Self { data: MediaData::DataUrl(url.share()), mime: None, name: None, class: self.class };
                let inline = media.base64(input)?;
                Ok(inline.map(|inline| Inline { mime: self.mime.as_ref().map(Text::share).or(inline.mime), ..inline }))
            }
            MediaData::Base64(data) => {
                Ok(Some(Inline { mime: self.mime.as_ref().map(Text::share), data: data.share() }))
            }
            MediaData::Bytes(bytes) => {
                let data = Text::own(&blob_text(bytes)?);
                Ok(Some(Inline { mime: self.mime.as_ref().map(Text::share), data }))
            }
            MediaData::DataUrl(url) => {
                // Reads only the head, because the data may be many megabytes.
                let head = url.head_bytes(256, input);
                let Some(comma) = head.iter().position(|byte| *byte == b',') else { return Ok(None) };
                let Some(mime) = head[..comma].strip_prefix(b"data:").and_then(|rest| rest.strip_suffix(b";base64"))
                else {
                    return Ok(None);
                };
                let mime = mime.split(|byte| *byte == b';').next().filter(|mime| !mime.is_empty());
                let mime = mime.map(|mime| Text::own(&String::from_utf8_lossy(mime)));
                Ok(Some(Inline { mime, data: url.after(comma + 1, input)? }))
            }
            _ => Ok(None),
        }
    }

    /// The type that its data show, else the declared one, else that of its name. A type that says nothing about a file
    /// counts only where the name says nothing, either.
    #[must_use]
    pub(crate) fn true_type(&self, inline: &Inline<H>, input: Option<&Input>) -> Option<Cow<'static, str>> {
        let said = inline.true_type(input);
        match said {
            Some(mime) if !says_nothing(&mime) => Some(mime),
            said => self.type_of_name(input).map(Cow::Borrowed).or(said),
        }
    }

    /// The type of a file with its name.
    fn type_of_name(&self, input: Option<&Input>) -> Option<&'static str> {
        let name = self.name.as_ref()?.to_str(input);
        type_by_name(self.class, &name).or_else(|| file_type::of_text(&name))
    }

    /// The class of a file: that of its type, or of its name where the type says nothing.
    #[must_use]
    pub(crate) fn class_of_file(&self, input: Option<&Input>) -> MediaClass {
        let mime = self.media_type(input).map(|mime| mime.to_ascii_lowercase());
        let named = || mime.as_deref().filter(|mime| says_nothing(mime)).and(self.type_of_name(input));
        MediaClass::of(named().or(mime.as_deref()))
    }

    /// The media type of the file at its address: the declared one, else the one of its extension.
    #[must_use]
    pub fn type_of_address(&self, input: Option<&Input>) -> Option<Cow<'static, str>> {
        if let Some(mime) = &self.mime {
            return Some(Cow::Owned(mime.to_str(input).to_ascii_lowercase()));
        }
        type_by_name(self.class, &self.ending(input)?).map(Cow::Borrowed)
    }

    /// The extension of the file at its address.
    fn ending(&self, input: Option<&Input>) -> Option<String> {
        let MediaData::Url(url) = &self.data else { return None };
        let url = url.head(4096, input);
        let (_, ending) = url.split(['?', '#']).next()?.rsplit_once('.')?;
        Some(ending.to_ascii_lowercase())
    }

    /// The declared type of what is at its address, unless the address or the class says the same.
    #[must_use]
    pub fn type_beside_address(&self, input: Option<&Input>) -> Option<Cow<'_, str>> {
        let mime = self.mime.as_ref().filter(|_| matches!(self.data, MediaData::Url(_)))?;
        let text = mime.to_str(input).to_ascii_lowercase();
        let ending = self.ending(input).unwrap_or_default();
        // Many clients write the second for the first.
        let same = |mime: &str| mime == text || mime == "image/jpeg" && text == "image/jpg";
        let shown = file_type::of_ending(self.class, &ending).any(same);
        let general = match text.strip_suffix("/*") {
            Some(class) => class == self.class.name(),
            None => self.class == MediaClass::Document && text == "application/octet-stream",
        };
        (!shown && !general).then_some(Cow::Owned(text))
    }

    /// Its media type, if it is known.
    #[must_use]
    pub fn media_type<'a>(&'a self, input: Option<&'a Input>) -> Option<Cow<'a, str>> {
        if let Some(mime) = &self.mime {
            return Some(mime.to_str(input));
        }
        let MediaData::DataUrl(url) = &self.data else { return None };
        let head = url.head(256, input);
        let mime = head.strip_prefix("data:")?.split([';', ',']).next().filter(|mime| !mime.is_empty())?;
        Some(Cow::Owned(mime.to_owned()))
    }
}

impl MediaClass {
    /// Every class.
    pub const ALL: [Self; 4] = [Self::Image, Self::Audio, Self::Video, Self::Document];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Document => "document",
        }
    }

    /// The class of a media type; an unknown type is a document.
    #[must_use]
    pub fn of(mime: Option<&str>) -> Self {
        match mime.and_then(|mime| mime.split('/').next()) {
            Some("image") => Self::Image,
            Some("audio") => Self::Audio,
            Some("video") => Self::Video,
            _ => Self::Document,
        }
    }
}
