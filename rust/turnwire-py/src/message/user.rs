//! `UserMessage`: a message of the user, or of the program on their behalf.

use pyo3::{
    Borrowed,
    prelude::*,
    types::{PyDateTime, PyDict, PyString, PyTuple},
};
use turnwire_core::{
    model::turn::Turn,
    report::{error::Error, path::Step},
    spec::message,
    text::budget::Split,
    value::handle::Value,
};

use super::{
    Words, call_repr,
    content::{CoreContent, UserMessageContent, wrap},
    env::{UserEnvContext, generate_new},
    image::{CoreImage, ImageBlock},
    result::{Results, tuple_of},
    timestamp::{Moment, datetime},
};
use crate::{
    arguments::{Bytes, Word, items, not_a},
    error::raise,
    freeze,
    host::PyHost,
    html,
    part::{Handle, maybe_text, text_of},
    sink::PySink,
};

type CoreMessage = message::UserMessage<PyHost>;

#[doc = stub!("UserMessage")]
#[pyclass(frozen, module = "turnwire.spec", name = "UserMessage")]
pub(crate) struct UserMessage(CoreMessage);

/// Images as an argument: any iterable of `ImageBlock`.
pub(crate) struct Images(Vec<CoreImage>);

impl<'py> FromPyObject<'_, 'py> for Images {
    type Error = PyErr;

    fn extract(images: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let image = |(index, image): (usize, PyResult<Bound<'py, PyAny>>)| {
            let image = image?;
            match image.cast::<ImageBlock>() {
                Ok(image) => Ok(image.get().0.share()),
                Err(_) => not_a(&format!("[{index}] to be an ImageBlock"), &image),
            }
        };
        items(&images, "a list of ImageBlock")?.enumerate().map(image).collect::<PyResult<_>>().map(Self)
    }
}

/// Ids as an argument: any iterable of str.
pub(crate) struct Ids(Vec<Handle>);

impl<'py> FromPyObject<'_, 'py> for Ids {
    type Error = PyErr;

    fn extract(ids: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        items(&ids, "a list of str")?
            .map(|id| id?.extract::<Words>().map(|words| words.0))
            .collect::<PyResult<_>>()
            .map(Self)
    }
}

impl UserMessage {
    fn made(py: Python<'_>, content: CoreContent, timestamp: Option<Moment>) -> PyResult<Self> {
        let timestamp = timestamp.map(|moment| moment.0);
        Ok(Self(CoreMessage::new(content, generate_new(py)?, timestamp)))
    }

    /// The message as a turn of a conversation.
    pub(crate) fn to_turn(&self) -> Result<Turn<PyHost>, Error> {
        self.0.to_turn()
    }

    /// The arguments of the constructor, by name.
    fn named<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>)>> {
        let mut named = vec![("", self.content(py)?.into_bound(py))];
        if !self.0.additional_context.is_empty() {
            named.push(("additional_context", self.additional_context(py)?.into_any()));
        }
        named.push(("env_context", Bound::new(py, self.env_context())?.into_any()));
        if let Some(moment) = self.timestamp(py)? {
            named.push(("timestamp", moment.into_any()));
        }
        if let Some(images) = self.images(py)? {
            named.push(("images", images.into_any()));
        }
        Ok(named)
    }
}

