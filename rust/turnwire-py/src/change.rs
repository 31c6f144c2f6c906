//! `Change`: one thing that is done to the caller's messages, or told of them; and what each code means.

use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use turnwire_core::{
    prefix::Cause,
    report::{
        change::{Change as Core, ChangeCode},
        error::Code,
        path::Path as CorePath,
        register::{ChangeKind, Edit},
        severity::Severity,
    },
};

use crate::{
    arguments::no_attribute,
    html,
    pickle::{Path, named},
};

#[doc = stub!("Change")]
#[pyclass(frozen, eq, module = "turnwire", name = "Change")]
#[derive(PartialEq)]
pub(crate) struct Change(pub(crate) Core);

#[pymethods]
impl Change {
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf, name))
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("kind", "code", "path")
    }

    #[doc = stub!("Change.kind")]
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    #[doc = stub!("Change.code")]
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    #[doc = stub!("Change.severity")]
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    #[doc = stub!("Change.path")]
    #[getter]
    fn path(&self) -> String {
        self.0.path.to_string()
    }

    #[doc = stub!("Change.index")]
    #[getter]
    fn index(&self) -> Option<usize> {
        self.0.index
    }

    #[doc = stub!("Change.reason")]
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    #[doc = stub!("Change.action")]
    #[getter]
    fn action(&self) -> &str {
        &self.0.action
    }

    #[doc = stub!("Change.id")]
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    #[doc = stub!("Change.new_id")]
    #[getter]
    fn new_id(&self) -> Option<&str> {
        self.0.new_id.as_deref()
    }

    #[doc = stub!("Change.bytes_before")]
    #[getter]
    fn bytes_before(&self) -> Option<usize> {
        self.0.bytes.map(|(before, _)| before)
    }

    #[doc = stub!("Change.bytes_after")]
    #[getter]
    fn bytes_after(&self) -> Option<usize> {
        self.0.bytes.map(|(_, after)| after)
    }

    #[doc = stub!("Change.to_dict")]
    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("kind", self.kind())?;
        dict.set_item("code", self.code())?;
        dict.set_item("severity", self.severity())?;
        dict.set_item("path", self.path())?;
        dict.set_item("index", self.index())?;
        dict.set_item("reason", self.reason())?;
        dict.set_item("action", self.action())?;
        dict.set_item("id", self.id())?;
        dict.set_item("new_id", self.new_id())?;
        dict.set_item("bytes_before", self.bytes_before())?;
        dict.set_item("bytes_after", self.bytes_after())?;
        Ok(dict)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let Core { kind, code, severity, path, index, reason, action, id, new_id, bytes } = &slf.get().0;
        let about = (kind.name(), code.name(), severity.name());
        let said =
            (about, Path(path.clone()), *index, (&**reason, &**action), (id.as_deref(), new_id.as_deref()), *bytes);
        (slf.get_type().getattr("_restore")?, said).into_pyobject(slf.py())
    }

    /// The same change at another place: `front` instead of the first `less` steps of its path.
    #[expect(clippy::needless_pass_by_value, reason = "what is extracted is owned")]
    fn _moved(&self, front: Path, less: usize) -> Self {
        let path = CorePath::of(front.0.steps().chain(self.0.path.steps().skip(less)));
        Self(Core { path, index: None, ..self.0.clone() })
    }

    #[staticmethod]
    fn _restore(
        about: (String, String, String),
        path: Path,
        index: Option<usize>,
        texts: (String, String),
        ids: (Option<String>, Option<String>),
        bytes: Option<(usize, usize)>,
    ) -> PyResult<Self> {
        let (kind, code, severity) = about;
        let kind = named(ChangeKind::ALL, &kind, ChangeKind::name)?;
        let code = match kind {
            ChangeKind::Refused => ChangeCode::Error(named(Code::ALL, &code, Code::name)?),
            // A warning may have the code of a difference.
            _ => match named(Edit::ALL, &code, Edit::name) {
                Ok(edit) => edit.into(),
                Err(_) => ChangeCode::Diff(named(Cause::ALL, &code, Cause::name)?.name()),
            },
        };
        let severity = named(&Severity::ALL, &severity, Severity::name)?;
        let (reason, action) = (texts.0.into(), texts.1.into());
        let (path, (id, new_id)) = (path.0, ids);
        Ok(Self(Core { kind, code, severity, path, index, reason, action, id, new_id, bytes }))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Change: {}>", self.0)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(
            slf,
            &["kind", "code", "severity", "path", "id", "new_id", "bytes_before", "bytes_after", "reason", "action"],
        )
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.kind(), self.code(), self.path()).hash(&mut hasher);
        hasher.finish()
    }
}

/// A change that an adapter makes itself: what it loses, or what it sends in another form.
#[pyfunction]
#[pyo3(signature = (code, path, reason, lost))]
pub(crate) fn _change(code: &str, path: Path, reason: String, lost: bool) -> PyResult<Change> {
    let code = named(Edit::ALL, code, Edit::name)?;
    let kind = if lost { code.kind_lost() } else { code.kind_changed() };
    Ok(Change(Core::told(kind, code, path.0, reason)))
}

/// What each code of a change means: its kinds, each with what is done, and a sentence or two.
#[pyfunction]
pub(crate) fn _change_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for code in Edit::ALL {
        let actions: Vec<_> = code.actions().iter().map(|(kind, action)| (kind.name(), *action)).collect();
        codes.set_item(code.name(), (actions, code.meaning()))?;
    }
    Ok(codes)
}
