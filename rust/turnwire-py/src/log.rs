//! Logs builds. `turnwire._log` has the texts; it loads `logging` at the first build.

use pyo3::{prelude::*, sync::PyOnceLock};

use crate::{error::is_build_error, receipt::Receipt};

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    Ok(MODULE.get_or_try_init(py, || py.import("turnwire._log").map(Bound::unbind))?.bind(py))
}

/// Logs a build that made `left` messages of `given` ones.
pub(crate) fn built(py: Python<'_>, given: usize, left: usize, receipt: &Bound<'_, Receipt>) -> PyResult<()> {
    module(py)?.call_method1("built", (given, left, receipt)).map(drop)
}

/// Logs a build of `given` messages that failed, and returns its error. Logs nothing unless the messages are at fault.
pub(crate) fn failed(py: Python<'_>, given: usize, error: PyErr) -> PyErr {
    if !is_build_error(py, &error) {
        return error;
    }
    match module(py).and_then(|module| module.call_method1("failed", (given, error.value(py)))) {
        Ok(_) => error,
        Err(failure) => failure,
    }
}
