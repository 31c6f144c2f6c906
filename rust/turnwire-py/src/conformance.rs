//! `_check_doors`: the Python door held to the written contracts of the core's traits. For tests.

use pyo3::prelude::*;
use turnwire_core::value::conformance::{assert_sink, sources};

use crate::{
    error::raise,
    host::PyHost,
    json::{Loader, dump},
    sink::PySink,
    source::PySource,
};

/// Check that Python objects read and write as the core demands; how many payloads were read.
#[pyfunction]
pub(crate) fn _check_doors(py: Python<'_>) -> PyResult<usize> {
    let (mut loader, mut checked) = (Loader::new(py), 0);
    for case in sources() {
        let payload = loader.load(case.json.as_bytes()).map_err(raise)?;
        case.check(&PySource::new(payload));
        checked += 1;
    }
    assert_sink::<PyHost, _>(
        || PySink::new(py),
        |sink| {
            let mut json = Vec::new();
            let written = sink.finish().and_then(|payload| dump(&payload, &mut json));
            written.map_or_else(|error| error.to_string(), |_| String::from_utf8_lossy(&json).into_owned())
        },
    );
    Ok(checked)
}
