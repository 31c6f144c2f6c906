//! Bytes of the host as the text that JSON needs.

use super::{Host, Raw, json};
use crate::report::Error;

/// Bytes of the host as base64 text.
pub(crate) fn blob_text<H: Host>(raw: &Raw<H>) -> Result<String, Error> {
    let quoted = json::encode::to_string(raw, None)?;
    Ok(quoted.trim_matches('"').to_owned())
}
