//! `Reply`: a model's answer, why it ended, and its usage. `parse_reply` reads one.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyString, PyTuple},
};
use turnwire_core::{
    model::{
        finish::Finish,
        head::Head,
        reply::{self, Places},
    },
    replies::{self, find_places},
    report::tool_names::ToolNames,
    rules::dialect_id::DialectId,
    value::handle::{Text, Value},
};

use crate::{
    arguments::{Dialect, Status, no_attribute},
    convert::Payload,
    error::raise,
    event::{event, events},
    freeze,
    host::PyHost,
    html,
    message::call::AssistantToolUse,
    part::{handle, maybe_text, text_of, whole},
    receipt::Receipt,
    rendered_reply::{Door, RenderedReply, rendered},
    request,
    sink::thaw,
    tokens::Tokens,
    turn::{CoreTurn, Turn},
};

type Core = reply::Reply<PyHost>;

#[doc = stub!("Reply")]
#[pyclass(frozen, module = "turnwire", name = "Reply")]
pub(crate) struct Reply {
    inner: Core,
    turns: PyOnceLock<Py<PyTuple>>,
}

impl From<Core> for Reply {
    fn from(inner: Core) -> Self {
        Self { inner, turns: PyOnceLock::new() }
    }
}

impl Reply {
    pub(crate) fn core_turns(&self) -> &[Arc<CoreTurn>] {
        &self.inner.turns
    }
}

#[pymethods]
impl Reply {
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf, name))
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("finish", "turns")
    }

    #[doc = stub!("Reply.turns")]
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let turns = self.turns.get_or_try_init(py, || {
            let turns = self.inner.turns.iter().map(|turn| Py::new(py, Turn { turn: turn.clone() }));
            PyTuple::new(py, turns.collect::<PyResult<Vec<_>>>()?).map(Bound::unbind)
        })?;
        Ok(turns.bind(py).clone())
    }

    #[doc = stub!("Reply.text")]
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let texts = self.inner.texts().map(|text| text_of(py, text)).collect::<PyResult<Vec<_>>>()?;
        match &*texts {
            [one] => Ok(one.clone()),
            _ => Ok(PyString::new(py, "").call_method1("join", (texts,))?.cast_into()?),
        }
    }

    #[doc = stub!("Reply.tool_uses")]
    #[getter]
    fn tool_uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let calls = self.inner.flat_calls().map_err(raise)?;
        let calls = calls.into_iter().map(|call| Py::new(py, AssistantToolUse::from(call)));
        PyTuple::new(py, calls.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = stub!("Reply.stop_reason")]
    #[getter]
    fn stop_reason<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        maybe_text(py, self.inner.stop_reason.as_ref())
    }

    #[doc = stub!("Reply.finish")]
    #[getter]
    fn finish(&self) -> &'static str {
        self.inner.finish.name()
    }

    #[doc = stub!("Reply.usage")]
    #[getter]
    fn usage<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        maybe(py, self.inner.usage.as_ref())
    }

    #[doc = stub!("Reply.tokens")]
    #[getter]
    fn tokens(&self) -> Tokens {
        Tokens(self.inner.tokens)
    }

    #[doc = stub!("Reply.error")]
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        maybe(py, self.inner.error.as_ref())
    }

    #[doc = stub!("Reply.receipt")]
    #[getter]
    fn receipt(&self) -> Receipt {
        Receipt::told(self.inner.losses.clone())
    }

    #[doc = stub!("Reply.events")]
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, events(py, &self.inner.events)?)
    }

    #[doc = stub!("Reply.render")]
    #[pyo3(signature = (target, *, request = None, status = None))]
    fn render(
        &self,
        py: Python<'_>,
        target: Dialect,
        request: Option<&Bound<'_, PyAny>>,
        status: Option<Status>,
    ) -> PyResult<RenderedReply> {
        rendered(py, &self.inner, target.0, request, status, Door::Objects)
    }

    #[doc = stub!("Reply.render_json")]
    #[pyo3(signature = (target, *, request = None, status = None))]
    fn render_json(
        &self,
        py: Python<'_>,
        target: Dialect,
        request: Option<&Bound<'_, PyAny>>,
        status: Option<Status>,
    ) -> PyResult<RenderedReply> {
        rendered(py, &self.inner, target.0, request, status, Door::Json)
    }

    fn __len__(&self) -> usize {
        self.inner.turns.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.turns(py)?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> bool {
        self.inner.same(&other.get().inner)
    }

    fn __hash__(&self) -> isize {
        (self.inner.turns.len() * 8 + self.inner.finish as usize).cast_signed()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (text, finish) = (self.text(py)?.repr()?, self.finish());
        Ok(format!("<Reply {finish:?}: {text}, {} calls>", self.inner.calls().count()))
    }

    fn _repr_html_(&self) -> String {
        let title = format!("Reply, finish {:?}, {} calls", self.finish(), self.inner.calls().count());
        html::conversation(&title, self.inner.turns.iter().map(|turn| &**turn))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let said = (this.turns(py)?, this.stop_reason(py)?, this.finish());
        let cost = (this.usage(py)?, this.tokens());
        let rest = (this.error(py)?, this.receipt(), this.events(py)?);
        let text = |text: &Option<Text<PyHost>>| maybe_text(py, text.as_ref());
        let Core { head, status, refusal, origin, assembled, .. } = &this.inner;
        let whole = (maybe(py, origin.as_ref())?, maybe(py, assembled.as_ref())?);
        let aside = (text(&head.id)?, text(&head.model)?, head.created, text(refusal)?, whole.0, whole.1, *status);
        (slf.get_type().getattr("_restore")?, (this.inner.from.name(), said, cost, rest, aside)).into_pyobject(py)
    }

    #[staticmethod]
    #[pyo3(signature = (dialect, said, cost, rest, aside = None))]
    fn _restore(
        dialect: &str,
        said: (Vec<Bound<'_, Turn>>, Option<Bound<'_, PyString>>, &str),
        cost: (Option<Bound<'_, PyAny>>, Bound<'_, Tokens>),
        rest: (Option<Bound<'_, PyAny>>, Bound<'_, Receipt>, Vec<Bound<'_, PyAny>>),
        aside: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Self> {
        let frozen =
            |value: Option<Bound<'_, PyAny>>| value.map(|value| freeze::value(&value)).transpose().map_err(raise);
        // Older pickles have fewer fields.
        let field = |at: usize| {
            let field = aside.filter(|aside| at < aside.len()).map(|aside| aside.get_item(at)).transpose()?;
            PyResult::Ok(field.filter(|field| !field.is_none()))
        };
        let text = |at| field(at)?.map(|text| handle(text.cast::<PyString>()?)).transpose();
        let (turns, stop_reason, finish) = said;
        let (error, receipt, events) = rest;
        let mut inner = Core {
            from: DialectId::named(dialect).map_err(raise)?,
            turns: turns.iter().map(|turn| turn.get().turn.clone()).collect(),
            stop_reason: stop_reason.as_ref().map(handle).transpose()?,
            finish: Finish::ALL.into_iter().find(|known| known.name() == finish).unwrap_or(Finish::Other),
            usage: frozen(cost.0)?,
            tokens: cost.1.get().0,
            error: frozen(error)?,
            losses: receipt.get().0.changes.clone(),
            events: events.iter().map(event).collect::<PyResult<_>>()?,
            head: Head { id: text(0)?, model: text(1)?, created: field(2)?.map(|time| time.extract()).transpose()? },
            status: field(6)?.map(|status| status.extract()).transpose()?,
            refusal: text(3)?,
            origin: frozen(field(4)?)?,
            assembled: frozen(field(5)?)?,
            names: ToolNames::default(),
            places: Places::default(),
            chunks: None,
            cut_call: false,
            why: None,
        };
        find_places(&mut inner);
        Ok(inner.into())
    }
}

fn maybe<'py>(py: Python<'py>, value: Option<&Value<PyHost>>) -> PyResult<Option<Bound<'py, PyAny>>> {
    value.map(|value| thaw(py, value).map_err(raise)).transpose()
}

