//! `ToolUseResult` and `truncate_tool_results`.

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyList, PyString, PyTuple},
};
use turnwire_core::{
    model::tool::{Content, ToolResult},
    rules::CallForm,
    spec::message::truncate_results,
    text::budget::Split,
};

use super::{
    Words,
    block::{content_of, wrap},
    call_repr, hash,
    status::{Status, object, word},
};
use crate::{
    arguments::{Bytes, Word, items, not_a},
    error::raise,
    host::PyHost,
    html,
    part::{Part, maybe_text, text_of},
    text::Suffix,
    wrong_argument::named,
};

pub(crate) type CoreResult = ToolResult<PyHost>;

#[doc = stub!("ToolUseResult")]
#[pyclass(frozen, module = "turnwire", name = "ToolUseResult")]
pub(crate) struct ToolUseResult(CoreResult);

// A program may hold many results: eighty bytes each, with Python's header.
const _: () = assert!(size_of::<CoreResult>() <= 48);

impl ToolUseResult {
    pub(crate) fn result(&self) -> &CoreResult {
        &self.0
    }
}

/// The result must not hold spans.
impl From<CoreResult> for ToolUseResult {
    fn from(result: CoreResult) -> Self {
        Self(result)
    }
}

#[pymethods]
impl ToolUseResult {
    #[new]
    #[pyo3(
        signature = (tool_use_id, content, status = Status(false), name = None),
        text_signature = "(tool_use_id, content, status='success', name=None)"
    )]
    fn new(tool_use_id: Words, content: &Bound<'_, PyAny>, status: Status, name: Option<Words>) -> PyResult<Self> {
        Ok(Self(ToolResult {
            id: tool_use_id.0,
            made_up_id: false,
            name: name.map(|words| Box::new(words.0)),
            content: content_of(content).map_err(|error| named(content.py(), "content", error))?,
            error: status.0,
            synthetic: false,
            custom: false,
            form: None,
        }))
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("tool_use_id", "content", "status")
    }

    #[doc = stub!("ToolUseResult.tool_use_id")]
    #[getter]
    fn tool_use_id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, &self.0.id)
    }

    #[doc = stub!("ToolUseResult.content")]
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let blocks = match &self.0.content {
            Content::Absent => Vec::new(),
            Content::Text(text) => vec![wrap(py, Part::text(text.share()))?],
            Content::Blocks(parts) => parts.iter().map(|part| wrap(py, part.share())).collect::<PyResult<_>>()?,
        };
        PyTuple::new(py, blocks)
    }

    #[doc = stub!("ToolUseResult.status")]
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, self.0.error)
    }

    #[doc = stub!("ToolUseResult.name")]
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.0.name.as_deref())
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["tool_use_id", "name", "status", "content"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, result) = (slf.py(), slf.get());
        let mut arguments = vec![("", result.tool_use_id(py)?.into_any()), ("", result.given(py)?)];
        if result.0.error {
            arguments.push(("status", PyString::new(py, word(true)).into_any()));
        }
        if let Some(name) = result.name(py)? {
            arguments.push(("name", name.into_any()));
        }
        call_repr("ToolUseResult", &arguments)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0, (None, None))
    }

    fn __hash__(&self) -> u64 {
        hash([&self.0.id])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, result) = (slf.py(), slf.get());
        let said = (result.tool_use_id(py)?, result.given(py)?, word(result.0.error), result.name(py)?);
        let arguments = (
            said.0,
            said.1,
            said.2,
            said.3,
            result.0.made_up_id,
            result.0.synthetic,
            result.0.form.map(CallForm::call),
        );
        (slf.get_type().getattr("_restore")?, arguments).into_pyobject(py)
    }

    /// Also restores the fields that `__init__` does not take.
    #[staticmethod]
    #[pyo3(signature = (tool_use_id, content, status, name, made_up_id, synthetic, form = None))]
    fn _restore(
        tool_use_id: Words,
        content: &Bound<'_, PyAny>,
        status: Status,
        name: Option<Words>,
        made_up_id: bool,
        synthetic: bool,
        form: Option<&str>,
    ) -> PyResult<Self> {
        let Self(result) = Self::new(tool_use_id, content, status, name)?;
        Ok(Self(ToolResult { made_up_id, synthetic, form: form.and_then(CallForm::named), ..result }))
    }
}

impl ToolUseResult {
    /// The content as the constructor takes it: a str for a single text, else a list of blocks.
    fn given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0.content {
            Content::Text(text) => text_of(py, text).map(Bound::into_any),
            _ => PyList::new(py, self.content(py)?).map(Bound::into_any),
        }
    }
}

/// Results as an argument: any iterable of `ToolUseResult`.
pub(crate) struct Results<'py>(pub(crate) Vec<Bound<'py, ToolUseResult>>);

impl<'py> FromPyObject<'_, 'py> for Results<'py> {
    type Error = PyErr;

    fn extract(results: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let result = |(index, result): (usize, PyResult<Bound<'py, PyAny>>)| match result?.cast_into() {
            Ok(result) => Ok(result),
            Err(failure) => not_a(&format!("[{index}] to be a ToolUseResult"), &failure.into_inner()),
        };
        items(&results, "a list of ToolUseResult")?.enumerate().map(result).collect::<PyResult<_>>().map(Self)
    }
}

impl Results<'_> {
    /// Handles to the same results.
    pub(crate) fn into_answers(self) -> Vec<CoreResult> {
        self.0.iter().map(|result| result.get().0.share()).collect()
    }
}

/// Results as Python sees them.
pub(crate) fn tuple_of<'py>(py: Python<'py>, results: &[CoreResult]) -> PyResult<Bound<'py, PyTuple>> {
    let results = results.iter().map(|result| Py::new(py, ToolUseResult(result.share())));
    PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)
}

#[doc = stub!("truncate_tool_results")]
#[pyfunction]
#[pyo3(
    signature = (results, max_bytes = Bytes::MESSAGE, *, suffix = Suffix::Default, split = Word(Split::Even)),
    text_signature = "(results, max_bytes=MAX_USER_MESSAGE_SIZE, *, suffix=TRUNCATED_SUFFIX, split='even')"
)]
pub(crate) fn truncate_tool_results<'py>(
    py: Python<'py>,
    results: Results<'py>,
    max_bytes: Bytes,
    suffix: Suffix<'_, 'py>,
    split: Word<Split>,
) -> PyResult<Bound<'py, PyList>> {
    let Results(results) = results;
    let all: Vec<_> = results.iter().map(|result| result.get().result()).collect();
    let cut = truncate_results(&all, max_bytes.0, suffix.units()?, split.0).map_err(raise)?;
    let results = results.iter().zip(cut).map(|(old, new)| match new {
        Some(new) => Bound::new(py, ToolUseResult(new)),
        None => Ok(old.clone()),
    });
    PyList::new(py, results.collect::<PyResult<Vec<_>>>()?)
}
