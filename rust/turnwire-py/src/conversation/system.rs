//! The system text beside the turns of a conversation.

use pyo3::{prelude::*, types::PyTuple};
use turnwire_core::model::{conversation::Frame, part::Kind};

use crate::{host::PyHost, part::text_of};

/// The system texts. Each is the original str.
pub(super) fn texts<'py>(py: Python<'py>, frame: &Frame<PyHost>) -> PyResult<Bound<'py, PyTuple>> {
    let parts = frame.system.iter().flat_map(|system| &system.parts);
    let texts = parts.filter_map(|part| match &part.kind {
        Kind::Text(text) => Some(text_of(py, &text.detach(frame.input.as_ref()))),
        _ => None,
    });
    PyTuple::new(py, texts.collect::<PyResult<Vec<_>>>()?)
}
