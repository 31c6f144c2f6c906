//! `Finding`: what a build would change, warn of or refuse.

use pyo3::{prelude::*, types::PyTuple};
use turnwire_core::{report::severity::Severity, stage::check::Finding as Found};

use crate::{
    html,
    pickle::{Path, lasting, named},
};

#[doc = stub!("Finding")]
#[pyclass(frozen, eq, module = "turnwire._core", name = "Finding")]
#[derive(PartialEq)]
pub(crate) struct Finding(pub(crate) Found);

#[pymethods]
impl Finding {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        ("code", "severity", "path", "message", "would")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Found { code, severity, path, id, message, would } = &slf.get().0;
        let said = (*code, severity.name(), Path(path.clone()), id.as_deref(), message.as_ref(), *would);
        (slf.get_type().getattr("_restore")?, said).into_pyobject(slf.py())
    }

    #[staticmethod]
    fn _restore(
        code: &str,
        severity: &str,
        path: Path,
        id: Option<String>,
        message: String,
        would: &str,
    ) -> PyResult<Self> {
        let (severity, path) = (named(&Severity::ALL, severity, Severity::name)?, path.0);
        Ok(Self(Found { code: lasting(code), severity, path, id, message: message.into(), would: lasting(would) }))
    }

    #[doc = stub!("Finding.code")]
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code
    }

    #[doc = stub!("Finding.severity")]
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    #[doc = stub!("Finding.path")]
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    #[doc = stub!("Finding.id")]
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    #[doc = stub!("Finding.message")]
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    #[doc = stub!("Finding.would")]
    #[getter]
    fn would(&self) -> &'static str {
        self.0.would
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["severity", "code", "path", "id", "message", "would"])
    }

    fn __repr__(&self) -> String {
        let Found { code, severity, path, message, would, .. } = &self.0;
        format!("<Finding: {} {code} at {path}: {message}. {would}>", severity.name())
    }

    fn __hash__(&self) -> usize {
        self.0.code.len()
    }
}
