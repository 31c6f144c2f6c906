//! `_check_doors`: tests the Python door against the contracts of the core's traits.

use pyo3::{prelude::*, types::PyBytes};
use turnwire_core::{
    report::error::Error,
    value::{
        conformance::{assert_blobs, assert_sink, sources},
        handle::{Raw, Value},
        json::write::JsonSink,
    },
};

use crate::{
    error::raise,
    host::PyHost,
    json::{Loader, dump},
    sink::PySink,
    source::PySource,
};

#[doc = stub!("_check_doors")]
#[pyfunction]
pub(crate) fn _check_doors(py: Python<'_>) -> PyResult<usize> {
    let (mut loader, mut checked) = (Loader::new(py), 0);
    for case in sources() {
        let payload = loader.load(case.json.as_bytes()).map_err(raise)?;
        case.check(&PySource::new(payload));
        checked += 1;
    }
    let blob = Raw::Tree(Value::Leaf(PyBytes::new(py, b"\x89PNG\r\n\x1a\n").into_any().unbind()));
    let coded = "iVBORw0KGgo=";
    let read = |payload: Result<Bound<'_, PyAny>, Error>| {
        let mut json = Vec::new();
        let written = payload.and_then(|payload| dump(&payload, &mut json));
        written.map_or_else(|error| error.to_string(), |_| String::from_utf8_lossy(&json).into_owned())
    };
    assert_sink::<PyHost, _>(|| PySink::new(py), |sink| read(sink.finish()));
    assert_blobs::<PyHost, _>(|| PySink::new(py), |sink| read(sink.finish()), &blob, coded);
    let text = |sink: JsonSink| String::from_utf8_lossy(&sink.into_bytes()).into_owned();
    assert_blobs::<PyHost, _>(JsonSink::default, text, &blob, coded);
    Ok(checked)
}
