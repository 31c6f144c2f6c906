//! `convert`, `convert_json` and `dialects`: from any dialect's payload to any other's, as Python objects or as JSON.

use pyo3::{
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::{PyByteArray, PyBytes, PyDict, PyString, PyTuple},
};
use turnwire_core::{
    convert::{self as core, Options},
    detect::Reading,
    dialects::{describe, table::names},
    layouts::Layout,
    report::{
        ReasoningChoice, ServerTools,
        loss::{AssistantRole, AutoMarks, Others},
    },
    rules::dialect_id::DialectId,
    value::{Tape, handle::Input},
};

use crate::{
    arguments::{Dialect, Word, Words, Written, missing_target},
    bytes::written,
    error::raise,
    host::{PyHost, units},
    item::in_objects,
    options as keywords,
    ours::{conversation_of, dialect_of, payload_of},
    receipt::LastReceipt,
    rendered::Rendered,
    settings::GivenSettings,
    sink::PySink,
    source::settled,
};

impl Words for ReasoningChoice {
    const OPTION: &'static str = "reasoning";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

impl Words for ServerTools {
    const OPTION: &'static str = "server_tools";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

/// How new binary data is written for targets whose clients take bytes.
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

/// The choice of marks for the prompt cache.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Cache {
    Auto,
}

impl Words for Cache {
    const OPTION: &'static str = "cache";
    const ALL: &'static [Self] = &[Self::Auto];
    fn name(self) -> &'static str {
        "auto"
    }
}

impl Words for Others {
    const OPTION: &'static str = "settings";
    const ALL: &'static [Self] = &[Self::Caller, Self::Keep, Self::Convert];
    fn name(self) -> &'static str {
        match self {
            Self::Caller => "omit",
            Self::Keep => "keep",
            Self::Convert => "convert",
        }
    }
}

impl Words for AssistantRole {
    const OPTION: &'static str = "assistant_role";
    const ALL: &'static [Self] = &[Self::Gemini, Self::ChatGpt];
    fn name(self) -> &'static str {
        match self {
            Self::Gemini => "gemini",
            Self::ChatGpt => "chatgpt",
        }
    }
}

/// The options of a rendering, from its keywords.
pub(crate) fn options(
    strict: bool,
    reasoning: Word<ReasoningChoice>,
    blobs: Word<Blobs>,
    assistant_role: Option<Word<AssistantRole>>,
) -> Options {
    Options {
        strict,
        reasoning: reasoning.0,
        server_tools: ServerTools::Drop,
        assistant_role: assistant_role.map(|role| role.0),
        raw_blobs: blobs.0 == Blobs::Raw,
        own_blobs: false,
        row: false,
        names_left: false,
        rest: Others::Caller,
        model: None,
        settings: None,
        marks: None,
    }
}

/// The options of a rendering that its keywords give.
pub(crate) fn rendering_options(
    py: Python<'_>,
    caller: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Options> {
    Ok(keywords::Options::read(py, (caller, keywords::RENDERS), None, keywords)?.rendering)
}

/// Adds the choice of marks for the prompt cache. `model` is the model of the request.
pub(crate) fn with_cache(options: Options, cache: Option<Word<Cache>>, model: Option<&str>) -> Options {
    Options { marks: cache.map(|_| AutoMarks { model: model.map(str::to_owned) }), ..options }
}

/// Adds the choice for a body's other keys.
pub(crate) fn with_rest(mut options: Options, rest: Others, given: GivenSettings) -> PyResult<Options> {
    options.model = given.model.as_deref().map(Into::into);
    options.settings = given.settings(rest)?;
    options.rest = rest;
    Ok(options)
}

/// A payload as JSON or as Python objects.
pub(crate) enum Payload<'py> {
    Json(Input),
    Object(Bound<'py, PyAny>),
}

impl<'py> Payload<'py> {
    /// Bytes and text are JSON. Anything else is Python objects.
    pub(crate) fn new(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        // Checks the type first: a failing extraction makes an exception, and most payloads are objects.
        if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
            return Ok(Self::Json(Input::new(value.extract::<PyBackedBytes>()?)));
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Json(match text.extract::<PyBackedStr>() {
                Ok(text) => Input::new(TextBytes(text)),
                Err(_) => Input::new(escape_surrogates(&units(text)?.wtf8())),
            }));
        }
        let held = payload_of(value);
        if held.is(value) { Ok(Self::Object(held)) } else { Self::new(&held) }
    }
}

/// JSON text whose lone surrogates, which UTF-8 cannot hold, are written as escapes.
#[cold]
fn escape_surrogates(wtf8: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(wtf8.len() + 16);
    let (mut at, mut backslashes) = (0, 0);
    while let Some(byte) = wtf8.get(at) {
        match (byte, wtf8.get(at + 1), wtf8.get(at + 2)) {
            // After a backslash the text is not JSON. An escape here would make it valid.
            (0xED, Some(second @ 0xA0..), Some(third)) if backslashes % 2 == 0 => {
                let unit = 0xD000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
                out.extend(format!("\\u{unit:04x}").bytes());
                at += 3;
            }
            (0xED, Some(0xA0..), Some(_)) => {
                out.extend("\u{FFFD}".bytes());
                at += 3;
            }
            _ => {
                backslashes = if *byte == b'\\' { backslashes + 1 } else { 0 };
                out.push(*byte);
                at += 1;
                continue;
            }
        }
        backslashes = 0;
    }
    out
}

