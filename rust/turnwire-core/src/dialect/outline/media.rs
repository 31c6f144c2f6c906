//! Media on their way to a target: in which form its row takes them, or why it does not.

use std::borrow::Cow;

use crate::{
    base64,
    dialect::limits::{MediaRule, PlainDocument},
    error::Error,
    handle::{Host, Input, Text},
    media::{Media, MediaClass, MediaData},
};

/// Media that the target takes.
pub(crate) struct Shown<'a, H: Host> {
    pub(crate) class: MediaClass,
    /// The file's name.
    pub(crate) name: Option<&'a Text<H>>,
    pub(crate) data: ShownData<'a, H>,
}

/// Where the bytes are.
pub(crate) enum ShownData<'a, H: Host> {
    /// Base64 text, with the type that the bytes show, and the `data:` URL that says just this, where it came as one.
    Base64 { mime: Cow<'static, str>, data: Text<H>, url: Option<&'a Text<H>> },
    /// An address.
    Url(&'a Text<H>),
    /// The text of a document.
    Plain(Text<H>),
}

/// What the target makes of media.
pub(super) enum Taken<'a, H: Host> {
    /// It takes them, perhaps with a word about what had to be said differently.
    As(Shown<'a, H>, Option<String>),
    /// It takes the text of the document, as text.
    AsText(&'a Text<H>),
    /// It does not, for this reason.
    Not(Cow<'static, str>),
}

/// In which form `rule` takes `media`.
pub(super) fn take<'a, H: Host>(
    rule: &MediaRule,
    media: &'a Media<H>,
    input: Option<&Input>,
) -> Result<Taken<'a, H>, Error> {
    let class = media.class;
    let taken = |data| Taken::As(Shown { class, name: media.name.as_ref(), data }, None);
    let none = rule.types(class).is_empty() && !rule.urls.contains(&class);
    Ok(match &media.data {
        MediaData::File(_) => Taken::Not("a file id is only known to the provider that holds the file".into()),
        MediaData::Plain(text) if class == MediaClass::Document => match rule.plain {
            PlainDocument::Document => taken(ShownData::Plain(text.share())),
            PlainDocument::Text => Taken::AsText(text),
            PlainDocument::Refused => Taken::Not("the target takes no documents".into()),
        },
        _ if none => Taken::Not(format!("the target takes no {}", class.name()).into()),
        MediaData::Url(url) if rule.urls.contains(&class) => {
            let fetches = rule.schemes.is_empty() || rule.schemes.iter().any(|scheme| url.starts_with(scheme, input));
            if fetches { taken(ShownData::Url(url)) } else { Taken::Not("the target fetches from the web only".into()) }
        }
        MediaData::Url(_) => Taken::Not("the target takes no address for this kind of media".into()),
        MediaData::Plain(_) => Taken::Not(format!("no {} is plain text", class.name()).into()),
        MediaData::Base64(_) | MediaData::DataUrl(_) | MediaData::Bytes(_) => bytes(rule, media, input)?,
    })
}

/// Whether `rule` takes `media` in any form.
pub(crate) fn takes<H: Host>(rule: &MediaRule, media: &Media<H>, input: Option<&Input>) -> bool {
    !matches!(take(rule, media, input), Ok(Taken::Not(_)) | Err(_))
}

/// Whether media of the target's own format are what it takes, declared as what they are. A file that the provider holds is
/// its own affair.
pub(crate) fn media_fits<H: Host>(rule: &MediaRule, media: &Media<H>, input: Option<&Input>) -> bool {
    !rule.judged
        || matches!(media.data, MediaData::File(_))
        || matches!(take(rule, media, input), Ok(Taken::As(_, None) | Taken::AsText(_)))
}

fn bytes<'a, H: Host>(rule: &MediaRule, media: &'a Media<H>, input: Option<&Input>) -> Result<Taken<'a, H>, Error> {
    let Some(inline) = media.base64(input)? else {
        return Ok(Taken::Not("the target takes data as base64 only".into()));
    };
    let Some(mime) = inline.true_type(input) else {
        return Ok(Taken::Not("nothing says what kind of media this is".into()));
    };
    let (class, name) = (media.class, media.name.as_ref());
    let types = rule.types(class);
    if !types.iter().any(|known| known.is_empty() || *known == mime) {
        let plain = class == MediaClass::Document && mime.starts_with("text/") && rule.plain == PlainDocument::Document;
        if !plain {
            return Ok(Taken::Not(format!("the target takes no {mime}").into()));
        }
        let text = base64::decode(&inline.data.wtf8(input)).and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(text) = text else { return Ok(Taken::Not("this text is not UTF-8".into())) };
        let said = (mime != "text/plain").then(|| format!("the target takes {mime} as plain text"));
        return Ok(Taken::As(Shown { class, name, data: ShownData::Plain(Text::own(&text)) }, said));
    }
    let text = inline.data.wtf8(input);
    if !base64::is_sound(&text) {
        return Ok(match base64::mended(&text) {
            None => Taken::Not("the data are no base64 text".into()),
            Some(sound) => {
                let data = ShownData::Base64 { mime, data: Text::own(&sound), url: None };
                Taken::As(Shown { class, name, data }, Some("the base64 text was not spelled as it should be".into()))
            }
        });
    }
    drop(text);
    let other = inline.mime.as_ref().filter(|declared| !declared.is(&mime, input));
    let said = other.map(|declared| format!("declared as {}, but it is {mime}", declared.to_str(input)));
    // What is spelled as it should be may go on as it is.
    let (url, odd) = match &media.data {
        MediaData::DataUrl(url) => (Some(url), inline.mime.is_none()),
        MediaData::Base64(text) => (None, text.starts_with("data:", input)),
        _ => (None, false),
    };
    let said = said.or_else(|| odd.then(|| "the data or their address do not say what they are".to_owned()));
    let url = url.filter(|_| said.is_none());
    Ok(Taken::As(Shown { class, name, data: ShownData::Base64 { mime, data: inline.data, url } }, said))
}
