//! How large a conversation may be.

use std::fmt;

use crate::{report::Error, text::budget::Unit};

/// The caller's own counter of tokens. Its errors end the build.
pub type Counter<'a> = dyn Fn(&str) -> Result<usize, Error> + 'a;

/// A limit and its unit.
#[derive(Clone, Copy)]
pub enum Budget<'a> {
    /// UTF-8 bytes.
    Bytes(usize),
    /// The unit of the caller's counter.
    Tokens(usize, &'a Counter<'a>),
    /// Elements of the list, whatever their size.
    Turns(usize),
}

impl Budget<'_> {
    /// The limit.
    #[must_use]
    pub fn limit(&self) -> usize {
        match self {
            Self::Bytes(limit) | Self::Tokens(limit, _) | Self::Turns(limit) => *limit,
        }
    }

    /// The unit.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            Self::Bytes(_) => Unit::Bytes,
            Self::Tokens(..) => Unit::Tokens,
            Self::Turns(_) => Unit::Turns,
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.limit(), self.unit().name())
    }
}
