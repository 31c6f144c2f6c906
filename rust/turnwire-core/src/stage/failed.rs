//! A build that failed: why, and what it had changed by then.

use std::fmt;

use crate::report::{error::Error, receipt::Receipt};

/// Why nothing was built, and what the steps before had changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Why.
    pub error: Error,
    /// The changes of the steps before. It has no first changed index: there is no result that could differ.
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
