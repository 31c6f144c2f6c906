//! Decides in which form the target's limits row accepts media, or why it does not.

use std::borrow::Cow;

use super::names::fits_at_home;
use crate::{
    model::{Inline, Kind, Media, MediaData, Part, Reasoning, file_type},
    report::Error,
    rules::{
        DialectId, Files, InTexts, Judged, MediaClass, MediaRule, PlainDocument, STORED_ELSEWHERE, Target, TypedUrls,
    },
    value::{Host, Input, Raw, Text, Value, base64},
};

/// The type that stands for that of each text file.
const PLAIN_TEXT: &str = "text/plain";

/// Media in a form that the target accepts.
pub(crate) struct Shown<'a, H: Host> {
    pub(crate) class: MediaClass,
    /// The file's name.
    pub(crate) name: Option<Text<H>>,
    pub(crate) data: ShownData<'a, H>,
    /// The texts of a document that is made of some.
    pub(crate) texts: Option<&'a [Text<H>]>,
    /// The images of such a document, in the target's own form.
    pub(crate) images: &'a [Part<H>],
    /// The addresses of a film that is a list of frames.
    pub(crate) frames: &'a [Text<H>],
    /// The detail of an image from another format that has the same word for it.
    pub(crate) detail: Option<Raw<H>>,
    /// The keys of a document from another format that mean the same here.
    pub(crate) beside: Vec<(&'static str, Raw<H>)>,
}

impl<'a, H: Host> Shown<'a, H> {
    /// The text of a document that is plain text.
    pub(super) fn plain(&self) -> Option<&Text<H>> {
        if let ShownData::Plain(text) = &self.data { Some(text) } else { None }
    }

    /// Media without their keys.
    fn of(media: &'a Media<H>, data: ShownData<'a, H>) -> Self {
        let name = media.name.as_ref().map(Text::share);
        Self { class: media.class, name, data, texts: None, images: &[], frames: &[], detail: None, beside: Vec::new() }
    }
}

/// Where the bytes are.
pub(crate) enum ShownData<'a, H: Host> {
    /// Base64 text with the type that the bytes show; and the original `data:` URL or host's bytes, if the media had
    /// that form.
    Base64 { mime: Cow<'static, str>, data: Text<H>, url: Option<&'a Text<H>>, bytes: Option<&'a Raw<H>> },
    /// A URL, and the type of its content if the target needs it.
    Url(&'a Text<H>, Option<Cow<'static, str>>),
    /// The text of a document.
    Plain(Text<H>),
    /// The id of a file at the target's provider.
    File(Text<H>),
}

impl<H: Host> ShownData<'_, H> {
    /// The type of data. `None` for content elsewhere.
    pub(super) fn mime(&self) -> Option<&str> {
        match self {
            Self::Base64 { mime, .. } => Some(mime),
            Self::Plain(_) => Some(PLAIN_TEXT),
            Self::Url(..) | Self::File(_) => None,
        }
    }
}

