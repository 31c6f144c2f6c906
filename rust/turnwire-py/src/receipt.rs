//! `Receipt` and its entries: what a build changed; `Finding`: what it would.

use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};
use turnwire_core::{
    receipt::{Change, Entry, Receipt as Changes},
    stage::check::Finding as Found,
};

/// What a build changed, in the order of its steps.
#[pyclass(frozen, eq, module = "turnwire", name = "Receipt")]
#[derive(PartialEq)]
pub(crate) struct Receipt(pub(crate) Changes);

impl Receipt {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[pymethods]
impl Receipt {
    /// An empty one.
    #[new]
    fn new() -> Self {
        Self(Changes::default())
    }

    /// Every change.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = self.0.entries.iter().map(|entry| Py::new(py, ReceiptEntry(entry.clone())));
        PyTuple::new(py, entries.collect::<PyResult<Vec<_>>>()?)
    }

    /// The first index that is not what it was, or None.
    #[getter]
    fn first_changed_index(&self) -> Option<usize> {
        self.0.first_changed_index
    }

    /// What to know though nothing was changed for it, each a sentence.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.warnings.iter().map(ToString::to_string))
    }

    /// The warnings with their codes, for the log.
    #[getter]
    fn _warned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.warnings.iter().map(|warning| (warning.code, warning.to_string())))
    }

    /// The whole receipt as a dict that JSON can hold.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("first_changed_index", self.0.first_changed_index)?;
        let entries = self.0.entries.iter().map(|entry| entry_dict(py, entry)).collect::<PyResult<Vec<_>>>()?;
        dict.set_item("entries", PyList::new(py, entries)?)?;
        dict.set_item("warnings", PyList::new(py, self.0.warnings.iter().map(ToString::to_string))?)?;
        Ok(dict)
    }

    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }

    fn __len__(&self) -> usize {
        self.0.entries.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.entries(py)?.try_iter()?.into_any())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Receipt: {}>", self.0)
    }

    fn __hash__(&self) -> usize {
        self.0.entries.len()
    }
}

fn entry_dict<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("code", entry.code.name())?;
    dict.set_item("severity", entry.code.severity().name())?;
    dict.set_item("index", entry.index)?;
    dict.set_item("path", entry.path.to_string())?;
    dict.set_item("id", entry.id.as_deref())?;
    dict.set_item("new_id", entry.new_id.as_deref())?;
    dict.set_item("before", entry.before)?;
    dict.set_item("after", entry.after)?;
    dict.set_item("text", entry.text.as_ref())?;
    Ok(dict)
}

/// One change.
#[pyclass(frozen, eq, module = "turnwire", name = "ReceiptEntry")]
#[derive(PartialEq)]
pub(crate) struct ReceiptEntry(Entry);

#[pymethods]
impl ReceiptEntry {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("code", "index", "id")
    }

    /// What was done: a stable name.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    /// How much it matters: info, warning or error.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.code.severity().name()
    }

    /// The caller's own index of the turn.
    #[getter]
    fn index(&self) -> usize {
        self.0.index
    }

    /// Where in the caller's payload.
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    /// The id of the call that it is about, or None.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    /// The id that took its place, or None.
    #[getter]
    fn new_id(&self) -> Option<&str> {
        self.0.new_id.as_deref()
    }

    /// Its size before, in UTF-8 bytes.
    #[getter]
    fn before(&self) -> usize {
        self.0.before
    }

    /// Its size now, in UTF-8 bytes.
    #[getter]
    fn after(&self) -> usize {
        self.0.after
    }

    /// Why, in a sentence.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<ReceiptEntry: {}>", self.0)
    }

    fn __hash__(&self) -> usize {
        self.0.index
    }
}

/// One thing that is wrong with a conversation.
#[pyclass(frozen, eq, module = "turnwire", name = "Finding")]
#[derive(PartialEq)]
pub(crate) struct Finding(pub(crate) Found);

#[pymethods]
impl Finding {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("code", "severity", "path")
    }

    /// A stable name for it: of a change, or of an error.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code
    }

    /// How much it matters: info, warning or error.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    /// Where in the caller's payload.
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    /// The id of the call that it is about, or None.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    /// What is wrong, in a sentence.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// What a build would do about it, in a sentence.
    #[getter]
    fn remedy(&self) -> &'static str {
        self.0.remedy
    }

    fn __repr__(&self) -> String {
        let Found { code, severity, path, text, remedy, .. } = &self.0;
        format!("<Finding: {} {code} at {path}: {text}. {remedy}>", severity.name())
    }

    fn __hash__(&self) -> usize {
        self.0.code.len()
    }
}

/// Every code of a change with what it means.
#[pyfunction]
pub(crate) fn change_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in Change::ALL {
        codes.set_item(code.name(), code.meaning())?;
    }
    Ok(codes)
}