/// A string's UTF-8 as bytes.
struct TextBytes(PyBackedStr);

impl AsRef<[u8]> for TextBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

#[doc = stub!("detect")]
#[pyfunction]
pub(crate) fn detect(payload: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Some(conversation) = conversation_of(payload)? {
        return Ok(dialect_of(payload.py(), &conversation.get().inner)?.name());
    }
    let found = match Payload::new(payload)? {
        Payload::Json(input) => Tape::read(&input).and_then(|tape| core::name_of(&tape.view().root::<PyHost>())),
        Payload::Object(root) => settled(&root, core::name_of),
    };
    found.map_err(raise)
}

/// How to read, what to write, and the options of a conversion.
fn read_options(
    py: Python<'_>,
    caller: &str,
    target: Option<Dialect>,
    source: Written,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Reading, DialectId, Options)> {
    let target = target.map_or_else(|| missing_target(py, caller), |target| Ok(target.0))?;
    let mut given = keywords::Options::read(py, (caller, keywords::CONVERTS), None, keywords)?;
    given.settings = std::mem::take(&mut given.settings).of_body();
    let reading = source.with_results(given.tool_results).reading(Some(target));
    Ok((reading, target, given.written(Others::Caller)?))
}

#[doc = stub!("convert")]
#[pyfunction]
#[pyo3(
    signature = (messages, target = None, *, source = Written::AUTO, **options),
    text_signature = "(messages, target, *, source='auto', model=None, end='request', reasoning='valid', strict=False, \
                      settings='omit', **options)"
)]
pub(crate) fn convert(
    messages: &Bound<'_, PyAny>,
    target: Option<Dialect>,
    source: Written,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Rendered> {
    let py = messages.py();
    let (reading, target, options) = read_options(py, "convert", target, source, options)?;
    let mut out = PySink::new(py);
    if let Some(conversation) = conversation_of(messages)? {
        let rendering = core::render(&conversation.get().inner, target, &options, &mut out).map_err(raise)?;
        return Rendered::new(out.finish().map_err(raise)?, target, rendering, &LastReceipt::none());
    }
    let rendering = match Payload::new(messages)? {
        Payload::Json(input) => reading
            .tape(&input)
            .and_then(|tape| core::convert(&tape.view().root::<PyHost>(), reading, target, &options, &mut out)),
        Payload::Object(root) => {
            settled(&root, |root| core::convert_with(root, reading, target, &options, &mut out, &in_objects))
        }
    };
    let rendering = rendering.map_err(raise)?;
    Rendered::new(out.finish().map_err(raise)?, target, rendering, &LastReceipt::none())
}

#[doc = stub!("convert_json")]
#[pyfunction]
#[pyo3(
    signature = (messages, target = None, *, source = Written::AUTO, **options),
    text_signature = "(messages, target, *, source='auto', model=None, end='request', reasoning='valid', strict=False, \
                      settings='omit', **options)"
)]
pub(crate) fn convert_json(
    messages: &Bound<'_, PyAny>,
    target: Option<Dialect>,
    source: Written,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Rendered> {
    let py = messages.py();
    let (reading, target, options) = read_options(py, "convert_json", target, source, options)?;
    if let Some(conversation) = conversation_of(messages)? {
        let written = written(py, |out| core::render(&conversation.get().inner, target, &options, out));
        let (bytes, rendering) = written.map_err(raise)?;
        return Rendered::new(bytes.into_any(), target, rendering, &LastReceipt::none());
    }
    let written = match Payload::new(messages)? {
        Payload::Json(input) => {
            written(py, |out| py.detach(|| core::convert_json::<PyHost>(&input, reading, target, &options, out)))
        }
        Payload::Object(root) => written(py, |out| {
            settled(&root, |root| core::convert_with(root, reading, target, &options, out, &in_objects))
        }),
    };
    let (bytes, rendering) = written.map_err(raise)?;
    Rendered::new(bytes.into_any(), target, rendering, &LastReceipt::none())
}

#[doc = stub!("dialects")]
#[pyfunction]
pub(crate) fn dialects(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, names().collect::<Vec<_>>())
}

/// The table of dialects in words, which the documentation shows.
#[pyfunction]
pub(crate) fn _dialect_table(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, describe::table().collect::<Vec<_>>())
}

/// A layout in words: its name, who keeps such records, what a record must have, the columns of its row, and what its
/// words mean.
type LayoutRow = (
    &'static str,
    &'static str,
    Vec<String>,
    Vec<(&'static str, String)>,
    Vec<(&'static str, &'static str, &'static str)>,
);

/// The table of layouts in words, which the documentation shows.
#[pyfunction]
pub(crate) fn _layout_table(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let told = |layout: &Layout| -> LayoutRow {
        let row = layout.row();
        (row.name, row.kept_by, layout.told().collect(), row.columns().collect(), row.words().collect())
    };
    PyTuple::new(py, Layout::all().iter().map(told).collect::<Vec<_>>())
}
