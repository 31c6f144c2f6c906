//! From the core's errors to Python's, and from Python's to the core's: the one place where that happens.

use std::error::Error as _;

use pyo3::{
    exceptions::{PyException, PyMemoryError, PyTypeError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use turnwire_core::{
    report::error::{Code, Error, ErrorKind},
    stage::Failed,
};

use crate::receipt::Receipt;

/// The exception of an error. Needs an attached thread, as everything that Python calls has.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
pub(crate) fn raise(error: Error) -> PyErr {
    exception(&error, None)
}

/// The exception of a build that failed: a `BuildError` has its receipt.
pub(crate) fn raise_failed(failed: Failed) -> PyErr {
    exception(&failed.error, Some(Receipt(*failed.receipt)))
}

/// Whether a build has raised it of the messages that it was given.
pub(crate) fn is_build_error(py: Python<'_>, raised: &PyErr) -> bool {
    class(py, ErrorKind::Build).is_ok_and(|class| raised.is_instance(py, &class))
}

fn exception(error: &Error, receipt: Option<Receipt>) -> PyErr {
    Python::attach(|py| {
        let cause = error.source().and_then(|cause| cause.downcast_ref::<PyErr>()).map(|cause| cause.clone_ref(py));
        if let Some(cause) = &cause
            && is_no_answer(py, cause)
        {
            return cause.clone_ref(py);
        }
        let kind = error.code().kind();
        let class = match class(py, kind) {
            Ok(class) => class,
            Err(failure) => return failure,
        };
        if matches!(kind, ErrorKind::Type | ErrorKind::Memory) {
            return PyErr::from_type(class, error.to_string());
        }
        // The other classes have no place for one.
        let receipt = receipt.filter(|_| kind == ErrorKind::Build);
        let raised = instance(&class, error, receipt).unwrap_or_else(|failure| failure);
        if cause.is_some() {
            raised.set_cause(py, cause);
        }
        raised
    })
}

/// Whether an exception says nothing of the data: Ctrl-C, the end of the program, no memory. It goes on as it is.
fn is_no_answer(py: Python<'_>, failure: &PyErr) -> bool {
    !failure.is_instance_of::<PyException>(py) || failure.is_instance_of::<PyMemoryError>(py)
}

/// An exception that Python raised while the core was at work. The core hands it back, and [`raise`] raises it again.
#[cold]
pub(crate) fn host_fault(failure: PyErr) -> Error {
    let memory = Python::attach(|py| failure.is_instance_of::<PyMemoryError>(py));
    let (code, text) = if memory {
        (Code::NoMemory, "no memory left".to_owned())
    } else {
        (Code::NotJson, format!("an object of the payload failed: {failure}"))
    };
    Error::new(code, text).because(failure)
}

fn instance(class: &Bound<'_, PyType>, error: &Error, receipt: Option<Receipt>) -> PyResult<PyErr> {
    let named = PyDict::new(class.py());
    named.set_item("code", error.code().name())?;
    named.set_item("path", error.path().to_string())?;
    named.set_item("dialect", error.dialect())?;
    if let Some(receipt) = receipt {
        named.set_item("receipt", receipt)?;
    }
    Ok(PyErr::from_value(class.call((error.to_string(),), Some(&named))?))
}

/// The class of a kind; ours are imported when the first error of that kind is raised.
fn class(py: Python<'_>, kind: ErrorKind) -> PyResult<Bound<'_, PyType>> {
    static VALUE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static PARSE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static RENDER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static BUILD: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static UNKNOWN_DIALECT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (lock, name) = match kind {
        ErrorKind::Value => (&VALUE, "TurnwireError"),
        ErrorKind::Parse => (&PARSE, "ParseError"),
        ErrorKind::Render => (&RENDER, "RenderError"),
        ErrorKind::Build => (&BUILD, "BuildError"),
        ErrorKind::UnknownDialect => (&UNKNOWN_DIALECT, "UnknownDialectError"),
        ErrorKind::Type => return Ok(py.get_type::<PyTypeError>()),
        ErrorKind::Memory => return Ok(py.get_type::<PyMemoryError>()),
    };
    lock.import(py, "turnwire.errors", name).cloned()
}

#[doc = stub!("error_codes")]
#[pyfunction]
pub(crate) fn error_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in Code::ALL {
        codes.set_item(code.name(), (class(py, code.kind())?, code.meaning()))?;
    }
    Ok(codes)
}
