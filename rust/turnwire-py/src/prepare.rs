//! `prepare` and `prepare_json`: any list of messages in, what the provider takes out, in one call.

use pyo3::{prelude::*, types::PyDict};
use turnwire_core::{convert as core, model::conversation, report::loss::Others, stage::Relay};

use crate::{
    arguments::{Bytes, Dialect, Word, Written},
    builder::Wanted,
    bytes::written,
    conversation::{Conversation, given},
    error::raise,
    host::PyHost,
    options::Options,
    receipt::LastReceipt,
    rendered::Rendered,
    sink::PySink,
    wrong_argument::Flag,
};

/// What a build is made of: the messages, and what goes before them.
struct Given<'a, 'py> {
    messages: &'a Bound<'py, PyAny>,
    source: Written,
    target: Option<Dialect>,
    system: Option<&'a Bound<'py, PyAny>>,
    tools: Option<&'a Bound<'py, PyAny>>,
    relay: Relay,
}

impl<'py> Given<'_, 'py> {
    /// Read and built.
    fn built(&self, options: &Options<'py>) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt)> {
        let target = self.target.map(|target| target.0);
        let mut read = Conversation::shared_or_read(self.messages, self.source.reading(target))?;
        let pins = options.pinned.as_ref().map(|pinned| given::pins(pinned, read.turns().len())).transpose()?;
        if self.system.is_some() || self.tools.is_some() {
            read = read.fronted(given::front(self.system, self.tools, target)?);
        }
        let wanted = Wanted {
            prompts: Vec::new(),
            summary: options.summary.as_ref().map(|summary| &summary.0),
            budget: &options.budget,
            pinned: pins.unwrap_or_default(),
            target,
            keep_open: options.keep_open,
            thinking: options.thinking,
            model: options.model.as_deref(),
            prefill: options.prefill,
            opening: options.opening.as_ref(),
            relay: self.relay,
            omitted: options.omitted.as_ref(),
            missing_result: options.missing_result.as_ref(),
            on_cut: options.on_cut.as_ref(),
        };
        wanted.build(self.messages.py(), &read)
    }
}

#[doc = stub!("prepare")]
#[pyfunction]
#[pyo3(
    signature = (
        messages, target, max_bytes = None, *, source = Written::AUTO, tool_results = Flag(false), system = None,
        tools = None, rest = Word(Others::Caller), **options
    ),
    text_signature = "(messages, target, max_bytes=None, *, source='auto', tool_results=False, system=None, \
                      tools=None, rest='caller', max_tokens=None, count=None, reserve=0.25, \
                      max_result_bytes=None, max_result_tokens=None, keep_open=False, thinking='valid', \
                      model=None, prefill=False, opening=None, omitted=None, missing_result=None, strict=False, \
                      reasoning='drop', blobs='base64', assistant_role=None, defaults=None, effort_budgets=None, \
                      pinned=(), summary=None, on_cut=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn prepare<'py>(
    messages: &Bound<'py, PyAny>,
    target: Dialect,
    max_bytes: Option<Bytes>,
    source: Written,
    tool_results: Flag,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    rest: Word<Others>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let mut options = Options::read("prepare", max_bytes, options)?;
    let how = options.written(rest)?;
    let source = source.with_results(tool_results.0);
    let given = Given { messages, source, target: Some(target), system, tools, relay: Relay::default() };
    let (built, receipt) = given.built(&options)?;
    let mut out = PySink::new(messages.py());
    let rendering = core::render(&built, target.0, &how, &mut out).map_err(raise)?;
    Rendered::new(out.finish().map_err(raise)?, rendering, receipt)
}

#[doc = stub!("prepare_json")]
#[pyfunction]
#[pyo3(
    signature = (
        messages, target, max_bytes = None, *, source = Written::AUTO, tool_results = Flag(false), system = None,
        tools = None, rest = Word(Others::Caller), **options
    ),
    text_signature = "(messages, target, max_bytes=None, *, source='auto', tool_results=False, system=None, \
                      tools=None, rest='caller', max_tokens=None, count=None, reserve=0.25, \
                      max_result_bytes=None, max_result_tokens=None, keep_open=False, thinking='valid', \
                      model=None, prefill=False, opening=None, omitted=None, missing_result=None, strict=False, \
                      reasoning='drop', blobs='base64', assistant_role=None, defaults=None, effort_budgets=None, \
                      pinned=(), summary=None, on_cut=None)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn prepare_json<'py>(
    messages: &Bound<'py, PyAny>,
    target: Dialect,
    max_bytes: Option<Bytes>,
    source: Written,
    tool_results: Flag,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    rest: Word<Others>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let mut options = Options::read("prepare_json", max_bytes, options)?;
    let how = options.written(rest)?;
    let source = source.with_results(tool_results.0);
    let given = Given { messages, source, target: Some(target), system, tools, relay: Relay::default() };
    let (built, receipt) = given.built(&options)?;
    let made = written(messages.py(), |out| core::render(&built, target.0, &how, out));
    let (bytes, rendering) = made.map_err(raise)?;
    Rendered::new(bytes.into_any(), rendering, receipt)
}

/// What `prepare` would write, as a conversation: for an adapter, whose framework writes it. `relay` says whether the framework
/// refuses blank texts, whether it refuses arguments that are no object, and whether the keys are its own.
#[pyfunction]
#[pyo3(signature = (messages, source, target, max_bytes, relay, **options))]
pub(crate) fn _prepared<'py>(
    messages: &Bound<'py, PyAny>,
    source: Written,
    target: Option<Dialect>,
    max_bytes: Option<Bytes>,
    relay: (bool, bool, bool),
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Conversation> {
    let mut options = Options::read("an adapter", max_bytes, options)?;
    // A framework writes the body.
    options.written(Word(Others::Caller))?;
    let relay = Relay { no_blanks: relay.0, only_objects: relay.1, own_keys: relay.2 };
    let given = Given { messages, source, target, system: None, tools: None, relay };
    let (built, receipt) = given.built(&options)?;
    Ok(Conversation::of_build(built, receipt))
}
