//! `Receipt`: the changes of a request, as a sequence.

use pyo3::{
    exceptions::{PyIndexError, PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyList, PySlice, PyTuple},
};
use turnwire_core::{
    report::{
        change::Change as CoreChange,
        receipt::{Reasoning, Receipt as Core, Totals},
        register::{ChangeKind, Edit},
    },
    text::budget::Unit,
};

use crate::{
    arguments::{Word, Words, no_attribute},
    change::Change,
    html,
    pickle::{Path, named},
};

impl Words for ChangeKind {
    const OPTION: &'static str = "kind";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

/// A receipt in a pickle: its changes, the first changed index, the totals, and what a run says.
type Kept<'py> = (Vec<Bound<'py, Change>>, Option<usize>, Option<KeptTotals>, (Option<Path>, Option<(usize, usize)>));

/// The totals of a receipt in a pickle: unit, budget, before, after, and what each code freed.
type KeptTotals = (String, usize, usize, usize, Vec<(String, usize)>);

fn of_another_version() -> PyErr {
    PyValueError::new_err("a pickle of another version: its receipt is kept in another form")
}

#[doc = stub!("Receipt")]
#[pyclass(frozen, eq, module = "turnwire", name = "Receipt", sequence)]
#[derive(Default, PartialEq)]
pub(crate) struct Receipt(pub(crate) Core);

impl Receipt {
    /// The receipt of a reply: what its reader or writer tells.
    pub(crate) fn told(changes: Vec<CoreChange>) -> Self {
        Self(Core { changes, ..Core::default() })
    }

    pub(crate) fn is_unchanged(&self) -> bool {
        self.0.is_unchanged()
    }

    /// The size and the number of changes of each kind, in one line.
    pub(crate) fn headline(&self) -> String {
        self.0.headline()
    }

