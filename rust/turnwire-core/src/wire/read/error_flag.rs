//! Reads the textual mark of a failed result, for formats without a flag for it.

use crate::{
    model::{Content, ERROR_PREFIX, Kind, Part},
    report::Error,
    value::{Host, Input},
};

/// Whether the tool failed. Removes the mark, which is before the first text or alone.
pub(crate) fn take<H: Host>(content: &mut Content<H>, input: Option<&Input>) -> Result<bool, Error> {
    let text = match content {
        Content::Text(text) => text,
        Content::Blocks(parts) => match parts.first_mut() {
            Some(Part { kind: Kind::Text(text), .. }) => text,
            _ => return Ok(false),
        },
        Content::Absent => return Ok(false),
    };
    if !text.starts_with(ERROR_PREFIX, input) {
        return Ok(false);
    }
    if !text.is(ERROR_PREFIX, input) {
        *text = text.after(ERROR_PREFIX.len(), input)?;
        return Ok(true);
    }
    match content {
        Content::Blocks(parts) if parts.len() > 1 => drop(parts.remove(0)),
        _ => *content = Content::Absent,
    }
    Ok(true)
}
