//! `ToolResultStatus`: whether a tool succeeded.

use pyo3::{
    Borrowed,
    basic::CompareOp,
    prelude::*,
    sync::PyOnceLock,
    types::{PyString, PyTuple},
};
use turnwire_core::report::error::{Code, Error};

use crate::{arguments::not_a, error::raise, html};

#[doc = stub!("ToolResultStatus")]
#[pyclass(frozen, module = "turnwire.parts", name = "ToolResultStatus")]
pub(crate) struct ToolResultStatus {
    error: bool,
}

#[pymethods]
impl ToolResultStatus {
    #[classattr]
    #[pyo3(name = "Success")]
    fn success(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self { error: false })
    }

    #[classattr]
    #[pyo3(name = "Error")]
    fn error(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self { error: true })
    }

    #[doc = stub!("ToolResultStatus.name")]
    #[getter]
    fn name(&self) -> &'static str {
        if self.error { "Error" } else { "Success" }
    }

    #[doc = stub!("ToolResultStatus.value")]
    #[getter]
    fn value(&self) -> &'static str {
        word(self.error)
    }

    fn __str__(&self) -> &'static str {
        word(self.error)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &[])
    }

    fn __repr__(&self) -> String {
        format!("ToolResultStatus.{}", self.name())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compare: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let same = match (other.cast::<Self>(), other.cast::<PyString>()) {
            (Ok(other), _) => self.error == other.get().error,
            (_, Ok(other)) => other.to_string_lossy() == word(self.error),
            _ => return Ok(py.NotImplemented()),
        };
        match compare {
            CompareOp::Eq => Ok(same.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!same).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        // A status equals its word, so both must have the same hash.
        PyString::new(py, word(self.error)).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let getattr = py.import("builtins")?.getattr("getattr")?;
        (getattr, (py.get_type::<Self>(), self.name())).into_pyobject(py)
    }
}

/// The word on the wire.
pub(crate) fn word(error: bool) -> &'static str {
    if error { "error" } else { "success" }
}

/// The single object of a status.
pub(crate) fn object(py: Python<'_>, error: bool) -> PyResult<Bound<'_, PyAny>> {
    static BOTH: [PyOnceLock<Py<PyAny>>; 2] = [PyOnceLock::new(), PyOnceLock::new()];
    let find = || py.get_type::<ToolResultStatus>().getattr(if error { "Error" } else { "Success" }).map(Bound::unbind);
    Ok(BOTH[usize::from(error)].get_or_try_init(py, find)?.bind(py).clone())
}

/// An argument that is a status or its word; true for the error.
#[derive(Clone, Copy)]
pub(crate) struct Status(pub(crate) bool);

impl<'py> FromPyObject<'_, 'py> for Status {
    type Error = PyErr;

    fn extract(status: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(status) = status.cast::<ToolResultStatus>() {
            return Ok(Self(status.get().error));
        }
        let Ok(given) = status.cast::<PyString>() else { return not_a("a ToolResultStatus or a str", &status) };
        match &*given.to_string_lossy() {
            "success" => Ok(Self(false)),
            "error" => Ok(Self(true)),
            other => {
                let text = format!("status is {other:?}: expected one of \"success\", \"error\"");
                Err(raise(Error::new(Code::UnknownOption, text)))
            }
        }
    }
}