#[doc = stub!("parse_reply")]
#[pyfunction]
#[pyo3(signature = (payload, source = "auto", *, request = None, status = None))]
pub(crate) fn parse_reply(
    payload: &Bound<'_, PyAny>,
    source: &str,
    request: Option<&Bound<'_, PyAny>>,
    status: Option<Status>,
) -> PyResult<Reply> {
    let mut read = read(payload, source, status)?;
    read.rename(&request::names(request, read.from, read.from)?);
    Ok(read.into())
}

/// Reads a whole reply. Takes the dialect by its name, or detects it by the reply's keys. `status`: that of its response.
pub(crate) fn read(payload: &Bound<'_, PyAny>, dialect: &str, status: Option<Status>) -> PyResult<Core> {
    let from = (dialect != "auto").then(|| DialectId::named(dialect)).transpose().map_err(raise)?;
    let status = status.map(|status| status.0);
    match Payload::new(payload)? {
        Payload::Json(input) => replies::read_body(input.bytes(), plain(payload)?.as_deref(), from, status),
        Payload::Object(_) => freeze::value(payload).and_then(|value| replies::read_answer(&value, from, status)),
    }
    .map_err(raise)
}

/// A string that UTF-8 cannot hold, with each lone surrogate as U+FFFD: a body that is no JSON has no escapes.
fn plain(payload: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match payload.cast::<PyString>() {
        Ok(text) if text.to_str().is_err() => whole(text).map(Some),
        _ => Ok(None),
    }
}

/// The status of a failure that a provider names with this word.
#[pyfunction]
pub(crate) fn _failure_status(word: &str) -> Option<u16> {
    replies::status_of(word)
}
