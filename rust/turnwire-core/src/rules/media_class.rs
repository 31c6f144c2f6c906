//! The kinds of media that limits tell apart.

/// What kind of media.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaClass {
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// A document or any other file.
    Document,
}
