//! `StreamAssembler`: turns the chunks of a streamed reply into events, and into the reply.

use pyo3::{exceptions::PyValueError, prelude::*, pybacked::PyBackedBytes, types::PyList};
use turnwire_core::{
    replies::assembler::Assembler,
    report::error::Error,
    rules::dialect_id::DialectId,
    value::{door::Source, handle::Input},
};

use crate::{
    convert::Payload,
    error::raise,
    event::events,
    host::PyHost,
    html,
    node::{Node, said_event},
    reply::Reply,
    request,
    source::settled,
    wrong_argument::Str,
};

#[doc = stub!("StreamAssembler")]
#[pyclass(module = "turnwire", name = "StreamAssembler")]
pub(crate) struct StreamAssembler(Assembler<PyHost>);

#[pymethods]
impl StreamAssembler {
    #[new]
    #[pyo3(signature = (source, *, request = None, events = "plain"))]
    fn new(source: Str<'_, '_>, request: Option<&Bound<'_, PyAny>>, events: &str) -> PyResult<Self> {
        let made = DialectId::named(&source.to_string_lossy()).and_then(Assembler::new).map_err(raise)?;
        let names = request::names(request, made.dialect(), made.dialect())?;
        let made = made.with_names(names);
        match events {
            "plain" => Ok(Self(made)),
            "full" => Ok(Self(made.with_all())),
            _ => Err(PyValueError::new_err(format!("events: expected \"plain\" or \"full\", got {events:?}"))),
        }
    }

    #[doc = stub!("StreamAssembler.feed")]
    fn feed<'py>(&mut self, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let fed = feed(&mut self.0, chunk)?;
        self.told(chunk.py(), fed)
    }

    #[doc = stub!("StreamAssembler.feed_bytes")]
    #[expect(clippy::needless_pass_by_value, reason = "what is extracted is owned")]
    fn feed_bytes<'py>(&mut self, py: Python<'py>, data: PyBackedBytes) -> PyResult<Bound<'py, PyList>> {
        let fed = self.0.feed_bytes(&data);
        self.told(py, fed)
    }

    #[doc = stub!("StreamAssembler.finish")]
    fn finish(&mut self) -> PyResult<Reply> {
        self.0.finish().map(Reply::from).map_err(raise)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &[])
    }

    fn __repr__(&self) -> String {
        format!("StreamAssembler({:?})", self.0.dialect().name())
    }
}

impl StreamAssembler {
    /// The new events. An error is raised first, and the events wait for the next call.
    fn told<'py>(&mut self, py: Python<'py>, fed: Result<(), Error>) -> PyResult<Bound<'py, PyList>> {
        fed.map_err(raise)?;
        events(py, self.0.drain())
    }
}

/// A receiver of chunks.
pub(crate) trait Fed {
    /// The assembler, which knows the format of its chunks.
    fn assembler(&self) -> &Assembler<PyHost>;
    /// Fails if the reply is finished.
    fn check_open(&self) -> Result<(), Error>;
    /// Takes a chunk as a node.
    fn feed<S: Source<H = PyHost>>(&mut self, chunk: &S) -> Result<(), Error>;
    /// Takes a chunk as JSON text.
    fn feed_json(&mut self, text: &Input) -> Result<(), Error>;
}

impl Fed for Assembler<PyHost> {
    fn assembler(&self) -> &Self {
        self
    }
    fn check_open(&self) -> Result<(), Error> {
        self.check_open()
    }
    fn feed<S: Source<H = PyHost>>(&mut self, chunk: &S) -> Result<(), Error> {
        self.feed(chunk)
    }
    fn feed_json(&mut self, text: &Input) -> Result<(), Error> {
        self.feed_json(text)
    }
}

/// Feeds a chunk of any type.
pub(crate) fn feed(to: &mut impl Fed, chunk: &Bound<'_, PyAny>) -> PyResult<Result<(), Error>> {
    Ok(match Payload::new(chunk)? {
        Payload::Json(text) => to.feed_json(&text),
        Payload::Object(chunk) if matches!(Node::of(&chunk), Node::Foreign) => feed_object(to, &chunk)?,
        Payload::Object(chunk) => settled(&chunk, |node| to.feed(node)),
    })
}

/// Feeds an SDK's event. Events that the SDK derives from others hold everything so far, so they are not exported.
fn feed_object(to: &mut impl Fed, event: &Bound<'_, PyAny>) -> PyResult<Result<(), Error>> {
    let kind = event.getattr_opt("type")?;
    if kind.is_some_and(|kind| kind.extract::<&str>().is_ok_and(|kind| to.assembler().is_derived(kind))) {
        return Ok(to.check_open());
    }
    let said = said_event(event, to.assembler().reads_attributes());
    Ok(said.and_then(|said| settled(&said, |node| to.feed(node))))
}
