//! `StreamAssembler`: the chunks of a streamed reply become events, and the reply.

use pyo3::{prelude::*, pybacked::PyBackedBytes, types::PyList};
use turnwire_core::{replies::assembler::Assembler, report::error::Error, rules::dialect_id::DialectId};

use crate::{
    convert::Payload,
    error::raise,
    host::PyHost,
    node::{Node, said_event},
    reply::{Reply, events},
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
    #[pyo3(signature = (dialect, *, request = None))]
    fn new(dialect: Str<'_, '_>, request: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let made = DialectId::named(&dialect.to_string_lossy()).and_then(Assembler::new).map_err(raise)?;
        let names = request::names(request, made.dialect())?;
        Ok(Self(made.with_names(names)))
    }

    #[doc = stub!("StreamAssembler.feed")]
    fn feed<'py>(&mut self, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let fed = match Payload::new(chunk)? {
            Payload::Json(text) => self.0.feed_json(&text),
            Payload::Object(chunk) if matches!(Node::of(&chunk), Node::Foreign) => self.feed_object(&chunk)?,
            Payload::Object(chunk) => settled(&chunk, |node| self.0.feed(node)),
        };
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

    fn __repr__(&self) -> String {
        format!("StreamAssembler({:?})", self.0.dialect().name())
    }
}

impl StreamAssembler {
    /// Takes an SDK's event. Events that it makes of others hold all that it has gathered: they are not asked for it.
    fn feed_object(&mut self, event: &Bound<'_, PyAny>) -> PyResult<Result<(), Error>> {
        let kind = event.getattr_opt("type")?;
        if kind.is_some_and(|kind| kind.extract::<&str>().is_ok_and(|kind| self.0.is_derived(kind))) {
            return Ok(self.0.check_open());
        }
        let said = said_event(event, self.0.reads_attributes());
        Ok(said.and_then(|said| settled(&said, |node| self.0.feed(node))))
    }

    /// What was told, unless the chunk is an error: then that, and what was told waits for the next call.
    fn told<'py>(&mut self, py: Python<'py>, fed: Result<(), Error>) -> PyResult<Bound<'py, PyList>> {
        fed.map_err(raise)?;
        events(py, self.0.drain())
    }
}
