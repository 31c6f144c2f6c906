//! Holds the limits of media: which a target accepts, in which form, and where.

use super::NameRule;
use crate::rules::MediaClass;

/// Which media a target accepts, and in which form.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each is a column of its own")]
pub struct MediaRule {
    /// The types of images whose bytes it accepts. An empty name means any type.
    pub images: &'static [&'static str],
    /// The types of audio.
    pub audio: &'static [&'static str],
    /// The types of video.
    pub video: &'static [&'static str],
    /// The types of documents.
    pub documents: &'static [&'static str],
    /// The further types of documents that its own payloads may have. Those of others are written in another form.
    pub at_home: &'static [&'static str],
    /// Whether a film may be a list of frames.
    pub frames: bool,
    /// The kinds of media that it fetches from a URL.
    pub urls: &'static [MediaClass],
    /// The allowed beginnings of such a URL. None if any is allowed.
    pub schemes: &'static [&'static str],
    /// A further check of such a URL.
    pub address: Option<fn(&str) -> bool>,
    /// The kinds of media that it accepts by the file ids of its provider.
    pub files: Option<Files>,
    /// Whether data have a declared type. Otherwise only the bytes show it.
    pub typed_data: bool,
    /// Whether the type of what it fetches is beside the URL.
    pub typed_urls: TypedUrls,
    /// The kinds of media that may have a name.
    pub named: &'static [MediaClass],
    /// Whether an image may have a detail level.
    pub detail: bool,
    /// How a plain-text document is written.
    pub plain: PlainDocument,
    /// What a document may be made of, beside bytes.
    pub in_texts: InTexts,
    /// The form of a document's name, if each document needs a unique one.
    pub names: Option<NameRule>,
    /// The characters that the documentation forbids in a document's name, and that its servers take.
    pub taken_in_names: &'static [char],
    /// Whether a document must have text beside it.
    pub text_beside: bool,
    /// Whether audio is allowed in a conversation with system text.
    pub sound_beside_system: bool,
    /// How strictly base64 is checked.
    pub judged: Judged,
}

/// The files that a target accepts by their ids.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// Who holds them: their ids mean nothing to others.
    pub holder: &'static str,
    /// Why others do not accept them.
    pub elsewhere: &'static str,
    /// The kinds of media that such a file may be.
    pub classes: &'static [MediaClass],
    /// Whether their ids are addresses, and are written as such.
    pub as_address: bool,
}

impl Files {
    /// No file of any kind.
    pub const NONE: Self = Self { holder: "", elsewhere: STORED_ELSEWHERE, classes: &[], as_address: false };
}

/// Why nobody but the provider that stores a file accepts its id.
pub const STORED_ELSEWHERE: &str = "only the provider that stores the file knows this file id";

/// The holder of a training row's own files: whoever made it.
pub const ROW_FILES: &str = "row";

/// Whether a media type is beside a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedUrls {
    /// There is no place for it.
    Never,
    /// If it is known.
    Optional,
    /// The target needs it.
    Always,
}

/// Which base64 a target accepts in its own payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Any: a format that is only stored takes all media.
    Never,
    /// The standard alphabet.
    Ordinary,
    /// The URL-safe alphabet as well.
    Either,
}

/// What a document may be made of, beside bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTexts {
    /// Nothing else.
    Nothing,
    /// Texts.
    Only,
    /// Texts and images.
    WithImages,
}

/// How a plain-text document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainDocument {
    /// It stays a document.
    Document,
    /// As a document whose bytes are the text.
    Bytes,
    /// As ordinary text.
    Text,
    /// Not at all: the target has no documents.
    Refused,
}

/// Whether a result may hold media. Otherwise they move after the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaInResult {
    /// No.
    Never,
    /// In the result of a tool that did not fail.
    UnlessFailed,
    /// Media of these kinds.
    Of(&'static [MediaClass]),
    /// Data of these types.
    Only(&'static [&'static str]),
    /// Yes.
    Always,
}

impl MediaInResult {
    /// Whether a result may hold media of this kind and type. The type is `None` for media without data.
    #[must_use]
    pub fn holds(self, class: MediaClass, mime: Option<&str>, failed: bool) -> bool {
        match self {
            Self::Never => false,
            Self::UnlessFailed => !failed,
            Self::Of(classes) => classes.contains(&class),
            Self::Only(types) => mime.is_some_and(|mime| types.contains(&mime)),
            Self::Always => true,
        }
    }
}

/// The images that almost every provider accepts.
pub const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The URLs that every provider fetches.
pub const WEB: &[&str] = &["https://", "http://"];

impl MediaRule {
    /// No media at all.
    pub const NONE: Self = Self {
        images: &[],
        audio: &[],
        video: &[],
        documents: &[],
        at_home: &[],
        frames: false,
        urls: &[],
        schemes: WEB,
        address: None,
        files: None,
        typed_data: true,
        typed_urls: TypedUrls::Never,
        named: &[],
        detail: false,
        plain: PlainDocument::Refused,
        in_texts: InTexts::Nothing,
        names: None,
        taken_in_names: &[],
        text_beside: false,
        sound_beside_system: true,
        judged: Judged::Ordinary,
    };

    /// The types of this kind whose bytes it accepts.
    #[must_use]
    pub fn types(&self, class: MediaClass) -> &'static [&'static str] {
        match class {
            MediaClass::Image => self.images,
            MediaClass::Audio => self.audio,
            MediaClass::Video => self.video,
            MediaClass::Document => self.documents,
        }
    }
}
