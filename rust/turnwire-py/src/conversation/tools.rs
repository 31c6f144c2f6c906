//! The tools of a conversation as Python's dicts.

use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use turnwire_core::{
    model::conversation::Frame,
    value::{door::Sink, handle::Raw},
};

use crate::{error::raise, host::PyHost, part::text_of, sink::PySink};

/// Each definition as `{"name", "description", "parameters"}`, with its other keys.
pub(super) fn defined<'py>(py: Python<'py>, frame: &Frame<PyHost>) -> PyResult<Bound<'py, PyTuple>> {
    let input = frame.input.as_ref();
    let mut tools = Vec::new();
    for tool in frame.tools.iter().flatten() {
        let dict = PyDict::new(py);
        dict.set_item("name", text_of(py, &tool.name.detach(input))?)?;
        if let Some(text) = &tool.description {
            dict.set_item("description", text_of(py, &text.detach(input))?)?;
        }
        let value = |raw: &Raw<PyHost>| {
            let mut out = PySink::new(py);
            out.scope(input);
            out.raw(raw);
            out.finish().map_err(raise)
        };
        if let Some(schema) = &tool.schema {
            dict.set_item("parameters", value(schema)?)?;
        }
        if tool.custom {
            dict.set_item("custom", true)?;
        }
        for (key, raw) in tool.extras.iter().flat_map(|extras| extras.iter()) {
            dict.set_item(text_of(py, &key.detach(input))?, value(raw)?)?;
        }
        tools.push(dict);
    }
    PyTuple::new(py, tools)
}
