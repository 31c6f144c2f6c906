//! The name of a wire format and its profile, as a number: turns carry it, the table in [`dialect`](crate::dialects) reads it.

/// A dialect and its profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DialectId {
    pub(crate) row: u8,
    pub(crate) profile: u8,
}

impl DialectId {
    /// Of turns that were made here: no dialect's origin to replay.
    pub const NONE: Self = Self { row: u8::MAX, profile: 0 };
}
