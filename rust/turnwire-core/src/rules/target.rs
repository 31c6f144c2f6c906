//! Describes what a payload is written for: a dialect, its limits, and the caller's options.

use super::{dialect_id::DialectId, limits::Limits};
use crate::report::Options;

/// What a payload is written for.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) id: DialectId,
    pub(crate) limits: &'a Limits,
    pub(crate) options: &'a Options,
}
