//! The request of a reply, which has the caller's own tool names.

use pyo3::prelude::*;
use turnwire_core::{
    detect::{ReadAs, Reading},
    replies,
    report::tool_names::ToolNames,
    rules::dialect_id::DialectId,
};

use crate::{conversation::Conversation, error::raise, rendered::Rendered};

/// The tool names of a `Rendered`, or of a body in any dialect that was prepared for `dialect`. If several dialects fit
/// the body, the client's is taken, provided that the body can be read in it.
pub(crate) fn names(request: Option<&Bound<'_, PyAny>>, dialect: DialectId, client: DialectId) -> PyResult<ToolNames> {
    let Some(request) = request else { return Ok(ToolNames::default()) };
    if let Ok(rendered) = request.cast::<Rendered>() {
        let names = rendered.get().tool_names().clone();
        if !replies::has_own_tools(dialect) {
            return Ok(names);
        }
        // What only the provider's format describes stands in the payload.
        let payload = rendered.get().payload(request.py());
        let sent = Conversation::shared_or_read(payload, Reading::Auto(Some(dialect)), &ReadAs::default(), None)?;
        return replies::with_own_tools(names, &sent, dialect, client).map_err(raise);
    }
    let read = |hint| Conversation::shared_or_read(request, Reading::Auto(hint), &ReadAs::default(), None);
    let request = read(Some(client)).or_else(|_| read(None))?;
    replies::names_for(&request, dialect, client).map_err(raise)
}
