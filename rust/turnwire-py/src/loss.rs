//! `Loss`: one thing that a target cannot express; and the codes of losses.

use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use turnwire_core::report::{loss, register::Edit};

use crate::{
    html,
    pickle::{Path, named},
};

#[doc = stub!("Loss")]
#[pyclass(frozen, eq, module = "turnwire._core", name = "Loss")]
#[derive(PartialEq)]
pub(crate) struct Loss(pub(crate) loss::Loss);

#[pymethods]
impl Loss {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("kind", "code", "path", "reason")
    }

    #[doc = stub!("Loss.kind")]
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    #[doc = stub!("Loss.code")]
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    #[doc = stub!("Loss.path")]
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    #[doc = stub!("Loss.reason")]
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["kind", "code", "path", "reason"])
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
        let code = named(Edit::ALL, code, Edit::name)?;
        Ok(Self(loss::Loss { kind, code, path: path.0, reason: reason.into() }))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.kind(), self.code(), self.path()).hash(&mut hasher);
        hasher.finish()
    }
}

#[doc = stub!("loss_codes")]
#[pyfunction]
pub(crate) fn loss_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in Edit::ALL.iter().filter(|code| code.is_loss()) {
        codes.set_item(code.name(), code.meaning())?;
    }
    Ok(codes)
}

/// The number of losses, in words.
pub(crate) fn counted(losses: &Bound<'_, PyTuple>) -> String {
    match losses.len() {
        0 => "no losses".to_owned(),
        1 => "1 loss".to_owned(),
        count => format!("{count} losses"),
    }
}

/// The table of losses for a notebook, under the description of what has them.
pub(crate) fn table_of(said: &str, losses: &Bound<'_, PyTuple>) -> PyResult<String> {
    let losses = losses.iter().map(|loss| Ok(loss.cast_into::<Loss>()?.unbind())).collect::<PyResult<Vec<_>>>()?;
    Ok(html::losses(said.trim_matches(['<', '>']), losses.iter().map(|loss| &loss.get().0)))
}
