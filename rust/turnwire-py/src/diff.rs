//! `diff` and `Diff`: the differences between two requests in a row.

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyDict, PyTuple},
};
use turnwire_core::{
    convert,
    detect::Reading,
    prefix::{self as core, Cause, Place, Tools},
    value::{
        Tree,
        handle::{Raw, Value},
        json,
    },
};

use crate::{
    arguments::{Written, not_a},
    convert::Payload,
    error::raise,
    freeze,
    host::PyHost,
    html,
    node::Node,
    ours::conversation_of,
    pickle::{Path, named},
    wrong_argument::{Str, wrong},
};

/// A request body, or only the list of its messages, as a frozen value.
pub(crate) struct Body(pub(crate) Value<PyHost>);

impl<'py> FromPyObject<'_, 'py> for Body {
    type Error = PyErr;

    fn extract(body: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        const EXPECTED: &str = "a request body or a list of messages";
        if conversation_of(&body)?.is_some() {
            return not_a(EXPECTED, &body);
        }
        let root = match Payload::new(&body)? {
            Payload::Json(input) => return json::read::value(input.bytes()).map(Self).map_err(raise),
            Payload::Object(root) => root,
        };
        if !matches!(Node::of(&root), Node::Map(_) | Node::List(_) | Node::Foreign) {
            return Err(wrong(EXPECTED, &root));
        }
        let frozen = freeze::value(&root).map_err(raise)?;
        // Fails for values that JSON cannot hold, because they cannot be compared.
        json::encode::raw(&Raw::Tree(frozen.share()), None, &mut Vec::new()).map_err(raise)?;
        Ok(Self(frozen))
    }
}

#[doc = stub!("diff")]
#[pyfunction]
#[pyo3(
    signature = (before, after, *, source = Written::AUTO, model = None),
    text_signature = "(before, after, *, source='auto', model=None)"
)]
#[expect(clippy::needless_pass_by_value, reason = "they are arguments")]
pub(crate) fn diff(before: Body, after: Body, source: Written, model: Option<Str<'_, '_>>) -> PyResult<Diff> {
    let model = model.map(|model| model.to_string_lossy().into_owned());
    let source: Reading = source.reading(None);
    for body in [&before, &after] {
        convert::refuse_record(&Tree(&body.0), source).map_err(raise)?;
    }
    core::diff(&before.0, &after.0, source, model.as_deref()).map(Diff).map_err(raise)
}

#[doc = stub!("diff_codes")]
#[pyfunction]
pub(crate) fn diff_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let codes = PyDict::new(py);
    for cause in Cause::ALL {
        codes.set_item(cause.name(), (cause.is_edit(), cause.meaning()))?;
    }
    Ok(codes)
}

#[doc = stub!("Diff")]
#[pyclass(frozen, eq, module = "turnwire._core", name = "Diff")]
#[derive(PartialEq)]
pub(crate) struct Diff(core::Diff);

/// The first difference in a pickle: path, byte, length, and the content of both sides.
type KeptPlace = (Path, usize, usize, String, String);
/// The other fields in a pickle: the whole, the pair that differs, and the cache.
type KeptWhole = (String, Option<String>, String, bool, bool);
type KeptPair = (Option<Path>, Option<Path>, String, Option<String>, usize, Option<KeptPlace>);
type KeptCache = (usize, usize, Option<Path>);
/// The tools in a pickle.
type KeptTools = (Vec<String>, Vec<String>, Vec<String>, bool);

