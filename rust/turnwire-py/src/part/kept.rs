//! `Reasoning` and `Opaque`: parts that keep their wire value, because only their own dialect can read it.

use pyo3::{
    prelude::*,
    types::{PyString, PyTuple, PyType},
};
use turnwire_core::{
    model::part::{self, Kind},
    rules::dialect_id::DialectId,
    value::handle::Raw,
};

use super::{Handle, Part, handle, maybe_text, text_of};
use crate::{arguments::Dialect, error::raise, freeze, host::PyHost, html, sink::thaw};

/// A part and its dialect.
pub(crate) struct Kept {
    pub(crate) part: Part,
    pub(crate) from: DialectId,
}

impl Kept {
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        match &self.part.kind {
            Kind::Opaque(name) => text_of(py, name).map(Some),
            Kind::Reasoning(thought) => maybe_text(py, thought.text.as_ref()),
            _ => Ok(None),
        }
    }

    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(origin) = &self.part.origin else { return Ok(py.None().into_bound(py)) };
        thaw(py, &origin.to_value(None).map_err(raise)?).map_err(raise)
    }

    /// Everything that equality and pickling need.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.from.name(), self.value(py)?, self.words(py)?, self.part.signed).into_pyobject(py)
    }

    fn reduce<'py>(&self, class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyTuple>> {
        let py = class.py();
        (class.getattr("_restore")?, self.state(py)?).into_pyobject(py)
    }

    fn restore(kind: Kind<PyHost>, signed: bool, dialect: Dialect, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Dialect(from) = dialect;
        let mut part = Part { signed, ..Part::new(kind) };
        if !value.is_none() {
            part.origin = Some(Raw::Tree(freeze::value(value).map_err(raise)?));
        }
        Ok(Self { part, from })
    }

    fn same(&self, other: &Self) -> bool {
        self.from == other.from && self.part.same(&other.part)
    }

    /// The value holds dicts, so the hash uses only the dialect.
    fn hash(&self) -> isize {
        self.from.name().len().cast_signed()
    }
}

#[doc = stub!("Reasoning")]
#[pyclass(frozen, module = "turnwire.parts", name = "Reasoning")]
pub(crate) struct Reasoning(pub(crate) Kept);

#[pymethods]
impl Reasoning {
    #[doc = stub!("Reasoning.text")]
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.0.words(py)
    }

    #[doc = stub!("Reasoning.dialect")]
    #[getter]
    fn dialect(&self) -> String {
        self.0.from.name()
    }

    #[doc = stub!("Reasoning.value")]
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.value(py)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["dialect", "text"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Reasoning {} from {}>", self.text(py)?.into_pyobject(py)?.repr()?, self.0.from.name()))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> isize {
        self.0.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        slf.get().0.reduce(&slf.get_type())
    }

    #[staticmethod]
    fn _restore(
        dialect: Dialect,
        value: &Bound<'_, PyAny>,
        words: Option<&Bound<'_, PyString>>,
        signed: bool,
    ) -> PyResult<Self> {
        let text = words.map(handle).transpose()?;
        Kept::restore(Kind::Reasoning(part::Reasoning { text }), signed, dialect, value).map(Self)
    }
}

#[doc = stub!("Opaque")]
#[pyclass(frozen, module = "turnwire.parts", name = "Opaque")]
pub(crate) struct Opaque(pub(crate) Kept);

#[pymethods]
impl Opaque {
    #[doc = stub!("Opaque.type")]
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.0.words(py)
    }

    #[doc = stub!("Opaque.dialect")]
    #[getter]
    fn dialect(&self) -> String {
        self.0.from.name()
    }

    #[doc = stub!("Opaque.value")]
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.value(py)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["dialect", "type"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Opaque {} from {}>", self.r#type(py)?.into_pyobject(py)?.repr()?, self.0.from.name()))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> isize {
        self.0.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        slf.get().0.reduce(&slf.get_type())
    }

    #[staticmethod]
    fn _restore(
        dialect: Dialect,
        value: &Bound<'_, PyAny>,
        words: Option<&Bound<'_, PyString>>,
        signed: bool,
    ) -> PyResult<Self> {
        let name = words.map_or_else(|| Ok(Handle::own("")), handle)?;
        Kept::restore(Kind::Opaque(name), signed, dialect, value).map(Self)
    }
}
