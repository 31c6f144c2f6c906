//! `convert`, `convert_json` and `dialects`: from any dialect's payload to any other's, through either door.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::{PyString, PyTuple},
};
use turnwire_core::{
    convert::{self as core, Options},
    detect::{Reading, detect as core_detect},
    dialect::{self, DialectId},
    error::Error,
    handle::{Host, Input, NoHost},
    json::read::tape,
    loss::Loss,
    value::Sink,
};

use crate::{
    arguments::{Word, Words},
    bytes::written,
    error::raise,
    host::PyHost,
    item::in_objects,
    rendered::Rendered,
    sink::PySink,
    source::PySource,
};

/// What happens to reasoning that another dialect made.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reasoning {
    Drop,
    Text,
}

impl Words for Reasoning {
    const OPTION: &'static str = "reasoning";
    const ALL: &'static [Self] = &[Self::Drop, Self::Text];
    fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Text => "text",
        }
    }
}

/// How new blobs are written where the target's clients take bytes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Blobs {
    Base64,
    Raw,
}

impl Words for Blobs {
    const OPTION: &'static str = "blobs";
    const ALL: &'static [Self] = &[Self::Base64, Self::Raw];
    fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::Raw => "raw",
        }
    }
}

/// The options of a rendering, from its keywords.
pub(crate) fn options(strict: bool, reasoning: Word<Reasoning>, blobs: Word<Blobs>) -> Options {
    Options { strict, reasoning_as_text: reasoning.0 == Reasoning::Text, raw_blobs: blobs.0 == Blobs::Raw }
}

/// A payload as it came through one of the doors.
pub(crate) enum Payload<'py> {
    Json(Input),
    Object(PySource<'py>),
}

impl<'py> Payload<'py> {
    /// Bytes are JSON; so is a `str` where `text_is_json`. Anything else is Python objects.
    pub(crate) fn new(value: &Bound<'py, PyAny>, text_is_json: bool) -> PyResult<Self> {
        if let Ok(bytes) = value.extract::<PyBackedBytes>() {
            return Ok(Self::Json(Input::new(bytes)));
        }
        if text_is_json && value.is_instance_of::<PyString>() {
            let text: PyBackedStr = value.extract()?;
            return Ok(Self::Json(Input::new(TextBytes(text))));
        }
        Ok(Self::Object(PySource::new(value.clone())))
    }
}

/// A string's UTF-8 as bytes.
struct TextBytes(PyBackedStr);

impl AsRef<[u8]> for TextBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

fn from_json<H: Host, K: Sink<H>>(
    input: &Input,
    (source, target): (Reading, DialectId),
    options: Options,
    out: &mut K,
) -> Result<Vec<Loss>, Error> {
    let tape = tape(input)?;
    core::convert(&tape.root::<H>(), source, target, &options, out)
}

/// How to read, and what to write.
fn ways(source: &str, target: &str) -> PyResult<(Reading, DialectId)> {
    let target = DialectId::named(target).map_err(raise)?;
    Ok((Reading::named(source, Some(target)).map_err(raise)?, target))
}

/// The dialect of a payload.
#[pyfunction]
pub(crate) fn detect(payload: &Bound<'_, PyAny>) -> PyResult<String> {
    let found = match Payload::new(payload, true)? {
        Payload::Json(input) => tape(&input).and_then(|tape| core_detect(&tape.root::<NoHost>(), None)),
        Payload::Object(root) => core_detect(&root, None),
    };
    Ok(found.map_err(raise)?.name())
}

/// Convert a payload to another dialect, as Python objects.
#[pyfunction]
#[pyo3(
    signature = (payload, source, target, *, strict = false, reasoning = Word(Reasoning::Drop), blobs = Word(Blobs::Base64)),
    text_signature = "(payload, source, target, *, strict=False, reasoning='drop', blobs='base64')"
)]
pub(crate) fn convert(
    payload: &Bound<'_, PyAny>,
    source: &str,
    target: &str,
    strict: bool,
    reasoning: Word<Reasoning>,
    blobs: Word<Blobs>,
) -> PyResult<Rendered> {
    let py = payload.py();
    let ids = ways(source, target)?;
    let options = options(strict, reasoning, blobs);
    let mut out = PySink::new(py);
    let losses = match Payload::new(payload, false)? {
        Payload::Json(input) => from_json::<PyHost, _>(&input, ids, options, &mut out),
        Payload::Object(root) => core::convert_with(&root, ids.0, ids.1, &options, &mut out, &in_objects),
    };
    let losses = losses.map_err(raise)?;
    Rendered::new(out.finish().map_err(raise)?, losses)
}

/// Convert a payload to another dialect, as JSON bytes.
#[pyfunction]
#[pyo3(
    signature = (data, source, target, *, strict = false, reasoning = Word(Reasoning::Drop), blobs = Word(Blobs::Base64)),
    text_signature = "(data, source, target, *, strict=False, reasoning='drop', blobs='base64')"
)]
pub(crate) fn convert_json(
    data: &Bound<'_, PyAny>,
    source: &str,
    target: &str,
    strict: bool,
    reasoning: Word<Reasoning>,
    blobs: Word<Blobs>,
) -> PyResult<Rendered> {
    let py = data.py();
    let ids = ways(source, target)?;
    let options = options(strict, reasoning, blobs);
    let written = match Payload::new(data, true)? {
        Payload::Json(input) => written(py, |out| py.detach(|| from_json::<NoHost, _>(&input, ids, options, out))),
        Payload::Object(root) => written(py, |out| core::convert_with(&root, ids.0, ids.1, &options, out, &in_objects)),
    };
    let (bytes, losses) = written.map_err(raise)?;
    Rendered::new(bytes.into_any(), losses)
}

/// The names of all dialects and their profiles.
#[pyfunction]
pub(crate) fn dialects(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, dialect::names().collect::<Vec<_>>())
}

/// The type error for an argument that no function takes.
pub(crate) fn not_a<T>(expected: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    Err(PyTypeError::new_err(format!("expected {expected}, got {}", value.get_type().name()?)))
}