#[pymethods]
impl Diff {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("code", "edit", "path")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let diff = slf.get().0.clone();
        let place = diff.place.map(|place| (Path(place.path), place.byte, place.length, place.before, place.after));
        let tools = (diff.tools.added, diff.tools.removed, diff.tools.redefined, diff.tools.reordered);
        let stale: Vec<_> = diff.stale.into_iter().map(Path).collect();
        let said = (
            (diff.dialect, diff.model, diff.cause.name(), diff.edit, diff.checks),
            (diff.before.map(Path), diff.after.map(Path), diff.kind, diff.id, diff.count, place),
            (stale, tools, diff.system_changed),
            (diff.cached, diff.total, diff.anew.map(Path)),
        );
        (slf.get_type().getattr("_restore")?, said).into_pyobject(slf.py())
    }

    #[staticmethod]
    fn _restore(of: KeptWhole, at: KeptPair, lists: (Vec<Path>, KeptTools, bool), cache: KeptCache) -> PyResult<Self> {
        let (dialect, model, cause, edit, checks) = of;
        let (before, after, kind, id, count, place) = at;
        let ((stale, tools, system_changed), (cached, total, anew)) = (lists, cache);
        let place =
            place.map(|(path, byte, length, before, after)| Place { path: path.0, byte, length, before, after });
        let (added, removed, redefined, reordered) = tools;
        Ok(Self(core::Diff {
            dialect,
            model,
            cause: named(Cause::ALL, &cause, Cause::name)?,
            edit,
            before: before.map(|path| path.0),
            after: after.map(|path| path.0),
            kind,
            id,
            count,
            place,
            checks,
            stale: stale.into_iter().map(|path| path.0).collect(),
            tools: Tools { added, removed, redefined, reordered },
            system_changed,
            cached,
            total,
            anew: anew.map(|path| path.0),
        }))
    }

    #[doc = stub!("Diff.code")]
    #[getter]
    fn code(&self) -> &'static str {
        self.0.cause.name()
    }

    #[doc = stub!("Diff.edit")]
    #[getter]
    fn edit(&self) -> bool {
        self.0.edit
    }

    #[doc = stub!("Diff.cause")]
    #[getter]
    fn cause(&self) -> String {
        self.0.sentence()
    }

    #[doc = stub!("Diff.dialect")]
    #[getter]
    fn dialect(&self) -> &str {
        &self.0.dialect
    }

    #[doc = stub!("Diff.model")]
    #[getter]
    fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    #[doc = stub!("Diff.path")]
    #[getter]
    fn path(&self) -> Option<String> {
        self.0.path().map(ToString::to_string)
    }

    #[doc = stub!("Diff.path_before")]
    #[getter]
    fn path_before(&self) -> Option<String> {
        self.0.before.as_ref().map(ToString::to_string)
    }

    #[doc = stub!("Diff.path_after")]
    #[getter]
    fn path_after(&self) -> Option<String> {
        self.0.after.as_ref().map(ToString::to_string)
    }

    #[doc = stub!("Diff.kind")]
    #[getter]
    fn kind(&self) -> &str {
        &self.0.kind
    }

    #[doc = stub!("Diff.id")]
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    #[doc = stub!("Diff.count")]
    #[getter]
    fn count(&self) -> usize {
        self.0.count
    }

    #[doc = stub!("Diff.leaf")]
    #[getter]
    fn leaf(&self) -> Option<String> {
        self.0.place.as_ref().map(|place| place.path.to_string())
    }

    #[doc = stub!("Diff.byte")]
    #[getter]
    fn byte(&self) -> Option<usize> {
        self.0.place.as_ref().map(|place| place.byte)
    }

    #[doc = stub!("Diff.length")]
    #[getter]
    fn length(&self) -> Option<usize> {
        self.0.place.as_ref().map(|place| place.length)
    }

    #[doc = stub!("Diff.before")]
    #[getter]
    fn before(&self) -> &str {
        self.0.place.as_ref().map_or("", |place| &place.before)
    }

    #[doc = stub!("Diff.after")]
    #[getter]
    fn after(&self) -> &str {
        self.0.place.as_ref().map_or("", |place| &place.after)
    }

    #[doc = stub!("Diff.checks")]
    #[getter]
    fn checks(&self) -> bool {
        self.0.checks
    }

    #[doc = stub!("Diff.stale")]
    #[getter]
    fn stale<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.stale.iter().map(ToString::to_string))
    }

    #[doc = stub!("Diff.system_changed")]
    #[getter]
    fn system_changed(&self) -> bool {
        self.0.system_changed
    }

    #[doc = stub!("Diff.tools_added")]
    #[getter]
    fn tools_added<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.tools.added)
    }

    #[doc = stub!("Diff.tools_removed")]
    #[getter]
    fn tools_removed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.tools.removed)
    }

    #[doc = stub!("Diff.tools_redefined")]
    #[getter]
    fn tools_redefined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.tools.redefined)
    }

    #[doc = stub!("Diff.tools_reordered")]
    #[getter]
    fn tools_reordered(&self) -> bool {
        self.0.tools.reordered
    }

    #[doc = stub!("Diff.cached")]
    #[getter]
    fn cached(&self) -> usize {
        self.0.cached
    }

    #[doc = stub!("Diff.total")]
    #[getter]
    fn total(&self) -> usize {
        self.0.total
    }

    #[doc = stub!("Diff.share")]
    #[getter]
    fn share(&self) -> f64 {
        self.0.share()
    }

    #[doc = stub!("Diff.anew")]
    #[getter]
    fn anew(&self) -> Option<String> {
        self.0.anew.as_ref().map(ToString::to_string)
    }

    #[doc = stub!("Diff.to_dict")]
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        const NAMES: [&str; 27] = [
            "code",
            "edit",
            "cause",
            "dialect",
            "model",
            "path",
            "path_before",
            "path_after",
            "kind",
            "id",
            "count",
            "leaf",
            "byte",
            "length",
            "before",
            "after",
            "checks",
            "stale",
            "system_changed",
            "tools_added",
            "tools_removed",
            "tools_redefined",
            "tools_reordered",
            "cached",
            "total",
            "share",
            "anew",
        ];
        let dict = PyDict::new(slf.py());
        for name in NAMES {
            let value = slf.getattr(name)?;
            let value = if let Ok(paths) = value.cast::<PyTuple>() { paths.to_list().into_any() } else { value };
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    fn __bool__(&self) -> bool {
        self.0.edit
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Diff: {}: {}>", self.0.cause.name(), self.0.headline())
    }

    fn _repr_html_(&self) -> String {
        html::diff(&self.0)
    }

    fn __hash__(&self) -> usize {
        self.0.total
    }
}