/// How the target accepts media.
pub(super) enum Taken<'a, H: Host> {
    /// It accepts them, perhaps with a note about a changed form.
    As(Shown<'a, H>, Option<String>),
    /// It accepts the text of the document as text.
    AsText(&'a Text<H>),
    /// It accepts the text in this file as text.
    Decoded(Text<H>),
    /// It refuses them, for this reason.
    Not(Cow<'static, str>),
}

impl<H: Host> Taken<'_, H> {
    /// It refuses media of this type.
    fn type_not(mime: &str) -> Self {
        Self::Not(format!("the target does not accept {mime}").into())
    }
}

/// The class as which the target may accept media. A file may be of another class than a document.
fn class<H: Host>(rule: &MediaRule, media: &Media<H>, input: Option<&Input>) -> MediaClass {
    let any = rule.documents.contains(&"");
    if media.class == MediaClass::Document && !any { media.class_of_file(input) } else { media.class }
}

/// In which form `rule` accepts `media` of the format `from`.
pub(super) fn take<'a, H: Host>(
    rule: &MediaRule,
    media: &'a Media<H>,
    from: DialectId,
    input: Option<&Input>,
) -> Result<Taken<'a, H>, Error> {
    let class = class(rule, media, input);
    let taken = |data| Taken::As(Shown::of(media, data), None);
    let may_be_text = class == MediaClass::Document && rule.plain != PlainDocument::Refused;
    let none = rule.types(class).is_empty() && !rule.urls.contains(&class) && !may_be_text;
    Ok(match &media.data {
        MediaData::File(id) if knows(rule, class, from) => match rule.files {
            Some(Files { as_address: true, .. }) => by_url(rule, media, id, input),
            _ => taken(ShownData::File(id.share())),
        },
        MediaData::File(_) => {
            let files = from.limits().ok().and_then(|limits| limits.media.files);
            Taken::Not(files.map_or(STORED_ELSEWHERE, |files| files.elsewhere).into())
        }
        MediaData::Texts(texts) if class == MediaClass::Document && rule.in_texts != InTexts::Nothing => {
            let images: &[_] = if rule.in_texts == InTexts::WithImages { &texts.images } else { &[] };
            if texts.each.is_empty() && images.is_empty() {
                return Ok(Taken::Not("the target has no documents of images".into()));
            }
            let shown = Shown::of(media, ShownData::Plain(texts.whole.share()));
            Taken::As(Shown { texts: Some(&texts.each), images, ..shown }, None)
        }
        MediaData::Plain(text) if class == MediaClass::Document => plain(rule, media, text, input),
        MediaData::Texts(texts) if class == MediaClass::Document => plain(rule, media, &texts.whole, input),
        _ if none => Taken::Not(format!("the target does not accept {}", class.name()).into()),
        MediaData::Url(url) if rule.urls.contains(&class) => by_url(rule, media, url, input),
        MediaData::Frames(frames) => match frames.first().filter(|_| rule.frames) {
            Some(first) => Taken::As(Shown { frames, ..Shown::of(media, ShownData::Url(first, None)) }, None),
            None => Taken::Not("the target does not accept video as a list of frames".into()),
        },
        MediaData::Url(_) => Taken::Not("the target does not accept an address for this kind of media".into()),
        MediaData::Plain(_) | MediaData::Texts(_) => Taken::Not(format!("no {} is plain text", class.name()).into()),
        MediaData::Base64(_) | MediaData::DataUrl(_) | MediaData::Bytes(_) => match bytes(rule, media, class, input)? {
            Taken::As(shown, told) => Taken::As(Shown { class, ..shown }, told),
            other => other,
        },
    })
}

/// In which form `rule` accepts media at an address.
fn by_url<'a, H: Host>(rule: &MediaRule, media: &'a Media<H>, url: &'a Text<H>, input: Option<&Input>) -> Taken<'a, H> {
    let types = rule.types(media.class);
    let fetches = rule.schemes.is_empty() || rule.schemes.iter().any(|scheme| url.starts_with(scheme, input));
    let place = || rule.address.is_none_or(|is_one| is_one(&url.to_str(input)));
    let needs_type = rule.typed_urls == TypedUrls::Always;
    let as_plain = |mime: &str| !has(types, mime) && file_type::is_text(mime) && has(types, PLAIN_TEXT);
    match media.type_of_address(input).filter(|_| rule.typed_urls != TypedUrls::Never) {
        _ if fetches && !place() => Taken::Not("the target fetches nothing from such an address".into()),
        _ if !fetches => Taken::Not(format!("the target fetches only {}…", rule.schemes.join("…, ")).into()),
        None if needs_type => Taken::Not("the media type at this address is unknown".into()),
        Some(mime) if as_plain(&mime) => {
            let said = format!("the target accepts {mime} as plain text");
            Taken::As(Shown::of(media, ShownData::Url(url, Some(PLAIN_TEXT.into()))), Some(said))
        }
        Some(mime) if needs_type && !has(types, &mime) => Taken::type_not(&mime),
        mime => Taken::As(Shown::of(media, ShownData::Url(url, mime)), None),
    }
}

/// In which form `rule` accepts a document that is text.
fn plain<'a, H: Host>(rule: &MediaRule, media: &'a Media<H>, text: &'a Text<H>, input: Option<&Input>) -> Taken<'a, H> {
    match rule.plain {
        PlainDocument::Document => Taken::As(Shown::of(media, ShownData::Plain(text.share())), None),
        PlainDocument::Bytes => text_as_bytes(rule, media, text, input),
        PlainDocument::Text => Taken::AsText(text),
        PlainDocument::Refused => Taken::Not("the target does not accept documents".into()),
    }
}

fn has(types: &[&str], mime: &str) -> bool {
    types.iter().any(|known| known.is_empty() || *known == mime)
}

