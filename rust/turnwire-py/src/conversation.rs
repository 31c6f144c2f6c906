//! `Conversation`: turns in order with their frame; read from any dialect, written to any.

mod built;
pub(crate) mod given;
mod pickled;
mod read;
mod system;
mod tools;

use std::sync::Arc;

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyString, PyTuple},
};
use turnwire_core::{
    convert as core,
    model::{
        conversation::{self, Frame, System},
        part::Kind,
    },
    rules::dialect_id::DialectId,
    stage::{self, Built, Relay, pair::is_paired},
};

use self::given::{chosen, extend, pins, system_parts, tool_list};
use crate::{
    arguments::{Dialect, Turns, Written},
    budget::Given,
    builder::{Wanted, window},
    bytes::written,
    convert::rendering_options,
    diff::Body,
    error::raise,
    host::PyHost,
    html,
    message::call::AssistantToolUse,
    options as keywords,
    part::handle,
    receipt::{LastReceipt, Receipt},
    rendered::Rendered,
    sink::PySink,
    summary::Summary,
    turn::Turn,
    wrong_argument::Flag,
};

#[doc = stub!("Conversation")]
#[pyclass(frozen, module = "turnwire", name = "Conversation")]
pub(crate) struct Conversation {
    pub(crate) inner: conversation::Conversation<PyHost>,
    /// The receipt of the build that made this conversation.
    receipt: LastReceipt,
    /// The turns as Python objects, made once. A build without changes shares them.
    turns: Arc<PyOnceLock<Py<PyTuple>>>,
}

impl From<conversation::Conversation<PyHost>> for Conversation {
    fn from(inner: conversation::Conversation<PyHost>) -> Self {
        Self { inner, receipt: LastReceipt::none(), turns: Arc::new(PyOnceLock::new()) }
    }
}

/// What a `MessageBuilder` has gathered, with the options of its build or check.
fn gathered<'a>(
    options: &'a keywords::Options<'a>,
    prompts: Vec<Bound<'_, PyString>>,
    summary: Option<&'a Bound<'_, Summary>>,
    (pinned, target): (Vec<usize>, Option<Dialect>),
) -> PyResult<Wanted<'a>> {
    Ok(Wanted {
        prompts: prompts.into_iter().map(|text| handle(&text)).collect::<PyResult<_>>()?,
        summary: summary.map(|summary| &summary.get().0),
        budget: &options.budget,
        pinned,
        target: target.map(|target| target.0),
        keep_open: options.keeps_open(),
        model: options.model.as_deref(),
        prefill: options.is_prefill(),
        wording: &options.wording,
        relay: Relay::default(),
        rendering: &options.rendering,
        logs: true,
    })
}

#[pymethods]
impl Conversation {
    #[new]
    #[pyo3(signature = (items = None, *, system = None, tools = None), text_signature = "(items=(), *, system=None, tools=())")]
    fn new(
        items: Option<&Bound<'_, PyAny>>,
        system: Option<&Bound<'_, PyAny>>,
        tools: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut frame = Frame::empty(DialectId::NONE);
        if let Some(system) = system {
            frame.system = Some(System::of(system_parts(system)?));
        }
        if let Some(tools) = tools {
            let (tools, _) = tool_list(tools, None)?;
            frame.tools = (!tools.is_empty()).then_some(tools);
        }
        let mut turns = Vec::new();
        if let Some(items) = items {
            extend(&mut turns, items)?;
        }
        Ok(conversation::Conversation::new(turns, Arc::new(frame), None).into())
    }

