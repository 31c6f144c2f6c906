//! Limits of media: what a target takes, in which form, and where.

use super::NameRule;
use crate::rules::media_class::MediaClass;

/// Which media a target takes, and in which form.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "a row of a table: each is a column of its own")]
pub struct MediaRule {
    /// The types of images whose bytes it takes; an empty name stands for any.
    pub images: &'static [&'static str],
    /// The types of sound.
    pub audio: &'static [&'static str],
    /// The types of film.
    pub video: &'static [&'static str],
    /// The types of documents.
    pub documents: &'static [&'static str],
    /// What it fetches by its address.
    pub urls: &'static [MediaClass],
    /// What such an address begins with, unless it may be anything.
    pub schemes: &'static [&'static str],
    /// What else such an address must be.
    pub address: Option<fn(&str) -> bool>,
    /// What it takes by the id of a file that its provider holds.
    pub files: Option<Files>,
    /// Whether data are sent with their type; where they are not, only their bytes tell it.
    pub typed_data: bool,
    /// Whether it wants to be told the type of what it fetches.
    pub typed_urls: bool,
    /// What may have a name.
    pub named: &'static [MediaClass],
    /// Whether an image may say how closely to look at it.
    pub detail: bool,
    /// What becomes of a document that is plain text.
    pub plain: PlainDocument,
    /// What the name of a document may be, where each must have one that no other has.
    pub names: Option<NameRule>,
    /// Whether a document must have text beside it.
    pub text_beside: bool,
    /// Whether sound is taken in a conversation that has system text.
    pub sound_beside_system: bool,
    /// How closely what came is looked at.
    pub judged: Judged,
}

/// What one takes by the ids of files.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// Who holds them: nobody else knows their ids.
    pub holder: &'static str,
    /// What may be such a file.
    pub classes: &'static [MediaClass],
}

/// What base64 a target takes in its own payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Any: media that are stored and not sent may be anything.
    Never,
    /// That of the ordinary alphabet.
    Ordinary,
    /// That of the alphabet for URLs as well.
    Either,
}

/// What becomes of a document that is plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainDocument {
    /// It stays a document.
    Document,
    /// It is a document whose bytes are the text.
    Bytes,
    /// It is text like any other.
    Text,
    /// Nothing: the target has no documents.
    Refused,
}

/// Whether media may stand inside a result; elsewhere they move behind the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaInResult {
    /// No.
    Never,
    /// In the result of a tool that did not fail.
    UnlessFailed,
    /// Whatever is of these classes.
    Of(&'static [MediaClass]),
    /// Data of these types.
    Only(&'static [&'static str]),
    /// Yes.
    Always,
}

impl MediaInResult {
    /// Whether media of this class and type may stand in a result; no type for what is no data.
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

/// The images that nearly every provider takes.
pub const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The addresses that every provider fetches.
pub const WEB: &[&str] = &["https://", "http://"];

impl MediaRule {
    /// No media at all.
    pub const NONE: Self = Self {
        images: &[],
        audio: &[],
        video: &[],
        documents: &[],
        urls: &[],
        schemes: WEB,
        address: None,
        files: None,
        typed_data: true,
        typed_urls: false,
        named: &[],
        detail: false,
        plain: PlainDocument::Refused,
        names: None,
        text_beside: false,
        sound_beside_system: true,
        judged: Judged::Ordinary,
    };

    /// The types of this class whose bytes it takes.
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
