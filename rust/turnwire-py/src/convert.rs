//! `convert`, `convert_json` and `dialects`: from any dialect's payload to any other's, as Python objects or as JSON.

use pyo3::{
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::{PyByteArray, PyBytes, PyString, PyTuple},
};
use turnwire_core::{
    convert::{self as core, Options},
    dialects::{describe, table::names},
    layouts::Layout,
    report::{
        ReasoningChoice,
        loss::{AssistantRole, AutoMarks, Others},
    },
    value::{Tape, handle::Input},
};

use crate::{
    arguments::{Dialect, Word, Words, Written},
    bytes::written,
    error::raise,
    host::{PyHost, units},
    item::in_objects,
    ours::{conversation_of, dialect_of, payload_of},
    receipt::LastReceipt,
    rendered::Rendered,
    settings::GivenSettings,
    sink::PySink,
    source::settled,
    wrong_argument::{Flag, OwnedStr},
};

impl Words for ReasoningChoice {
    const OPTION: &'static str = "reasoning";
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
    const OPTION: &'static str = "rest";
    const ALL: &'static [Self] = &[Self::Caller, Self::Keep, Self::Convert];
    fn name(self) -> &'static str {
        match self {
            Self::Caller => "caller",
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
        assistant_role: assistant_role.map(|role| role.0),
        raw_blobs: blobs.0 == Blobs::Raw,
        row: false,
        names_left: false,
        rest: Others::Caller,
        settings: None,
        marks: None,
    }
}

/// Adds the choice of marks for the prompt cache. `model` is the model of the request.
pub(crate) fn with_cache(options: Options, cache: Option<Word<Cache>>, model: Option<&str>) -> Options {
    Options { marks: cache.map(|_| AutoMarks { model: model.map(str::to_owned) }), ..options }
}

/// Adds the choice for a body's other keys.
pub(crate) fn with_rest(mut options: Options, rest: Word<Others>, given: GivenSettings) -> PyResult<Options> {
    options.settings = given.settings(rest.0)?;
    options.rest = rest.0;
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

#[doc = stub!("convert")]
#[pyfunction]
#[pyo3(
    signature = (
        payload, source, target, *, strict = Flag(false), reasoning = Word(ReasoningChoice::Valid), blobs = Word(Blobs::Base64),
        assistant_role = None, tool_results = Flag(false), rest = Word(Others::Caller), row = Flag(false), defaults = None,
        model = None, effort_budgets = None
    ),
    text_signature = "(payload, source, target, *, strict=False, reasoning='valid', blobs='base64', \
                      assistant_role=None, tool_results=False, rest='caller', row=False, defaults=None, \
                      model=None, effort_budgets=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn convert(
    payload: &Bound<'_, PyAny>,
    source: Written,
    target: Dialect,
    strict: Flag,
    reasoning: Word<ReasoningChoice>,
    blobs: Word<Blobs>,
    assistant_role: Option<Word<AssistantRole>>,
    tool_results: Flag,
    rest: Word<Others>,
    row: Flag,
    defaults: Option<&Bound<'_, PyAny>>,
    model: Option<OwnedStr<'_>>,
    effort_budgets: Option<&Bound<'_, PyAny>>,
) -> PyResult<Rendered> {
    let py = payload.py();
    let ids = (source.with_results(tool_results.0).reading(Some(target.0)), target.0);
    let given = GivenSettings::read(defaults, model, effort_budgets)?;
    let options = Options { row: row.0, ..options(strict.0, reasoning, blobs, assistant_role) };
    let options = with_rest(options, rest, given)?;
    let mut out = PySink::new(py);
    if let Some(conversation) = conversation_of(payload)? {
        let rendering = core::render(&conversation.get().inner, target.0, &options, &mut out).map_err(raise)?;
        return Rendered::new(out.finish().map_err(raise)?, target.0, rendering, LastReceipt::none());
    }
    let rendering = match Payload::new(payload)? {
        Payload::Json(input) => ids
            .0
            .tape(&input)
            .and_then(|tape| core::convert(&tape.view().root::<PyHost>(), ids.0, ids.1, &options, &mut out)),
        Payload::Object(root) => {
            settled(&root, |root| core::convert_with(root, ids.0, ids.1, &options, &mut out, &in_objects))
        }
    };
    let rendering = rendering.map_err(raise)?;
    Rendered::new(out.finish().map_err(raise)?, target.0, rendering, LastReceipt::none())
}

#[doc = stub!("convert_json")]
#[pyfunction]
#[pyo3(
    signature = (
        data, source, target, *, strict = Flag(false), reasoning = Word(ReasoningChoice::Valid), blobs = Word(Blobs::Base64),
        assistant_role = None, tool_results = Flag(false), rest = Word(Others::Caller), row = Flag(false), defaults = None,
        model = None, effort_budgets = None
    ),
    text_signature = "(data, source, target, *, strict=False, reasoning='valid', blobs='base64', \
                      assistant_role=None, tool_results=False, rest='caller', row=False, defaults=None, \
                      model=None, effort_budgets=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn convert_json(
    data: &Bound<'_, PyAny>,
    source: Written,
    target: Dialect,
    strict: Flag,
    reasoning: Word<ReasoningChoice>,
    blobs: Word<Blobs>,
    assistant_role: Option<Word<AssistantRole>>,
    tool_results: Flag,
    rest: Word<Others>,
    row: Flag,
    defaults: Option<&Bound<'_, PyAny>>,
    model: Option<OwnedStr<'_>>,
    effort_budgets: Option<&Bound<'_, PyAny>>,
) -> PyResult<Rendered> {
    let py = data.py();
    let ids = (source.with_results(tool_results.0).reading(Some(target.0)), target.0);
    let given = GivenSettings::read(defaults, model, effort_budgets)?;
    let options = Options { row: row.0, ..options(strict.0, reasoning, blobs, assistant_role) };
    let options = with_rest(options, rest, given)?;
    if let Some(conversation) = conversation_of(data)? {
        let written = written(py, |out| core::render(&conversation.get().inner, target.0, &options, out));
        let (bytes, rendering) = written.map_err(raise)?;
        return Rendered::new(bytes.into_any(), target.0, rendering, LastReceipt::none());
    }
    let written = match Payload::new(data)? {
        Payload::Json(input) => {
            written(py, |out| py.detach(|| core::convert_json::<PyHost>(&input, ids.0, ids.1, &options, out)))
        }
        Payload::Object(root) => {
            written(py, |out| settled(&root, |root| core::convert_with(root, ids.0, ids.1, &options, out, &in_objects)))
        }
    };
    let (bytes, rendering) = written.map_err(raise)?;
    Rendered::new(bytes.into_any(), target.0, rendering, LastReceipt::none())
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
