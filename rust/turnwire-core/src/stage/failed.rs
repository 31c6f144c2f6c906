//! A build that failed: its error, and the changes until then.

use std::fmt;

use crate::report::{Error, Receipt};

/// A build that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The error.
    pub error: Error,
    /// The changes of the steps before it. It has no first changed index, because there is no result to compare.
    pub receipt: Box<Receipt>,
}

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(out)
    }
}

impl std::error::Error for Failed {}

impl From<Failed> for Error {
    fn from(failed: Failed) -> Self {
        failed.error
    }
}
