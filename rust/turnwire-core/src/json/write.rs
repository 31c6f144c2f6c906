//! Writing JSON.

use crate::{
    error::{Code, Error},
    handle::{Host, Input, Raw},
};

/// A value as JSON text.
pub fn to_string<H: Host>(_raw: &Raw<H>, _input: Option<&Input>) -> Result<String, Error> {
    Err(Error::new(Code::InvalidJson, "not yet"))
}
