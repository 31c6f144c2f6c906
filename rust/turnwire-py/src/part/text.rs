//! `Text`: a text part of any role.

use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};
use turnwire_core::model::part::Kind;

use super::{Part, handle, text_of};
use crate::{html, wrong_argument::Str};

#[doc = stub!("Text")]
#[pyclass(frozen, module = "turnwire.parts", name = "Text")]
pub(crate) struct Text {
    pub(crate) part: Part,
}

#[pymethods]
impl Text {
    #[new]
    fn new(text: Str<'_, '_>) -> PyResult<Self> {
        Ok(Self { part: Part::new(Kind::Text(handle(&text)?)) })
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("text",)
    }

    #[doc = stub!("Text.text")]
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match &self.part.kind {
            Kind::Text(text) | Kind::Refusal(text) => text_of(py, text),
            _ => Ok(PyString::new(py, "")),
        }
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["text"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Text({})", self.text(py)?.repr()?))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> PyResult<bool> {
        self.text(other.py())?.as_any().eq(other.get().text(other.py())?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text(py)?.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        (slf.get_type(), (slf.get().text(py)?,)).into_pyobject(py)
    }
}
