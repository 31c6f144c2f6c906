//! `StreamAssembler`: the chunks of a streamed reply become events, and the reply.

use pyo3::{prelude::*, pybacked::PyBackedBytes, sync::PyOnceLock, types::PyList};
use turnwire_core::{dialect::DialectId, error::Error, stream::Assembler};

use crate::{
    convert::Payload,
    error::raise,
    host::PyHost,
    reply::{Reply, events},
    source::{PySource, is_plain},
};

/// Puts one streamed reply together.
#[pyclass(module = "turnwire", name = "StreamAssembler")]
pub(crate) struct StreamAssembler(Assembler<PyHost>);

#[pymethods]
impl StreamAssembler {
    #[new]
    fn new(dialect: &str) -> PyResult<Self> {
        let made = DialectId::named(dialect).and_then(Assembler::new);
        made.map(Self).map_err(raise)
    }

    /// Takes one chunk.
    fn feed<'py>(&mut self, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        if is_plain(chunk) {
            let fed = match Payload::new(chunk, true)? {
                Payload::Json(text) => self.0.feed_json(&text),
                Payload::Object(node) => self.0.feed(&node),
            };
            return self.told(chunk.py(), fed);
        }
        // Events that an SDK makes of others hold all that it has gathered: they are not even asked for it.
        let kind = chunk.getattr_opt("type")?;
        if kind.is_some_and(|kind| kind.extract::<&str>().is_ok_and(|kind| self.0.is_derived(kind))) {
            return self.told(chunk.py(), Ok(()));
        }
        static TO_EVENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let plain = TO_EVENT.import(chunk.py(), "turnwire._adapt", "to_event")?.call1((chunk,))?;
        let node = PySource::new(if plain.is_none() { chunk.clone() } else { plain });
        let fed = self.0.feed(&node);
        self.told(chunk.py(), fed)
    }

    /// Takes bytes of server-sent events, split anywhere.
    fn feed_bytes<'py>(&mut self, py: Python<'py>, data: PyBackedBytes) -> PyResult<Bound<'py, PyList>> {
        let fed = self.0.feed_bytes(&data);
        self.told(py, fed)
    }

    /// The reply, once all chunks are there.
    fn finish(&mut self) -> PyResult<Reply> {
        self.0.finish().map(Reply::from).map_err(raise)
    }

    fn __repr__(&self) -> String {
        format!("StreamAssembler({:?})", self.0.dialect().name())
    }
}

impl StreamAssembler {
    /// What was told, unless the chunk is an error: then that, and what was told waits for the next call.
    fn told<'py>(&mut self, py: Python<'py>, fed: Result<(), Error>) -> PyResult<Bound<'py, PyList>> {
        fed.map_err(raise)?;
        events(py, &self.0.events())
    }
}
