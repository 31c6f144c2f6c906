//! Columns about media: which kinds, which of them by an address, and whether results may hold them.

use super::{
    lists::forever,
    words::{each, flag, listed},
};
use crate::rules::{DialectId, Limits, MediaClass, MediaInResult, MediaRule, limits::IMAGES};

pub(super) const CLASSES: &[&str] = &["image", "audio", "video", "document"];

const SOUNDS: &[&str] = &["audio/mp3", "audio/mpeg", "audio/wav", "audio/x-wav", "audio/wave"];
const FILMS: &[&str] = &["video/mp4", "video/mpeg", "video/quicktime", "video/webm", "video/x-msvideo"];
const PAPERS: &[&str] = &["application/pdf"];

fn classes() -> impl Iterator<Item = (&'static str, MediaClass)> {
    CLASSES.iter().copied().zip([MediaClass::Image, MediaClass::Audio, MediaClass::Video, MediaClass::Document])
}

fn takes(rule: &MediaRule, class: MediaClass) -> bool {
    !rule.types(class).is_empty() || rule.urls.contains(&class)
}

pub(super) fn media(_: DialectId, limits: &Limits) -> String {
    listed(classes().filter(|(_, class)| takes(&limits.media, *class)).map(|(word, _)| word))
}
pub(super) fn set_media(_: DialectId, limits: &mut Limits, value: &str) {
    let wanted = |word: &str| each(value).any(|one| one == word);
    // Types that the row has stay.
    let types = |word: &str, own: &'static [&'static str], usual: &'static [&'static str]| match wanted(word) {
        false => &[][..],
        true if own.is_empty() => usual,
        true => own,
    };
    let rule = &mut limits.media;
    rule.images = types("image", rule.images, IMAGES);
    rule.audio = types("audio", rule.audio, SOUNDS);
    rule.video = types("video", rule.video, FILMS);
    rule.documents = types("document", rule.documents, PAPERS);
    let urls: Vec<_> = classes().filter(|(word, class)| wanted(word) && rule.urls.contains(class)).collect();
    rule.urls = forever(&urls.into_iter().map(|(_, class)| class).collect::<Vec<_>>());
}

pub(super) fn urls(_: DialectId, limits: &Limits) -> String {
    let rule = &limits.media;
    // Where only files of the server's own have an address, the web is none.
    let web = rule.schemes.is_empty() || rule.schemes.iter().any(|scheme| scheme.starts_with("http"));
    listed(classes().filter(|(_, class)| web && rule.urls.contains(class)).map(|(word, _)| word))
}
pub(super) fn set_urls(_: DialectId, limits: &mut Limits, value: &str) {
    let rule = &mut limits.media;
    let wanted = classes().filter(|(word, class)| each(value).any(|one| one == *word) && takes(rule, *class));
    let wanted: Vec<_> = wanted.map(|(_, class)| class).collect();
    rule.urls = forever(&wanted);
    rule.schemes = crate::rules::limits::WEB;
}

pub(super) fn in_results(_: DialectId, limits: &Limits) -> String {
    flag(!matches!(limits.media_in_result, MediaInResult::Never))
}
pub(super) fn set_in_results(_: DialectId, limits: &mut Limits, value: &str) {
    limits.media_in_result = if value == "yes" { MediaInResult::Always } else { MediaInResult::Never };
}