/// The text of a document as the bytes of a file.
fn text_as_bytes<'a, H: Host>(
    rule: &MediaRule,
    media: &'a Media<H>,
    text: &Text<H>,
    input: Option<&Input>,
) -> Taken<'a, H> {
    let declared = media.mime.as_ref().map(|mime| mime.to_str(input).to_ascii_lowercase());
    let declared = declared.filter(|mime| mime.starts_with("text/") && rule.documents.contains(&mime.as_str()));
    let mime = declared.map_or(Cow::Borrowed(PLAIN_TEXT), Cow::Owned);
    if text.is_empty() {
        return Taken::Not("the document is empty".into());
    }
    let mut data = Vec::new();
    base64::encode(text.to_str(input).as_bytes(), &mut data);
    let data = Text::own(&String::from_utf8_lossy(&data));
    let shown = Shown::of(media, ShownData::Base64 { mime, data, url: None, bytes: None });
    let half = text.has_lone_surrogate();
    Taken::As(shown, half.then(|| "the bytes of this text have lone surrogates".to_owned()))
}

/// Whether file ids of the format `from` are also valid at the target's provider.
fn knows(rule: &MediaRule, class: MediaClass, from: DialectId) -> bool {
    let theirs = from.limits().ok().and_then(|limits| limits.media.files);
    let same = |mine: Files| theirs.is_some_and(|theirs| theirs.holder == mine.holder);
    rule.files.is_some_and(|mine| same(mine) && mine.classes.contains(&class))
}

/// Whether a part of the target's own format has bytes in the other form than its client takes.
pub(crate) fn has_other_blobs<H: Host>(target: &Target<'_>, part: &Part<H>, input: Option<&Input>) -> bool {
    let as_bytes = target.options.raw_blobs;
    let is_other = |part: &Part<H>| match &part.kind {
        Kind::Media(Media { data: MediaData::Base64(_), .. }) => as_bytes,
        Kind::Media(Media { data: MediaData::Bytes(_), .. }) => !as_bytes,
        Kind::Reasoning(Reasoning { text: None }) => {
            let value = part.origin.as_ref().and_then(|origin| origin.to_value(input).ok());
            value.is_some_and(|value| holds_bytes(&value) != as_bytes)
        }
        _ => false,
    };
    target.options.own_blobs && target.id.facts.blobs && part.with_blocks().any(is_other)
}

fn holds_bytes<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Leaf(leaf) => H::blob_len(leaf).is_some(),
        Value::List(items) => items.iter().any(holds_bytes),
        Value::Map(entries) => entries.iter().any(|(_, held)| holds_bytes(held)),
        _ => false,
    }
}

/// Whether media of the target's own format are acceptable and correctly declared. Of files at the provider, only the
/// class is checked.
pub(crate) fn media_fits<H: Host>(rule: &MediaRule, media: &Media<H>, input: Option<&Input>) -> bool {
    let named = || media.name.as_ref().is_some_and(|name| fits_at_home(&name.to_str(input), rule));
    if media.class == MediaClass::Document && rule.names.is_some() && !named() {
        return false;
    }
    let ordinary = || {
        rule.judged == Judged::Either
            || media.base64(input).is_ok_and(|inline| inline.is_none_or(|inline| inline.is_standard(input)))
    };
    // A file whose text is written is not the document that came.
    let stays = || match take(rule, media, DialectId::NONE, input) {
        Ok(Taken::As(shown, None)) => !matches!(shown.data, ShownData::Plain(_)) || media.data.plain().is_some(),
        Ok(Taken::AsText(_)) => true,
        _ => false,
    };
    match &media.data {
        _ if rule.judged == Judged::Never => true,
        MediaData::File(_) => rule.files.is_none_or(|files| files.classes.contains(&media.class)),
        // Where sound has no address, its data are not written as one.
        MediaData::DataUrl(_) if media.class == MediaClass::Audio && !rule.urls.contains(&media.class) => false,
        _ => ordinary() && (stays() || stays_at_home(rule, media, input)),
    }
}

/// Whether a document is of a type that the target's own payloads may have, though none is written for it.
fn stays_at_home<H: Host>(rule: &MediaRule, media: &Media<H>, input: Option<&Input>) -> bool {
    if media.class != MediaClass::Document || rule.at_home.is_empty() {
        return false;
    }
    let mime = match media.base64(input) {
        Ok(Some(inline)) if base64::is_sound(&inline.data.wtf8(input)) => inline.true_type(input),
        _ => media.type_of_address(input),
    };
    mime.is_some_and(|mime| rule.at_home.contains(&&*mime))
}

