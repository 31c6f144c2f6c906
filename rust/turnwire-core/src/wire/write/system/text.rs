//! Holds one system text for the target's system key.

use crate::{
    value::{Extras, Host, Input, Raw, Text},
    wire::plan::Cached,
};

/// One system text.
pub(crate) struct SystemText<'a, H: Host> {
    /// The text, or the name of the type for other content.
    pub(crate) text: &'a Text<H>,
    /// The input of its spans.
    pub(crate) input: Option<&'a Input>,
    /// Its wire value, if it came from the target's dialect.
    pub(crate) origin: Option<&'a Raw<H>>,
    /// Its unknown keys of the target's dialect, if it is rewritten.
    pub(crate) extras: Option<&'a Extras<H>>,
    /// The turn that it comes from. None for text beside the list.
    pub(crate) turn: Option<usize>,
    /// Its cache mark from another format of the target's family of models.
    pub(crate) cached: Option<Cached>,
}
