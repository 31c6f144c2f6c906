//! Defines what reading a part or a result gives.

use crate::{
    model::{Flaw, Inner, ToolResult},
    value::Source,
    wire::read::Keys,
};

/// A part of content that is being read.
pub(crate) struct PartDraft<'k, 'a, S: Source> {
    pub(crate) keys: &'k mut Keys<'a, S>,
    /// Unknown keys of an object inside it.
    pub(crate) inner: Option<Box<Inner<S::H>>>,
    /// Its flaw.
    pub(crate) flaw: Option<&'static Flaw>,
    /// Whether it carries a signature.
    pub(crate) signed: bool,
}

/// A result, and its flaw.
pub(crate) type Answer<H> = (ToolResult<H>, Option<&'static Flaw>);