/// Whether media are written as media, once what is wrong with them is put right.
pub(super) fn stays_media<H: Host>(rule: &MediaRule, media: &Media<H>, input: Option<&Input>) -> bool {
    matches!(take(rule, media, DialectId::NONE, input), Ok(Taken::As(..)))
}

const NOT_UTF8: &str = "this text is not UTF-8";

/// The text of a file. `None` if it is not UTF-8.
fn decoded<H: Host>(inline: &Inline<H>, input: Option<&Input>) -> Option<String> {
    let data = inline.data.wtf8(input);
    let bytes = base64::decode(&data).or_else(|| base64::decode(base64::repaired(&data)?.as_bytes()));
    String::from_utf8(bytes?).ok()
}

/// A file of a type that the target does not accept. If it is text, its text may be.
fn text_file<'a, H: Host>(
    rule: &MediaRule,
    media: &'a Media<H>,
    (inline, mime): (&Inline<H>, Option<Cow<'static, str>>),
    input: Option<&Input>,
) -> Taken<'a, H> {
    let Some(mime) = mime else { return Taken::Not("the media type is unknown".into()) };
    if rule.plain == PlainDocument::Refused || media.class != MediaClass::Document || !file_type::is_text(&mime) {
        return Taken::type_not(&mime);
    }
    let Some(text) = decoded(inline, input) else { return Taken::Not(NOT_UTF8.into()) };
    let said = (mime != PLAIN_TEXT).then(|| format!("the target accepts {mime} as plain text"));
    let text = Text::own(&text);
    match rule.plain {
        PlainDocument::Text if !has(rule.documents, PLAIN_TEXT) => Taken::Decoded(text),
        PlainDocument::Text | PlainDocument::Bytes => match text_as_bytes(rule, media, &text, input) {
            Taken::As(shown, note) => Taken::As(shown, note.or(said)),
            not => not,
        },
        _ => Taken::As(Shown::of(media, ShownData::Plain(text)), said),
    }
}

fn bytes<'a, H: Host>(
    rule: &MediaRule,
    media: &'a Media<H>,
    class: MediaClass,
    input: Option<&Input>,
) -> Result<Taken<'a, H>, Error> {
    let Some(inline) = media.base64(input)? else {
        return Ok(Taken::Not("the target accepts data only as base64".into()));
    };
    let ordinary = inline.is_standard(input);
    let inline = inline.standard(input);
    let declared = || media.true_type(&inline, input);
    let mime = if rule.typed_data { declared() } else { inline.shown_type(input).map(Cow::Borrowed) };
    let Some(mime) = mime.filter(|mime| has(rule.types(class), mime)) else {
        return Ok(text_file(rule, media, (&inline, declared()), input));
    };
    // A target that names all types of text alike reads each file as text.
    let reads = class == MediaClass::Document && rule.plain == PlainDocument::Text && !rule.documents.contains(&"");
    if reads && file_type::is_text(&mime) && decoded(&inline, input).is_none() {
        return Ok(Taken::Not(NOT_UTF8.into()));
    }
    let text = inline.data.wtf8(input);
    if !base64::is_sound(&text) {
        return Ok(match base64::repaired(&text) {
            None => Taken::Not("the data are not base64 text".into()),
            Some(sound) => {
                let data = ShownData::Base64 { mime, data: Text::own(&sound), url: None, bytes: None };
                Taken::As(Shown::of(media, data), Some("the base64 text is not spelled as it should be".into()))
            }
        });
    }
    drop(text);
    let other = inline.mime.as_ref().filter(|declared| !declared.is(&mime, input));
    let said = other.map(|declared| format!("declared as {}, but it is {mime}", declared.to_str(input)));
    // Correctly spelled data may stay unchanged.
    let (url, odd) = match &media.data {
        MediaData::DataUrl(url) => (Some(url), inline.mime.is_none()),
        MediaData::Base64(text) => (None, text.starts_with("data:", input)),
        _ => (None, false),
    };
    let said = said.or_else(|| odd.then(|| "the data or their address do not say what they are".to_owned()));
    let url = url.filter(|_| said.is_none() && ordinary);
    let bytes = if let MediaData::Bytes(bytes) = &media.data { Some(bytes) } else { None };
    let data = ShownData::Base64 { mime, data: inline.data, url, bytes };
    Ok(Taken::As(Shown::of(media, data), said))
}