#[pymethods]
impl UserMessage {
    #[new]
    #[pyo3(
        signature = (content, *, additional_context = None, env_context = None, timestamp = None, images = None),
        text_signature = "(content, *, additional_context='', env_context=None, timestamp=None, images=None)"
    )]
    fn new(
        content: &Bound<'_, UserMessageContent>,
        additional_context: Option<Words>,
        env_context: Option<&Bound<'_, UserEnvContext>>,
        timestamp: Option<Moment>,
        images: Option<Images>,
    ) -> Self {
        let env_context =
            env_context.map_or(message::UserEnvContext { env_state: None }, |context| context.get().0.share());
        let mut message = CoreMessage::new(content.get().0.share(), env_context, timestamp.map(|moment| moment.0));
        if let Some(words) = additional_context {
            message.additional_context = words.0;
        }
        message.images = images.map(|images| images.0);
        Self(message)
    }

    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("content",)
    }

    #[doc = stub!("UserMessage.new_prompt")]
    #[staticmethod]
    #[pyo3(signature = (prompt, timestamp = None))]
    fn new_prompt(py: Python<'_>, prompt: Words, timestamp: Option<Moment>) -> PyResult<Self> {
        Self::made(py, CoreContent::Prompt { prompt: prompt.0 }, timestamp)
    }

    #[doc = stub!("UserMessage.new_cancelled_tool_uses")]
    #[staticmethod]
    #[pyo3(signature = (prompt, tool_use_ids, timestamp = None))]
    fn new_cancelled_tool_uses(
        py: Python<'_>,
        prompt: Option<Words>,
        tool_use_ids: Ids,
        timestamp: Option<Moment>,
    ) -> PyResult<Self> {
        let content = CoreContent::cancelled(prompt.map(|words| words.0), tool_use_ids.0).map_err(raise)?;
        Self::made(py, content, timestamp)
    }

    #[doc = stub!("UserMessage.new_tool_use_results")]
    #[staticmethod]
    fn new_tool_use_results(py: Python<'_>, results: Results<'_>) -> PyResult<Self> {
        Self::made(py, CoreContent::ToolUseResults { tool_use_results: results.into_answers() }, None)
    }

    #[doc = stub!("UserMessage.new_tool_use_results_with_images")]
    #[staticmethod]
    #[pyo3(signature = (results, images, timestamp = None))]
    fn new_tool_use_results_with_images(
        py: Python<'_>,
        results: Results<'_>,
        images: Images,
        timestamp: Option<Moment>,
    ) -> PyResult<Self> {
        let content = CoreContent::ToolUseResults { tool_use_results: results.into_answers() };
        let mut message = Self::made(py, content, timestamp)?;
        message.0.images = Some(images.0);
        Ok(message)
    }

    #[doc = stub!("UserMessage.additional_context")]
    #[getter]
    fn additional_context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, &self.0.additional_context)
    }

    #[doc = stub!("UserMessage.env_context")]
    #[getter]
    fn env_context(&self) -> UserEnvContext {
        UserEnvContext(self.0.env_context.share())
    }

    #[doc = stub!("UserMessage.content")]
    #[getter]
    fn content(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.0.content.share())
    }

    #[doc = stub!("UserMessage.timestamp")]
    #[getter]
    fn timestamp<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDateTime>>> {
        self.0.timestamp.as_ref().map(|moment| datetime(py, moment)).transpose()
    }

    #[doc = stub!("UserMessage.images")]
    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(images) = &self.0.images else { return Ok(None) };
        let images = images.iter().map(|image| Py::new(py, ImageBlock(image.share())));
        PyTuple::new(py, images.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    #[doc = stub!("UserMessage.prompt")]
    #[getter]
    fn prompt<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.0.content.prompt())
    }

    #[doc = stub!("UserMessage.tool_use_results")]
    #[getter]
    fn tool_use_results<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0.content.tool_use_results().map(|results| tuple_of(py, results)).transpose()
    }

    #[doc = stub!("UserMessage.has_tool_use_results")]
    #[getter]
    fn has_tool_use_results(&self) -> bool {
        self.0.content.tool_use_results().is_some()
    }

    #[doc = stub!("UserMessage.with_additional_context")]
    fn with_additional_context(&self, text: Words) -> Self {
        let mut message = self.0.share();
        message.additional_context = text.0;
        Self(message)
    }

    #[doc = stub!("UserMessage.content_with_context")]
    fn content_with_context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text_of(py, &self.0.content_with_context().map_err(raise)?)
    }

    #[doc = stub!("UserMessage.truncate_safe")]
    #[pyo3(signature = (max_bytes, *, split = Word(Split::Even)), text_signature = "($self, max_bytes, *, split='even')")]
    fn truncate_safe<'py>(slf: &Bound<'py, Self>, max_bytes: Bytes, split: Word<Split>) -> PyResult<Bound<'py, Self>> {
        match slf.get().0.truncate_safe(max_bytes.0, split.0).map_err(raise)? {
            Some(cut) => Bound::new(slf.py(), Self(cut)),
            None => Ok(slf.clone()),
        }
    }

    #[doc = stub!("UserMessage.replace_content_with_tool_use_results")]
    fn replace_content_with_tool_use_results<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        match slf.get().0.replace_content_with_tool_use_results().map_err(raise)? {
            Some(message) => Bound::new(slf.py(), Self(message)),
            None => Ok(slf.clone()),
        }
    }

    #[doc = stub!("UserMessage.into_history_entry")]
    #[pyo3(name = "into_history_entry")]
    fn history_entry<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut out = PySink::new(py);
        self.0.write_entry(None, Vec::new(), &mut out).map_err(raise)?;
        out.finish().map_err(raise)
    }

    #[doc = stub!("UserMessage.into_user_input_message")]
    #[pyo3(name = "into_user_input_message", signature = (model_id = None, tools = None))]
    fn user_input_message<'py>(
        &self,
        py: Python<'py>,
        model_id: Option<Words>,
        tools: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tools = tools.map(tools_of).transpose()?.unwrap_or_default();
        let model_id = model_id.map(|words| words.0);
        let mut out = PySink::new(py);
        self.0.write_entry(model_id.as_ref(), tools, &mut out).map_err(raise)?;
        out.finish().map_err(raise)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["timestamp", "additional_context", "prompt", "tool_use_results", "images"])
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        call_repr("UserMessage", &slf.get().named(slf.py())?)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.0.same(&other.get().0)
    }

    fn __hash__(&self) -> u64 {
        UserMessageContent(self.0.content.share()).__hash__()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let mut named = slf.get().named(py)?.into_iter();
        let content = named.next().map(|(_, content)| content);
        let keywords = PyDict::new(py);
        for (name, value) in named {
            keywords.set_item(name, value)?;
        }
        // Does what pickle itself does for an object with keyword arguments.
        let new = py.import("copyreg")?.getattr("__newobj_ex__")?;
        (new, (slf.get_type(), (content,), keywords)).into_pyobject(py)
    }
}

/// Tool definitions from a Python value: a list of them, or a dict of such lists by origin.
fn tools_of(tools: &Bound<'_, PyAny>) -> PyResult<Vec<Value<PyHost>>> {
    let under = |error: Error| raise(error.under(Step::Key("tools")));
    match freeze::json(tools).map_err(under)? {
        Value::List(items) => Ok(items.iter().map(Value::share).collect()),
        Value::Map(entries) => {
            let mut all = Vec::new();
            for (_, value) in entries.iter() {
                let Value::List(items) = value else {
                    return not_a("a list of tools, or a dict of such lists", tools);
                };
                all.extend(items.iter().map(Value::share));
            }
            Ok(all)
        }
        _ => not_a("a list of tools, or a dict of such lists", tools),
    }
}
