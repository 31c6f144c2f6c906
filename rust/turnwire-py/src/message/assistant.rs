//! `AssistantMessage` and its variants: a message of the assistant.

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyString, PyTuple, PyType},
};
use turnwire_core::{
    model::{tool::Call, turn::Turn},
    spec::message,
};

use super::{Words, call::AssistantToolUse, call_repr, hash, variant};
use crate::{
    arguments::{items, not_a},
    host::PyHost,
    html,
    part::{maybe_text, text_of},
};

type CoreMessage = message::AssistantMessage<PyHost>;

#[doc = stub!("AssistantMessage")]
#[pyclass(frozen, subclass, module = "turnwire.spec", name = "AssistantMessage")]
pub(crate) struct AssistantMessage(CoreMessage);

#[doc = stub!("AssistantMessage.Response")]
#[pyclass(frozen, extends = AssistantMessage, module = "turnwire.spec", name = "Response")]
pub(crate) struct Response;

#[doc = stub!("AssistantMessage.ToolUse")]
#[pyclass(frozen, extends = AssistantMessage, module = "turnwire.spec", name = "ToolUse")]
pub(crate) struct ToolUse;

/// Tool requests as an argument: any iterable of `AssistantToolUse`.
pub(crate) struct Calls(Vec<Call<PyHost>>);

impl<'py> FromPyObject<'_, 'py> for Calls {
    type Error = PyErr;

    fn extract(calls: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let call = |(index, call): (usize, PyResult<Bound<'py, PyAny>>)| {
            let call = call?;
            match call.cast::<AssistantToolUse>() {
                Ok(call) => Ok(call.get().call().share()),
                Err(_) => not_a(&format!("[{index}] to be an AssistantToolUse"), &call),
            }
        };
        items(&calls, "a list of AssistantToolUse")?.enumerate().map(call).collect::<PyResult<_>>().map(Self)
    }
}

impl AssistantMessage {
    /// The message as a turn of a conversation.
    pub(crate) fn to_turn(&self) -> Turn<PyHost> {
        self.0.to_turn()
    }

    /// The arguments of the variant's constructor.
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut arguments = vec![self.message_id(py)?.into_pyobject(py)?, self.content(py)?.into_any()];
        if let Some(calls) = self.tool_uses(py)? {
            arguments.push(calls.into_any());
        }
        Ok(arguments)
    }
}

#[pymethods]
impl AssistantMessage {
    #[doc = stub!("AssistantMessage.Response")]
    #[classattr]
    #[pyo3(name = "Response")]
    fn response_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<Response>(py, "AssistantMessage.Response")
    }

    #[doc = stub!("AssistantMessage.ToolUse")]
    #[classattr]
    #[pyo3(name = "ToolUse")]
    fn tool_use_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        variant::<ToolUse>(py, "AssistantMessage.ToolUse")
    }

    #[doc = stub!("AssistantMessage.new_response")]
    #[staticmethod]
    fn new_response(py: Python<'_>, message_id: Option<Words>, content: Words) -> PyResult<Py<Response>> {
        Py::new(py, Response::new(message_id, content))
    }

    #[doc = stub!("AssistantMessage.new_tool_use")]
    #[staticmethod]
    fn new_tool_use(
        py: Python<'_>,
        message_id: Option<Words>,
        content: Words,
        tool_uses: Calls,
    ) -> PyResult<Py<ToolUse>> {
        Py::new(py, ToolUse::new(message_id, content, tool_uses))
    }

    #[doc = stub!("AssistantMessage.message_id")]
    #[getter]
    fn message_id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.0.message_id())
    }

    #[doc = stub!("AssistantMessage.content")]
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, self.0.content())
    }

    #[doc = stub!("AssistantMessage.tool_uses")]
    #[getter]
    fn tool_uses<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(calls) = self.0.tool_uses() else { return Ok(None) };
        let calls = calls.iter().map(|call| Py::new(py, AssistantToolUse::from(call.share())));
        PyTuple::new(py, calls.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["message_id", "content", "tool_uses"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let arguments: Vec<_> = slf.get().arguments(slf.py())?.into_iter().map(|argument| ("", argument)).collect();
        call_repr(&slf.get_type().qualname()?.to_string_lossy(), &arguments)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> u64 {
        hash(self.0.message_id().into_iter().chain([self.0.content()]))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = PyTuple::new(slf.py(), slf.get().arguments(slf.py())?)?;
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }
}

#[pymethods]
impl Response {
    #[new]
    fn new(message_id: Option<Words>, content: Words) -> PyClassInitializer<Self> {
        let message_id = message_id.map(|words| words.0);
        let message = CoreMessage::Response { message_id, content: content.0 };
        PyClassInitializer::from(AssistantMessage(message)).add_subclass(Self)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("message_id", "content")
    }
}

#[pymethods]
impl ToolUse {
    #[new]
    fn new(message_id: Option<Words>, content: Words, tool_uses: Calls) -> PyClassInitializer<Self> {
        let message_id = message_id.map(|words| words.0);
        let message = CoreMessage::ToolUse { message_id, content: content.0, tool_uses: tool_uses.0 };
        PyClassInitializer::from(AssistantMessage(message)).add_subclass(Self)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("message_id", "content", "tool_uses")
    }
}
