//! Cuts the texts of a search result or a document. What says where they are from stays.

use super::Cutter;
use crate::{
    model::{Kind, Media, MediaData, Part, Texts},
    report::Error,
    rules::{MediaClass, passage::lines},
    text::Split,
    value::{Host, Input, Raw, Text},
    wire::plan::{decide::Scope, passages},
};

/// The size in bytes of the texts that can be cut.
pub(super) fn size<H: Host>(part: &Part<H>, scope: Scope<'_>) -> usize {
    match &part.kind {
        Kind::Media(Media { class: MediaClass::Document, data, .. }) if !has_lost_images(data) => {
            data.plain().map_or(0, |text| text.utf8_len(scope.input))
        }
        _ => passages::of(scope, part).map_or(0, |passage| passage.size()),
    }
}

/// The part with texts of at most `max_bytes` in total, each cut by `text`.
pub(super) fn cut<H: Host>(
    part: &Part<H>,
    max_bytes: usize,
    scope: Scope<'_>,
    text: &Cutter<'_, H>,
) -> Result<Part<H>, Error> {
    let mut new = part.share();
    if let Kind::Media(media) = &part.kind {
        let data = document(&media.data, max_bytes, scope.input, text)?;
        (new.kind, new.touched) = (Kind::Media(Media { data, ..media.share() }), true);
        return Ok(new);
    }
    // Nothing in a search result is signed, so it goes back to its own format with other texts.
    let Some((rule, passage)) = passages::read(scope, part) else { return Ok(new) };
    let mut shares = Split::Fair.shares(&passage.sizes(), max_bytes).into_iter();
    let block = part.origin.as_ref().map(|origin| origin.to_value(scope.input)).transpose()?;
    if let Some(block) = block {
        let other = rule.with_texts(&block, |words| text(words, shares.next().unwrap_or(0), None))?;
        new.origin = other.map(Raw::Tree).or(new.origin);
    }
    Ok(new)
}

/// The text of a document, cut.
fn document<H: Host>(
    data: &MediaData<H>,
    max_bytes: usize,
    input: Option<&Input>,
    text: &Cutter<'_, H>,
) -> Result<MediaData<H>, Error> {
    let cut = |words: &Text<H>, max| text(words, max, input);
    let Some(texts) = data.texts() else {
        return data.plain().map_or_else(|| Ok(data.share()), |words| cut(words, max_bytes).map(MediaData::Plain));
    };
    let sizes: Vec<_> = texts.each.iter().map(|text| text.utf8_len(input)).collect();
    // Targets without such documents write a line for each.
    let shares = Split::Fair.shares(&sizes, max_bytes.saturating_sub(sizes.len().saturating_sub(1)));
    let each = texts.each.iter().zip(shares).map(|(words, share)| cut(words, share));
    let each: Vec<_> = each.filter(|text| !text.as_ref().is_ok_and(Text::is_empty)).collect::<Result<_, _>>()?;
    let whole = lines(&each, input);
    let images = texts.images.iter().map(Part::share).collect();
    let keys = texts.keys.iter().map(Text::share).collect();
    Ok(MediaData::Texts(Box::new(Texts { whole, each, has_images: texts.has_images, images, keys })))
}

/// Whether a document has images between its texts that only its wire value has.
fn has_lost_images<H: Host>(data: &MediaData<H>) -> bool {
    data.texts().is_some_and(|texts| texts.has_images && texts.images.is_empty())
}
