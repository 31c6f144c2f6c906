//! What a conversion gives: the payload, everything that it does not hold as it was, and where what it holds comes from.

use pyo3::{
    prelude::*,
    types::{PyDict, PyGenericAlias, PyTuple, PyType},
};
use turnwire_core::{
    loss,
    provenance::{Provenance, Rendering},
};

use crate::{
    pickle::{Path, named},
    receipt::{LastReceipt, Receipt},
};

/// A payload, its losses, where its elements come from, and what the build before it has changed.
#[pyclass(frozen, module = "turnwire", name = "Rendered")]
pub(crate) struct Rendered {
    #[pyo3(get)]
    payload: Py<PyAny>,
    #[pyo3(get)]
    losses: Py<PyTuple>,
    provenance: Provenance,
    receipt: LastReceipt,
}

impl Rendered {
    pub(crate) fn new(payload: Bound<'_, PyAny>, rendering: Rendering, receipt: LastReceipt) -> PyResult<Self> {
        let py = payload.py();
        let losses = rendering.losses.into_iter().map(Loss).map(|loss| Py::new(py, loss));
        let losses = PyTuple::new(py, losses.collect::<PyResult<Vec<_>>>()?)?;
        Ok(Self { payload: payload.unbind(), losses: losses.unbind(), provenance: rendering.provenance, receipt })
    }
}

#[pymethods]
impl Rendered {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("payload", "losses")
    }

    #[classmethod]
    fn __class_getitem__<'py>(class: &Bound<'py, PyType>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyGenericAlias::new(class.py(), class, item)?.into_any())
    }

    /// Of which of the caller's elements each element of the payload's list was written.
    #[getter]
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let sources = self.provenance.sources.iter().map(|one| PyTuple::new(py, one.iter()));
        PyTuple::new(py, sources.collect::<PyResult<Vec<_>>>()?)
    }

    /// Which of the caller's elements were written to keys beside the list.
    #[getter]
    fn hoisted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.provenance.hoisted)
    }

    /// What the build before it has changed.
    #[getter]
    fn receipt<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, Receipt>> {
        self.receipt.get(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let said = (&this.payload, &this.losses, this.sources(py)?, this.hoisted(py)?, this.receipt(py)?);
        (slf.get_type().getattr("_restore")?, said).into_pyobject(py)
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        payload: Py<PyAny>,
        losses: Py<PyTuple>,
        sources: Vec<Vec<usize>>,
        hoisted: Vec<usize>,
        receipt: Py<Receipt>,
    ) -> Self {
        let sources = sources.into_iter().map(Into::into).collect();
        Self { payload, losses, provenance: Provenance { sources, hoisted }, receipt: LastReceipt::of(py, receipt) }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (payload, losses) = (self.payload.bind(py).repr()?, self.losses.bind(py).repr()?);
        Ok(format!("Rendered(payload={payload}, losses={losses})"))
    }
}

/// One thing that the target does not hold as it was.
#[pyclass(frozen, eq, module = "turnwire", name = "Loss")]
#[derive(PartialEq)]
pub(crate) struct Loss(loss::Loss);

#[pymethods]
impl Loss {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("kind", "code", "path", "reason")
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    fn __repr__(&self) -> String {
        format!("Loss({:?}, {:?}, {:?}, {:?})", self.kind(), self.code(), self.path(), self.reason())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = &slf.get().0;
        let said = (this.kind.name(), this.code.name(), Path(this.path.clone()), this.reason.as_ref());
        (slf.get_type().getattr("_restore")?, said).into_pyobject(slf.py())
    }

    #[staticmethod]
    fn _restore(kind: &str, code: &str, path: Path, reason: String) -> PyResult<Self> {
        let kind = named(&loss::LossKind::ALL, kind, loss::LossKind::name)?;
        let code = named(loss::LossCode::ALL, code, loss::LossCode::name)?;
        Ok(Self(loss::Loss { kind, code, path: path.0, reason: reason.into() }))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.kind(), self.code(), self.path()).hash(&mut hasher);
        hasher.finish()
    }
}

/// Every code of a loss with what it means.
#[pyfunction]
pub(crate) fn loss_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in loss::LossCode::ALL {
        codes.set_item(code.name(), code.meaning())?;
    }
    Ok(codes)
}
