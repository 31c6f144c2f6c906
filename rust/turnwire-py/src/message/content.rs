//! `UserMessageContent` and its variants: the content of a user message.

use pyo3::{
    prelude::*,
    types::{PyString, PyTuple, PyType},
};
use turnwire_core::{spec::message, text::budget::Split};

use super::{
    Words, call_repr, hash,
    result::{Results, tuple_of},
    variant,
};
use crate::{
    arguments::{Bytes, Word},
    error::raise,
    host::PyHost,
    html,
    part::maybe_text,
};

pub(crate) type CoreContent = message::UserMessageContent<PyHost>;

#[doc = stub!("UserMessageContent")]
#[pyclass(frozen, subclass, module = "turnwire.spec", name = "UserMessageContent")]
pub(crate) struct UserMessageContent(pub(crate) CoreContent);

#[doc = stub!("UserMessageContent.Prompt")]
#[pyclass(frozen, extends = UserMessageContent, module = "turnwire.spec", name = "Prompt")]
pub(crate) struct Prompt;

#[doc = stub!("UserMessageContent.CancelledToolUses")]
#[pyclass(frozen, extends = UserMessageContent, module = "turnwire.spec", name = "CancelledToolUses")]
pub(crate) struct CancelledToolUses;

#[doc = stub!("UserMessageContent.ToolUseResults")]
#[pyclass(frozen, extends = UserMessageContent, module = "turnwire.spec", name = "ToolUseResults")]
pub(crate) struct ToolUseResults;

#[pymethods]
impl UserMessageContent {
    #[doc = stub!("UserMessageContent.Prompt")]
    #[classattr]
    #[pyo3(name = "Prompt")]
    fn prompt_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<Prompt>(py, "UserMessageContent.Prompt")
    }

    #[doc = stub!("UserMessageContent.CancelledToolUses")]
    #[classattr]
    #[pyo3(name = "CancelledToolUses")]
    fn cancelled_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<CancelledToolUses>(py, "UserMessageContent.CancelledToolUses")
    }

    #[doc = stub!("UserMessageContent.ToolUseResults")]
    #[classattr]
    #[pyo3(name = "ToolUseResults")]
    fn results_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<ToolUseResults>(py, "UserMessageContent.ToolUseResults")
    }

    #[doc = stub!("UserMessageContent.truncate_safe")]
    #[pyo3(signature = (max_bytes, *, split = Word(Split::Even)), text_signature = "($self, max_bytes, *, split='even')")]
    fn truncate_safe(slf: &Bound<'_, Self>, max_bytes: Bytes, split: Word<Split>) -> PyResult<Py<PyAny>> {
        match slf.get().0.truncate_safe(max_bytes.0, split.0).map_err(raise)? {
            Some(cut) => wrap(slf.py(), cut),
            None => Ok(slf.clone().into_any().unbind()),
        }
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["prompt", "tool_use_results"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let arguments: Vec<_> = slf.get().arguments(slf.py())?.into_iter().map(|argument| ("", argument)).collect();
        call_repr(&slf.get_type().qualname()?.to_string_lossy(), &arguments)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    pub(super) fn __hash__(&self) -> u64 {
        let results = self.0.tool_use_results().unwrap_or_default();
        hash(self.0.prompt().into_iter().chain(results.iter().map(|result| &result.id)))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = PyTuple::new(slf.py(), slf.get().arguments(slf.py())?)?;
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }
}

impl UserMessageContent {
    fn prompt<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.0.prompt())
    }

    fn tool_use_results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple_of(py, self.0.tool_use_results().unwrap_or_default())
    }

    /// The arguments of the variant's constructor.
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let prompt = || self.prompt(py)?.into_pyobject(py).map_err(PyErr::from);
        let results = || self.tool_use_results(py).map(Bound::into_any);
        Ok(match &self.0 {
            CoreContent::Prompt { .. } => vec![prompt()?],
            CoreContent::CancelledToolUses { .. } => vec![prompt()?, results()?],
            CoreContent::ToolUseResults { .. } => vec![results()?],
        })
    }
}

#[pymethods]
impl Prompt {
    #[new]
    fn new(prompt: Words) -> PyClassInitializer<Self> {
        PyClassInitializer::from(UserMessageContent(CoreContent::Prompt { prompt: prompt.0 })).add_subclass(Self)
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("prompt",)
    }

    #[doc = stub!("UserMessageContent.Prompt.prompt")]
    #[getter]
    fn prompt<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyString>>> {
        slf.as_super().get().prompt(slf.py())
    }
}

#[pymethods]
impl CancelledToolUses {
    #[new]
    fn new(prompt: Option<Words>, tool_use_results: Results<'_>) -> PyClassInitializer<Self> {
        let prompt = prompt.map(|words| words.0);
        let content = CoreContent::CancelledToolUses { prompt, tool_use_results: tool_use_results.into_answers() };
        PyClassInitializer::from(UserMessageContent(content)).add_subclass(Self)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("prompt", "tool_use_results")
    }

    #[doc = stub!("UserMessageContent.CancelledToolUses.prompt")]
    #[getter]
    fn prompt<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyString>>> {
        slf.as_super().get().prompt(slf.py())
    }

    #[doc = stub!("UserMessageContent.CancelledToolUses.tool_use_results")]
    #[getter]
    fn tool_use_results<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        slf.as_super().get().tool_use_results(slf.py())
    }
}

#[pymethods]
impl ToolUseResults {
    #[new]
    fn new(tool_use_results: Results<'_>) -> PyClassInitializer<Self> {
        let content = CoreContent::ToolUseResults { tool_use_results: tool_use_results.into_answers() };
        PyClassInitializer::from(UserMessageContent(content)).add_subclass(Self)
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("tool_use_results",)
    }

    #[doc = stub!("UserMessageContent.ToolUseResults.tool_use_results")]
    #[getter]
    fn tool_use_results<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        slf.as_super().get().tool_use_results(slf.py())
    }
}

/// Content as the object of its variant.
pub(crate) fn wrap(py: Python<'_>, content: CoreContent) -> PyResult<Py<PyAny>> {
    enum Variant {
        Prompt,
        Cancelled,
        Results,
    }
    let variant = match &content {
        CoreContent::Prompt { .. } => Variant::Prompt,
        CoreContent::CancelledToolUses { .. } => Variant::Cancelled,
        CoreContent::ToolUseResults { .. } => Variant::Results,
    };
    let base = PyClassInitializer::from(UserMessageContent(content));
    Ok(match variant {
        Variant::Prompt => Py::new(py, base.add_subclass(Prompt))?.into_any(),
        Variant::Cancelled => Py::new(py, base.add_subclass(CancelledToolUses))?.into_any(),
        Variant::Results => Py::new(py, base.add_subclass(ToolUseResults))?.into_any(),
    })
}
