//! Images of Amazon Q messages: what the service takes, and how it is written.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared above")]
use super::super::*;
use super::{Message, Page};
use crate::{
    dialect::write::Where,
    handle::{Input, Raw, Text},
    loss::LossCode,
    media::{Media, MediaClass, MediaData},
    part::Part,
    value::Key,
};

/// An image, ready to be written.
pub(super) enum Image<'a, H: Host> {
    Raw(&'a Raw<H>),
    Data(&'static Key, Text<H>),
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// An image that the service takes, or `None` where a loss says why not.
    pub(super) fn image(
        &mut self,
        turn: &Turn<H>,
        part: &'a Part<H>,
        media: &Media<H>,
        path: Where<'_>,
    ) -> Result<Option<Image<'a, H>>, Error> {
        if let Some(raw) = self.w.part_origin(turn, part) {
            return Ok(Some(Image::Raw(raw)));
        }
        let reason = match bytes(media, turn.input.as_ref())? {
            Ok(image) => return Ok(Some(image)),
            Err(reason) => reason,
        };
        self.w.losses.lost(LossCode::Media, path(), reason).map(|()| None)
    }

    pub(super) fn images(&mut self, message: &Message<'a, H>) {
        if message.images.is_empty() {
            return;
        }
        self.w.out.key(&IMAGES);
        self.w.out.open_list();
        for ((_, turn), image) in &message.images {
            self.w.out.scope(turn.input.as_ref());
            match image {
                Image::Raw(raw) => self.w.out.raw(raw),
                Image::Data(format, data) => {
                    self.w.out.open_map();
                    self.w.out.key(&FORMAT);
                    self.w.out.literal(format);
                    self.w.out.key(&SOURCE);
                    self.w.out.open_map();
                    self.w.out.key(&BYTES);
                    self.w.out.text(data);
                    self.w.out.close();
                    self.w.out.close();
                }
            }
        }
        self.w.out.close();
    }
}

/// The bytes of an image that the service takes, or why it does not.
fn bytes<'a, H: Host>(media: &Media<H>, input: Option<&Input>) -> Result<Result<Image<'a, H>, String>, Error> {
    if media.class != MediaClass::Image || matches!(media.data, MediaData::Plain(_)) {
        return Ok(Err(format!("the target takes images only, and no {}", media.class.name())));
    }
    let Some(inline) = media.base64(input)? else {
        return Ok(Err("the target takes the bytes of an image only".to_owned()));
    };
    let format = match inline.true_type(input).as_deref() {
        Some("image/png") => &PNG,
        Some("image/jpeg") => &JPEG,
        Some("image/gif") => &GIF,
        Some("image/webp") => &WEBP,
        Some(other) => return Ok(Err(format!("the target takes no {other}"))),
        None => return Ok(Err("nothing says what kind of image this is".to_owned())),
    };
    Ok(Ok(Image::Data(format, inline.data)))
}
