//! Reading JSON.

use crate::{
    error::{Code, Error},
    handle::{Host, Value},
};

/// One JSON text as a frozen value.
pub fn value<H: Host>(_bytes: &[u8]) -> Result<Value<H>, Error> {
    Err(Error::new(Code::InvalidJson, "not yet"))
}

/// What argument text is: one JSON object (nothing at all counts as the empty one), the beginning of one, or neither.
#[must_use]
pub fn args_state(_text: &[u8]) -> crate::tool::ArgsState {
    crate::tool::ArgsState::Invalid
}
