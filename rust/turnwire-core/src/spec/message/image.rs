//! An image as spec 000 stores it: a format and its bytes.

use std::fmt;

use crate::{
    model::{Media, MediaData},
    report::Error,
    rules::MediaClass,
    value::{Host, Raw, Text, Value},
};

/// An image.
#[derive(Debug)]
pub struct ImageBlock<H: Host> {
    /// Its format, the part of its media type after `image/`: `png`, `jpeg`, `gif`, `webp`.
    pub format: Text<H>,
    /// Its bytes.
    pub data: ImageData<H>,
}

/// The bytes of an image, in their original form.
pub enum ImageData<H: Host> {
    /// As base64 text.
    Base64(Text<H>),
    /// As the host's own bytes.
    Bytes(H::Leaf),
}

impl<H: Host> ImageData<H> {
    /// The bytes as base64 text.
    pub fn base64(&self) -> Result<Text<H>, Error> {
        match self {
            Self::Base64(text) => Ok(text.share()),
            Self::Bytes(leaf) => {
                let mut json = Vec::new();
                H::write_leaf(leaf, &mut json)?;
                let quoted = json.strip_prefix(b"\"").and_then(|json| json.strip_suffix(b"\"")).unwrap_or(&json);
                H::text(quoted)
            }
        }
    }
}

impl<H: Host> fmt::Debug for ImageData<H> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base64(text) => text.fmt(out),
            Self::Bytes(_) => out.write_str("Bytes"),
        }
    }
}

impl<H: Host> ImageBlock<H> {
    /// Another handle to the same image.
    #[must_use]
    pub fn share(&self) -> Self {
        let data = match &self.data {
            ImageData::Base64(text) => ImageData::Base64(text.share()),
            ImageData::Bytes(leaf) => ImageData::Bytes(H::share_leaf(leaf)),
        };
        Self { format: self.format.share(), data }
    }

    /// Whether both have the same content. Bytes only equal bytes, and base64 text only equals base64 text.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let data = match (&self.data, &other.data) {
            (ImageData::Base64(mine), ImageData::Base64(theirs)) => mine.same(theirs),
            (ImageData::Bytes(mine), ImageData::Bytes(theirs)) => H::same_leaf(mine, theirs),
            _ => false,
        };
        data && self.format.same(&other.format)
    }

    /// The image as a media part, as in every other message.
    pub fn to_media(&self) -> Result<Media<H>, Error> {
        let mime = [b"image/", &*self.format.wtf8(None)].concat();
        Ok(Media {
            class: MediaClass::Image,
            mime: Some(H::text(&mime)?),
            data: match &self.data {
                ImageData::Base64(text) => MediaData::Base64(text.share()),
                ImageData::Bytes(leaf) => MediaData::Bytes(Raw::Tree(Value::Leaf(H::share_leaf(leaf)))),
            },
            name: None,
        })
    }
}
