//! `StreamConverter`: converts a provider's streamed reply, as it arrives, to the stream that another provider's client
//! reads.

use pyo3::{prelude::*, pybacked::PyBackedBytes, types::PyBytes};
use turnwire_core::{
    replies::{assembler::Assembler, converter::Converter, frames::ByteFrames},
    report::error::Error,
    rules::dialect_id::DialectId,
    value::{
        door::{Key, Sink, Source},
        handle::Input,
        json,
    },
    wire::stream::out::{Frames, Framing},
};

use crate::{
    arguments::no_attribute,
    convert::Payload,
    error::raise,
    freeze,
    host::PyHost,
    html,
    node::Node,
    receipt::Receipt,
    request,
    sink::PySink,
    stream::{self, Fed},
    wrong_argument::Str,
};

#[doc = stub!("StreamConverter")]
#[pyclass(module = "turnwire.replies", name = "StreamConverter")]
pub(crate) struct StreamConverter {
    inner: Converter<PyHost>,
    source: DialectId,
    /// Whether it takes bytes; `None` before the first chunk.
    bytes: Option<bool>,
}

#[pymethods]
impl StreamConverter {
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf, name))
    }

    #[new]
    #[pyo3(signature = (*, source, target, request = None))]
    fn new(source: Str<'_, '_>, target: Str<'_, '_>, request: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let dialect = |name: Str<'_, '_>| DialectId::named(&name.to_string_lossy()).map_err(raise);
        let (source, target) = (dialect(source)?, dialect(target)?);
        let names = request::names(request, source, target)?;
        let request = match request.map(Payload::new).transpose()? {
            Some(Payload::Json(body)) => json::read::value(body.bytes()).map(Some),
            Some(Payload::Object(body)) if matches!(Node::of(&body), Node::Map(_)) => freeze::value(&body).map(Some),
            _ => Ok(None),
        };
        let inner =
            request.and_then(|request| Converter::new(source, target, names, request.as_ref())).map_err(raise)?;
        Ok(Self { inner, source, bytes: None })
    }

    #[doc = stub!("StreamConverter.feed")]
    fn feed<'py>(&mut self, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.bytes = Some(false);
        let mut feeding = Feeding { frames: ListFrames::new(chunk.py(), self.inner.framing()), to: &mut self.inner };
        let fed = stream::feed(&mut feeding, chunk)?;
        fed.and_then(|()| feeding.frames.finish()).map_err(raise)
    }

    #[doc = stub!("StreamConverter.feed_bytes")]
    #[expect(clippy::needless_pass_by_value, reason = "what is extracted is owned")]
    fn feed_bytes<'py>(&mut self, py: Python<'py>, data: PyBackedBytes) -> PyResult<Bound<'py, PyBytes>> {
        self.bytes = Some(true);
        let mut frames = ByteFrames::new(self.inner.framing());
        self.inner.feed_bytes(&data, &mut frames).map_err(raise)?;
        Ok(PyBytes::new(py, &frames.into_bytes()))
    }

    #[doc = stub!("StreamConverter.finish")]
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.bytes == Some(false) {
            let mut frames = ListFrames::new(py, self.inner.framing());
            return self.inner.finish(&mut frames).and_then(|()| frames.finish()).map_err(raise);
        }
        let mut frames = ByteFrames::new(self.inner.framing());
        self.inner.finish(&mut frames).map_err(raise)?;
        Ok(PyBytes::new(py, &frames.into_bytes()).into_any())
    }

    #[doc = stub!("StreamConverter.receipt")]
    #[getter]
    fn receipt(&self) -> Receipt {
        Receipt::told(self.inner.losses().to_vec())
    }

    #[doc = stub!("StreamConverter.abort")]
    #[getter]
    fn abort(&self) -> bool {
        self.inner.abort()
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        html::object(slf, &["receipt"])
    }

    fn __repr__(&self) -> String {
        format!("StreamConverter({:?}, {:?})", self.source.name(), self.inner.target().name())
    }
}

/// A converter for chunks, and the receiver of its events.
struct Feeding<'a, 'py> {
    to: &'a mut Converter<PyHost>,
    frames: ListFrames<'py>,
}

impl Fed for Feeding<'_, '_> {
    fn assembler(&self) -> &Assembler<PyHost> {
        self.to.source()
    }
    fn check_open(&self) -> Result<(), Error> {
        self.to.check_open()
    }
    fn feed<S: Source<H = PyHost>>(&mut self, chunk: &S) -> Result<(), Error> {
        self.to.feed(chunk, &mut self.frames)
    }
    fn feed_json(&mut self, text: &Input) -> Result<(), Error> {
        self.to.feed_json(text, &mut self.frames)
    }
}

/// Events as dicts.
struct ListFrames<'py> {
    sink: PySink<'py>,
    framing: Framing,
}

impl<'py> ListFrames<'py> {
    fn new(py: Python<'py>, framing: Framing) -> Self {
        let mut sink = PySink::new(py);
        sink.open_list();
        Self { sink, framing }
    }

    fn finish(mut self) -> Result<Bound<'py, PyAny>, Error> {
        self.sink.close();
        self.sink.finish()
    }
}

impl<'py> Frames<PyHost> for ListFrames<'py> {
    type Out = PySink<'py>;

    fn event(&mut self, name: &'static Key, _: bool, write: impl FnOnce(&mut PySink<'py>)) -> Result<(), Error> {
        let named = self.framing == Framing::Binary;
        if named {
            self.sink.open_map();
            self.sink.key(name);
        }
        self.sink.open_map();
        write(&mut self.sink);
        self.sink.close();
        if named {
            self.sink.close();
        }
        self.sink.fault().map_or(Ok(()), Err)
    }

    fn replay<S: Source<H = PyHost>>(&mut self, chunk: &S) -> Result<(), Error> {
        self.sink.scope(chunk.input());
        self.sink.raw(&chunk.raw());
        self.sink.scope(None);
        self.sink.fault().map_or(Ok(()), Err)
    }

    fn mark(&mut self) {}
}
