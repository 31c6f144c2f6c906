//! `Receipt` and its entries: the changes of a build.

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyList, PyTuple},
};
use turnwire_core::{
    report::{
        notice::Notice,
        provenance::Rendering,
        receipt::{Entry, Reasoning, Receipt as Changes, Totals, Warning},
        register::Edit,
        severity::Severity,
    },
    text::budget::Unit,
};

use crate::{
    html,
    pickle::{Path, named},
};

/// The totals of a receipt in a pickle: unit, before, after, and what each code freed.
type Kept = (String, usize, usize, Vec<(String, usize)>);

#[doc = stub!("Receipt")]
#[pyclass(frozen, eq, module = "turnwire", name = "Receipt")]
#[derive(Default, PartialEq)]
pub(crate) struct Receipt(pub(crate) Changes);

impl Receipt {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A table for a notebook.
    pub(crate) fn html(&self) -> String {
        html::receipt(&self.title(), &self.0)
    }

    /// A summary in one line.
    fn title(&self) -> String {
        let said = self.0.to_string();
        format!("Receipt: {}", said.lines().next().unwrap_or_default())
    }
}

/// The receipt of the last build. Without one, an empty receipt is made on first use.
pub(crate) struct LastReceipt(PyOnceLock<Py<Receipt>>);

impl LastReceipt {
    pub(crate) fn none() -> Self {
        Self(PyOnceLock::new())
    }

    /// The receipt of a build.
    pub(crate) fn of(py: Python<'_>, receipt: Py<Receipt>) -> Self {
        let last = Self::none();
        // The cell is new, so setting it cannot fail.
        let _ = last.0.set(py, receipt);
        last
    }

    pub(crate) fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, Receipt>> {
        self.0.get_or_try_init(py, || Py::new(py, Receipt::default())).map(|receipt| receipt.bind(py))
    }

    /// Leaves out of a rendering's losses what this receipt tells.
    pub(crate) fn leave_out_told(&self, py: Python<'_>, rendering: &mut Rendering) {
        if let Some(receipt) = self.0.get(py) {
            receipt.get().0.leave_out_told(&mut rendering.losses);
        }
    }

    pub(crate) fn share(&self, py: Python<'_>) -> Self {
        self.0.get(py).map_or_else(Self::none, |receipt| Self::of(py, receipt.clone_ref(py)))
    }
}

#[pymethods]
impl Receipt {
    /// An empty receipt.
    #[new]
    fn new() -> Self {
        Self(Changes::default())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let warnings = this.0.warnings.iter();
        let warnings: Vec<_> =
            warnings.map(|warning| (warning.code.name(), Path(warning.path.clone()), warning.text.as_ref())).collect();
        let totals = this.0.totals.as_ref().map(|totals| {
            let freed: Vec<_> = totals.freed.iter().map(|(code, size)| (code.name(), *size)).collect();
            (totals.unit.name(), totals.before, totals.after, freed)
        });
        let said = (this.entries(py)?, this.0.first_changed_index, warnings, totals);
        let run = (
            this.0.break_at.as_deref().cloned().map(Path),
            this.0.reasoning.as_deref().map(|one| (one.kept, one.dropped)),
        );
        let said = (said.0, said.1, said.2, said.3, run);
        (slf.get_type().getattr("_restore")?, said).into_pyobject(py)
    }

    // Pickles of earlier versions have no fields of a run.
    #[staticmethod]
    #[pyo3(signature = (entries, first_changed_index, warnings, totals, run = (None, None)))]
    fn _restore(
        entries: Vec<Bound<'_, ReceiptEntry>>,
        first_changed_index: Option<usize>,
        warnings: Vec<(String, Path, String)>,
        totals: Option<Kept>,
        run: (Option<Path>, Option<(usize, usize)>),
    ) -> PyResult<Self> {
        let entries = entries.into_iter().map(|entry| entry.get().0.clone()).collect();
        let warnings = warnings.into_iter().map(|(code, path, text)| {
            Ok(Warning { code: named(Notice::ALL, &code, Notice::name)?, path: path.0, text: text.into() })
        });
        let warnings = warnings.collect::<PyResult<_>>()?;
        let totals = totals.map(|(unit, before, after, freed)| {
            let freed = freed.into_iter().map(|(code, size)| Ok((named(Edit::ALL, &code, Edit::name)?, size)));
            let (unit, freed) = (named(Unit::ALL, &unit, Unit::name)?, freed.collect::<PyResult<_>>()?);
            PyResult::Ok(Totals { unit, before, after, freed })
        });
        let (break_at, reasoning) =
            (run.0.map(|path| Box::new(path.0)), run.1.map(|(kept, dropped)| Box::new(Reasoning { kept, dropped })));
        Ok(Self(Changes { entries, first_changed_index, warnings, totals: totals.transpose()?, break_at, reasoning }))
    }

    #[doc = stub!("Receipt.entries")]
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = self.0.entries.iter().map(|entry| Py::new(py, ReceiptEntry(entry.clone())));
        PyTuple::new(py, entries.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = stub!("Receipt.first_changed_index")]
    #[getter]
    fn first_changed_index(&self) -> Option<usize> {
        self.0.first_changed_index
    }

    #[doc = stub!("Receipt.break_at")]
    #[getter]
    fn break_at(&self) -> Option<String> {
        self.0.break_at.as_ref().map(ToString::to_string)
    }

