//! Holds a setting as a body says it.

use crate::{
    report::Step,
    rules::Setting,
    value::{Host, Value},
};

/// A setting that a body has.
pub(super) struct Said<H: Host> {
    pub(super) setting: &'static Setting,
    /// The value in neutral words. A composed one is unchanged.
    pub(super) value: Value<H>,
    /// Its path.
    pub(super) at: Vec<Step>,
}