    /// A table for a notebook.
    pub(crate) fn html(&self, title: &str) -> String {
        html::receipt(title, &self.0)
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

    /// Whether there was a build.
    pub(crate) fn is_built(&self, py: Python<'_>) -> bool {
        self.0.get(py).is_some()
    }

    /// The receipt with what a rendering reports, too.
    pub(crate) fn with(&self, py: Python<'_>, rendered: Vec<CoreChange>) -> PyResult<Self> {
        if rendered.is_empty() {
            return Ok(self.share(py));
        }
        let mut all = self.0.get(py).map(|receipt| receipt.get().0.clone()).unwrap_or_default();
        all.add(rendered);
        all.sort();
        Ok(Self::of(py, Py::new(py, Receipt(all))?))
    }

    pub(crate) fn share(&self, py: Python<'_>) -> Self {
        self.0.get(py).map_or_else(Self::none, |receipt| Self::of(py, receipt.clone_ref(py)))
    }
}

#[pymethods]
impl Receipt {
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf, name))
    }

    /// An empty receipt.
    #[new]
    fn new() -> Self {
        Self(Core::default())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let totals = this.0.totals.as_ref().map(|totals| {
            let freed: Vec<_> = totals.freed.iter().map(|(code, size)| (code.name(), *size)).collect();
            (totals.unit.name(), totals.budget, totals.before, totals.after, freed)
        });
        let run = (
            this.0.break_at.as_deref().cloned().map(Path),
            this.0.reasoning.as_deref().map(|one| (one.kept, one.dropped)),
        );
        let said = (this.all(py)?, this.0.first_changed_index, totals, run);
        (slf.get_type().getattr("_restore")?, said).into_pyobject(py)
    }

    #[staticmethod]
    #[pyo3(signature = (*kept))]
    fn _restore(kept: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let kept: Option<Kept<'_>> = kept.extract().ok();
        let (changes, first_changed_index, totals, run) = kept.ok_or_else(of_another_version)?;
        let changes = changes.into_iter().map(|change| change.get().0.clone()).collect();
        let totals = totals.map(|(unit, budget, before, after, freed)| {
            let freed = freed.into_iter().map(|(code, size)| Ok((named(Edit::ALL, &code, Edit::name)?, size)));
            let (unit, freed) = (named(Unit::ALL, &unit, Unit::name)?, freed.collect::<PyResult<_>>()?);
            PyResult::Ok(Totals { unit, budget, before, after, freed })
        });
        let (break_at, reasoning) =
            (run.0.map(|path| Box::new(path.0)), run.1.map(|(kept, dropped)| Box::new(Reasoning { kept, dropped })));
        Ok(Self(Core { changes, first_changed_index, totals: totals.transpose()?, break_at, reasoning }))
    }

    #[doc = stub!("Receipt.changed")]
    #[getter]
    fn changed(&self) -> bool {
        !self.is_unchanged()
    }

    #[doc = stub!("Receipt.counts")]
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        self.0.counts().into_iter().try_for_each(|(kind, count)| counts.set_item(kind.name(), count))?;
        Ok(counts)
    }

    #[doc = stub!("Receipt.only")]
    #[pyo3(signature = (*kinds))]
    #[expect(clippy::needless_pass_by_value, reason = "what is extracted is owned")]
    fn only<'py>(&self, py: Python<'py>, kinds: Vec<Word<ChangeKind>>) -> PyResult<Bound<'py, PyTuple>> {
        let is_one = |change: &&CoreChange| kinds.iter().any(|kind| kind.0 == change.kind);
        tuple(py, self.0.changes.iter().filter(is_one))
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

    /// The receipt without the changes of a code, or itself if it has none.
    fn _without<'py>(slf: &Bound<'py, Self>, code: &str) -> PyResult<Bound<'py, Self>> {
        let is_it = |change: &CoreChange| change.code.name() == code;
        let this = slf.get();
        if !this.0.changes.iter().any(is_it) {
            return Ok(slf.clone());
        }
        let mut others = this.0.clone();
        others.changes.retain(|change| !is_it(change));
        Bound::new(slf.py(), Self(others))
    }

    /// The receipt with changes of an adapter's own.
    #[expect(clippy::needless_pass_by_value, reason = "what is extracted is owned")]
    fn _with(&self, changes: Vec<Bound<'_, Change>>) -> Self {
        let mut all = self.0.clone();
        all.changes.extend(changes.iter().map(|change| change.get().0.clone()));
        all.sort();
        Self(all)
    }

    #[doc = stub!("Receipt.totals")]
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.0.totals.as_ref().map(|totals| totals_dict(py, totals)).transpose()
    }

    #[doc = stub!("Receipt.to_dict")]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let changes = self.0.changes.iter().map(|change| Change(change.clone()).to_dict(py));
        dict.set_item("changes", PyList::new(py, changes.collect::<PyResult<Vec<_>>>()?)?)?;
        dict.set_item("counts", self.counts(py)?)?;
        dict.set_item("first_changed_index", self.0.first_changed_index)?;
        dict.set_item("totals", self.totals(py)?)?;
        dict.set_item("break_at", self.break_at())?;
        dict.set_item("reasoning", self.reasoning(py)?)?;
        Ok(dict)
    }

    fn __len__(&self) -> usize {
        self.0.changes.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if index.is_instance_of::<PySlice>() {
            return self.all(py)?.into_any().get_item(index);
        }
        let count = self.0.changes.len();
        let at: isize = index.extract().map_err(|_| {
            PyTypeError::new_err(format!("index: expected an int or a slice, got {}", crate::node::type_name(index)))
        })?;
        let change = usize::try_from(if at < 0 { at + count.cast_signed() } else { at })
            .ok()
            .and_then(|at| self.0.changes.get(at));
        match change {
            Some(change) => Ok(Bound::new(py, Change(change.clone()))?.into_any()),
            None => Err(PyIndexError::new_err(format!("index {at} is out of range: the receipt has {count} changes"))),
        }
    }

    /// The first index of a change, as `list.index` finds it.
    #[pyo3(signature = (value, start = 0, stop = 9_223_372_036_854_775_807, /))]
    fn index(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>, start: i64, stop: i64) -> PyResult<Py<PyAny>> {
        Ok(slf.get().all(slf.py())?.call_method1("index", (value, start, stop))?.unbind())
    }

    /// How often a change is here.
    #[pyo3(signature = (value, /))]
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        value
            .cast::<Change>()
            .map_or(0, |value| self.0.changes.iter().filter(|change| **change == value.get().0).count())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let changes = self.0.changes.iter().rev();
        Ok(tuple(py, changes)?.try_iter()?.into_any())
    }

    fn __contains__(&self, change: &Bound<'_, PyAny>) -> bool {
        change.cast::<Change>().is_ok_and(|change| self.0.changes.contains(&change.get().0))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.all(py)?.try_iter()?.into_any())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Receipt: {}>", self.headline())
    }

    fn _repr_html_(&self) -> String {
        self.html(&format!("Receipt: {}", self.headline()))
    }

    fn __hash__(&self) -> usize {
        self.0.changes.len()
    }
}

impl Receipt {
    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, self.0.changes.iter())
    }
}

fn tuple<'a, 'py>(py: Python<'py>, changes: impl Iterator<Item = &'a CoreChange>) -> PyResult<Bound<'py, PyTuple>> {
    let changes = changes.map(|change| Py::new(py, Change(change.clone())));
    PyTuple::new(py, changes.collect::<PyResult<Vec<_>>>()?)
}

fn totals_dict<'py>(py: Python<'py>, totals: &Totals) -> PyResult<Bound<'py, PyDict>> {
    let freed = PyDict::new(py);
    for (code, size) in &totals.freed {
        freed.set_item(code.name(), size)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("unit", totals.unit.name())?;
    dict.set_item("budget", totals.budget)?;
    dict.set_item("before", totals.before)?;
    dict.set_item("after", totals.after)?;
    dict.set_item("freed", freed)?;
    Ok(dict)
}
