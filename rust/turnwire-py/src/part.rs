//! The parts of a turn other than calls and results, and conversions between handles and Python strings.

mod kept;
mod media;
mod text;

use pyo3::{prelude::*, types::PyString};
use turnwire_core::{model::part, value::handle};

pub(crate) use self::{
    kept::{Kept, Opaque, Reasoning},
    media::Media,
    text::Text,
};
use crate::{
    error::raise,
    host::{PyHost, PyStr},
    sink::string,
};

pub(crate) type Part = part::Part<PyHost>;
pub(crate) type Handle = handle::Text<PyHost>;

/// A Python string as a handle.
pub(crate) fn handle(text: &Bound<'_, PyString>) -> PyResult<Handle> {
    PyStr::new(text).map(Handle::Host)
}

/// A Python string with each lone surrogate as U+FFFD.
pub(crate) fn whole(text: &Bound<'_, PyString>) -> PyResult<String> {
    handle(text).map(|text| text.to_str(None).into_owned())
}

/// A handle without a span as a Python string.
pub(crate) fn text_of<'py>(py: Python<'py>, text: &Handle) -> PyResult<Bound<'py, PyString>> {
    string(py, text, None).map_err(raise)
}

pub(crate) fn maybe_text<'py>(py: Python<'py>, text: Option<&Handle>) -> PyResult<Option<Bound<'py, PyString>>> {
    text.map(|text| text_of(py, text)).transpose()
}