    #[doc = stub!("Conversation.parse")]
    #[staticmethod]
    #[pyo3(
        signature = (messages, source = Written::AUTO, *, tool_results = Flag(false)),
        text_signature = "(messages, source='auto', *, tool_results=False)"
    )]
    fn parse<'py>(messages: &Bound<'py, PyAny>, source: Written, tool_results: Flag) -> PyResult<Bound<'py, Self>> {
        Self::of(messages, source.with_results(tool_results.0).reading(None))
    }

    /// Parses for a target. A payload without signs counts as one of the target's dialect.
    #[staticmethod]
    fn _parse_for<'py>(
        payload: &Bound<'py, PyAny>,
        dialect: Written,
        target: Option<Dialect>,
        tool_results: Flag,
    ) -> PyResult<Bound<'py, Self>> {
        Self::of(payload, dialect.with_results(tool_results.0).reading(target.map(|target| target.0)))
    }

    #[doc = stub!("Conversation.system")]
    #[getter]
    fn system<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let texts = system::texts(py, &self.inner.frame)?;
        match texts.len() {
            0 => Ok(None),
            1 => Ok(Some(texts.get_item(0)?.cast_into()?)),
            _ => Ok(Some(PyString::new(py, "\n").call_method1("join", (texts,))?.cast_into()?)),
        }
    }

    #[doc = stub!("Conversation.turns")]
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let turns = self.turns.get_or_try_init(py, || {
            let turns = self.inner.turns().iter().map(|turn| Py::new(py, Turn { turn: turn.clone() }));
            PyTuple::new(py, turns.collect::<PyResult<Vec<_>>>()?).map(Bound::unbind)
        })?;
        Ok(turns.bind(py).clone())
    }

    #[doc = stub!("Conversation.receipt")]
    #[getter]
    fn receipt<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, Receipt>> {
        self.receipt.get(py)
    }

    /// `MessageBuilder.build` in one call.
    #[pyo3(signature = (prompts, summary, budget, pinned, target, **options))]
    #[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are what the builder gathers")]
    fn _build(
        &self,
        py: Python<'_>,
        prompts: Vec<Bound<'_, PyString>>,
        summary: Option<&Bound<'_, Summary>>,
        budget: Option<Given>,
        pinned: Vec<usize>,
        target: Option<Dialect>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options = keywords::Options::read(py, ("build", keywords::BUILDS), budget.as_ref(), options)?;
        let (inner, receipt) = gathered(&options, prompts, summary, (pinned, target))?.build(py, &self.inner)?;
        self.built(py, inner, receipt)
    }

    /// `MessageHistory.window` and the first half of `summarise` in one call: the turns inside, and the indices of the
    /// others.
    #[expect(clippy::needless_pass_by_value, reason = "it is an argument")]
    fn _window(
        &self,
        py: Python<'_>,
        turns: Option<Turns>,
        budget: Option<Given>,
        pinned: &Bound<'_, PyAny>,
        summarised: bool,
    ) -> PyResult<(Self, Vec<usize>)> {
        let (inner, receipt, gone) = window(
            &self.inner,
            (turns.map(|turns| turns.0), &Given::budget(budget.as_ref(), py)),
            &pins(pinned, self.inner.turns().len())?,
            summarised,
        )?;
        Ok((self.built(py, inner, LastReceipt::of(py, Py::new(py, receipt)?))?, gone))
    }

    /// The result of `_window` with a summary of the turns outside.
    fn _summed(&self, py: Python<'_>, count: usize, text: &Bound<'_, PyString>) -> PyResult<Self> {
        let built = Built::new(self.inner.share(), self.receipt.get(py)?.get().0.clone());
        let summed = stage::summed(&built, count, &handle(text)?);
        self.built(py, summed.conversation, LastReceipt::of(py, Py::new(py, Receipt(summed.receipt))?))
    }

    /// Checks the indices of pinned turns.
    fn _pinned(&self, pinned: &Bound<'_, PyAny>, messages: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        chosen(pinned, messages, &self.inner)
    }

    /// Whether a build has nothing to pair. Runs that stage alone, for the bench.
    fn _is_paired(&self) -> PyResult<bool> {
        is_paired(&self.inner, None).map_err(raise)
    }

    /// `MessageBuilder.check` in one call.
    #[pyo3(signature = (prompts, summary, budget, pinned, target, after, **options))]
    #[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are what the builder gathers")]
    fn _check(
        &self,
        py: Python<'_>,
        prompts: Vec<Bound<'_, PyString>>,
        summary: Option<&Bound<'_, Summary>>,
        budget: Option<Given>,
        pinned: Vec<usize>,
        target: Option<Dialect>,
        after: Option<Body>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Receipt> {
        let options = keywords::Options::read(py, ("check", keywords::BUILDS), budget.as_ref(), options)?;
        gathered(&options, prompts, summary, (pinned, target))?.check(&self.inner, after.as_ref())
    }

    #[doc = stub!("Conversation.tools")]
    #[getter]
    fn tools<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tools::defined(py, &self.inner.frame)
    }

    #[doc = stub!("Conversation.pending_tool_uses")]
    #[getter]
    fn pending_tool_uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let mut pending = Vec::new();
        for (turn, call) in self.inner.pending() {
            let call = match Kind::Call(call.share()).detach(turn.input.as_ref()) {
                Kind::Call(call) => AssistantToolUse::from(call),
                _ => AssistantToolUse::from(call.share()),
            };
            // The core accepts numbers that Python cannot hold.
            if call.call().custom || call.args_state(py)? == "object" {
                pending.push(Py::new(py, call)?);
            }
        }
        PyTuple::new(py, pending)
    }

    #[doc = stub!("Conversation.extended")]
    fn extended(&self, items: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut added = Vec::new();
        extend(&mut added, items)?;
        Ok(self.inner.extended(added).into())
    }

    #[doc = stub!("Conversation.render")]
    #[pyo3(
        signature = (target, **options),
        text_signature = "($self, target, *, reasoning='valid', cache=None, strict=False, **options)"
    )]
    fn render(&self, py: Python<'_>, target: Dialect, options: Option<&Bound<'_, PyDict>>) -> PyResult<Rendered> {
        let options = rendering_options(py, "render", options)?;
        let mut out = PySink::new(py);
        let rendering = core::render(&self.inner, target.0, &options, &mut out).map_err(raise)?;
        Rendered::new(out.finish().map_err(raise)?, target.0, rendering, &self.receipt)
    }

    #[doc = stub!("Conversation.render_json")]
    #[pyo3(
        signature = (target, **options),
        text_signature = "($self, target, *, reasoning='valid', cache=None, strict=False, **options)"
    )]
    fn render_json(&self, py: Python<'_>, target: Dialect, options: Option<&Bound<'_, PyDict>>) -> PyResult<Rendered> {
        let options = rendering_options(py, "render_json", options)?;
        let written = written(py, |out| core::render(&self.inner, target.0, &options, out));
        let (bytes, rendering) = written.map_err(raise)?;
        Rendered::new(bytes.into_any(), target.0, rendering, &self.receipt)
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.turns(py)?.try_iter()?.into_any())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.turns(py)?.as_any().get_item(index)
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.inner.same(&other.get().inner)
    }

    fn __hash__(&self) -> isize {
        self.inner.len().cast_signed()
    }

    fn __repr__(&self) -> String {
        let turns = self.inner.len();
        let tools = self.inner.frame.tools.as_ref().map_or(0, Vec::len);
        let from = self.inner.frame.from;
        let source = if from == DialectId::NONE { String::new() } else { format!(" from {}", from.name()) };
        format!("<Conversation of {turns} turns, {tools} tools{source}>")
    }

    fn _repr_html_(&self) -> String {
        html::conversation(self.__repr__().trim_matches(['<', '>']), self.inner.turns().iter().map(|turn| &**turn))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickled::reduced(slf)
    }

    #[staticmethod]
    fn _reread(
        from: &Bound<'_, PyAny>,
        payload: &Bound<'_, PyAny>,
        results: bool,
        receipt: &Bound<'_, Receipt>,
    ) -> PyResult<Self> {
        pickled::reread(from, payload, results, receipt)
    }

    #[staticmethod]
    fn _restore(
        turns: &Bound<'_, PyTuple>,
        frame: &Bound<'_, PyAny>,
        list: &Bound<'_, PyAny>,
        origins: Option<Vec<Vec<usize>>>,
        receipt: &Bound<'_, Receipt>,
    ) -> PyResult<Self> {
        pickled::restored(turns, frame, list, origins, receipt)
    }
}