    #[doc = stub!("Receipt.reasoning")]
    #[getter]
    fn reasoning<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let dict = |one: Reasoning| {
            let dict = PyDict::new(py);
            dict.set_item("kept", one.kept)?;
            dict.set_item("dropped", one.dropped)?;
            Ok(dict)
        };
        self.0.reasoning.as_deref().copied().map(dict).transpose()
    }

    #[doc = stub!("Receipt.since")]
    fn since(&self, previous: &Bound<'_, Self>) -> Self {
        Self(self.0.since(&previous.get().0))
    }

    #[doc = stub!("Receipt.warnings")]
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.warnings.iter().map(ToString::to_string))
    }

    /// The warnings with their codes, for the log.
    #[getter]
    fn _warned<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.warnings.iter().map(|warning| (warning.code.name(), warning.to_string())))
    }

    #[doc = stub!("Receipt.totals")]
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.0.totals.as_ref().map(|totals| totals_dict(py, totals)).transpose()
    }

    #[doc = stub!("Receipt.to_dict")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("first_changed_index", self.0.first_changed_index)?;
        let entries = self.0.entries.iter().map(|entry| entry_dict(py, entry)).collect::<PyResult<Vec<_>>>()?;
        dict.set_item("entries", PyList::new(py, entries)?)?;
        dict.set_item("warnings", PyList::new(py, self.0.warnings.iter().map(ToString::to_string))?)?;
        dict.set_item("totals", self.totals(py)?)?;
        dict.set_item("break_at", self.break_at())?;
        dict.set_item("reasoning", self.reasoning(py)?)?;
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
        format!("<{}>", self.title())
    }

    fn _repr_html_(&self) -> String {
        self.html()
    }

    fn __hash__(&self) -> usize {
        self.0.entries.len()
    }
}

fn totals_dict<'py>(py: Python<'py>, totals: &Totals) -> PyResult<Bound<'py, PyDict>> {
    let freed = PyDict::new(py);
    for (code, size) in &totals.freed {
        freed.set_item(code.name(), size)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("unit", totals.unit.name())?;
    dict.set_item("before", totals.before)?;
    dict.set_item("after", totals.after)?;
    dict.set_item("freed", freed)?;
    Ok(dict)
}

fn entry_dict<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("code", entry.code.name())?;
    dict.set_item("severity", entry.severity.name())?;
    dict.set_item("index", entry.index)?;
    dict.set_item("path", entry.path.to_string())?;
    dict.set_item("id", entry.id.as_deref())?;
    dict.set_item("new_id", entry.new_id.as_deref())?;
    dict.set_item("before", entry.before)?;
    dict.set_item("after", entry.after)?;
    dict.set_item("text", entry.text.as_ref())?;
    Ok(dict)
}

#[doc = stub!("ReceiptEntry")]
#[pyclass(frozen, eq, module = "turnwire._core", name = "ReceiptEntry")]
#[derive(PartialEq)]
pub(crate) struct ReceiptEntry(Entry);

#[pymethods]
impl ReceiptEntry {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("code", "index", "id")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let entry = &slf.get().0;
        let said = (
            entry.code.name(),
            entry.index,
            Path(entry.path.clone()),
            (entry.id.as_deref(), entry.new_id.as_deref()),
            (entry.before, entry.after),
            entry.text.as_ref(),
            entry.severity.name(),
        );
        (slf.get_type().getattr("_restore")?, said).into_pyobject(slf.py())
    }

    /// A pickle of version 0.1.0 has no severity of its own.
    #[staticmethod]
    #[pyo3(signature = (code, index, path, ids, sizes, text, severity=None))]
    fn _restore(
        code: &str,
        index: usize,
        path: Path,
        ids: (Option<String>, Option<String>),
        sizes: (usize, usize),
        text: String,
        severity: Option<&str>,
    ) -> PyResult<Self> {
        let code = named(Edit::ALL, code, Edit::name)?;
        let severity = severity.map_or(Ok(code.severity()), |name| named(&Severity::ALL, name, Severity::name))?;
        let entry = Entry::new(code, index, path.0, text).graded(severity);
        Ok(Self(Entry { id: ids.0, new_id: ids.1, ..entry.sized(sizes.0, sizes.1) }))
    }

    #[doc = stub!("ReceiptEntry.code")]
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    #[doc = stub!("ReceiptEntry.severity")]
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    #[doc = stub!("ReceiptEntry.index")]
    #[getter]
    fn index(&self) -> usize {
        self.0.index
    }

    #[doc = stub!("ReceiptEntry.path")]
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    #[doc = stub!("ReceiptEntry.id")]
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    #[doc = stub!("ReceiptEntry.new_id")]
    #[getter]
    fn new_id(&self) -> Option<&str> {
        self.0.new_id.as_deref()
    }

    #[doc = stub!("ReceiptEntry.before")]
    #[getter]
    fn before(&self) -> usize {
        self.0.before
    }

    #[doc = stub!("ReceiptEntry.after")]
    #[getter]
    fn after(&self) -> usize {
        self.0.after
    }

    #[doc = stub!("ReceiptEntry.text")]
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["code", "severity", "path", "id", "new_id", "before", "after", "text"])
    }

    fn __repr__(&self) -> String {
        format!("<ReceiptEntry: {}>", self.0)
    }

    fn __hash__(&self) -> usize {
        self.0.index
    }
}

#[doc = stub!("change_codes")]
#[pyfunction]
pub(crate) fn change_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in Edit::ALL.iter().filter(|code| code.is_change()) {
        codes.set_item(code.name(), code.meaning())?;
    }
    Ok(codes)
}

/// What each edit may do to the content, which the documentation shows.
#[pyfunction]
pub(crate) fn _edit_kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let kinds = PyDict::new(py);
    for code in Edit::ALL {
        kinds.set_item(code.name(), code.kinds().iter().map(|kind| kind.name()).collect::<Vec<_>>())?;
    }
    Ok(kinds)
}

#[doc = stub!("finding_codes")]
#[pyfunction]
pub(crate) fn finding_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in Notice::ALL {
        codes.set_item(code.name(), code.meaning())?;
    }
    Ok(codes)
}
