//! What a build says in the log. `turnwire._log` has the words; it loads `logging`, with the first build.

use pyo3::{prelude::*, sync::PyOnceLock};

use crate::{error::is_build_error, receipt::Receipt};

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    Ok(MODULE.get_or_try_init(py, || py.import("turnwire._log").map(Bound::unbind))?.bind(py))
}

/// A build that has made `left` messages of `given` ones.
pub(crate) fn built(py: Python<'_>, given: usize, left: usize, receipt: &Bound<'_, Receipt>) -> PyResult<()> {
    module(py)?.call_method1("built", (given, left, receipt)).map(drop)
}

/// A build of `given` messages that failed. What is no fault of the messages is no build, and says nothing.
pub(crate) fn failed(py: Python<'_>, given: usize, error: PyErr) -> PyErr {
    if !is_build_error(py, &error) {
        return error;
    }
    match module(py).and_then(|module| module.call_method1("failed", (given, error.value(py)))) {
        Ok(_) => error,
        Err(failure) => failure,
    }
}
