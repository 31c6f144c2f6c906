//! Names the kinds of media that limits distinguish.

/// A kind of media.
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
