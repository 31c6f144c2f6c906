//! Turns the core's errors into Python's, and Python's into the core's. Only this file does.

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

/// The exception for an error. The thread must be attached to the interpreter.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
pub(crate) fn raise(error: Error) -> PyErr {
    exception(&error, None)
}

/// The exception for a build that failed. A `BuildError` carries the receipt.
pub(crate) fn raise_failed(failed: Failed) -> PyErr {
    exception(&failed.error, Some(Receipt(*failed.receipt)))
}

/// Whether the exception says that a build refused its messages.
pub(crate) fn is_build_error(py: Python<'_>, raised: &PyErr) -> bool {
    class(py, ErrorKind::Build).is_ok_and(|class| raised.is_instance(py, &class))
}

/// Whether the exception says that the payload is in no dialect, or not in that which it was read as.
pub(crate) fn is_unread(py: Python<'_>, raised: &PyErr) -> bool {
    let code = raised.value(py).getattr("code").and_then(|code| code.extract::<String>());
    let unread = [Code::WrongDialect, Code::NoDialect, Code::ConflictingSigns, Code::MixedDialects];
    code.is_ok_and(|code| unread.iter().any(|known| known.name() == code))
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
        // Only `BuildError` has an attribute for a receipt.
        let receipt = receipt.filter(|_| kind == ErrorKind::Build);
        let raised = instance(&class, error, receipt).unwrap_or_else(|failure| failure);
        if cause.is_some() {
            raised.set_cause(py, cause);
        }
        raised
    })
}

/// Whether an exception is not about the data: Ctrl-C, the end of the program, no memory. It is raised unchanged.
fn is_no_answer(py: Python<'_>, failure: &PyErr) -> bool {
    !failure.is_instance_of::<PyException>(py) || failure.is_instance_of::<PyMemoryError>(py)
}

/// Wraps an exception that Python raised while the core was at work. [`raise`] raises it again.
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

/// The class for a kind of error. Our own classes are imported when the first such error is raised.
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
