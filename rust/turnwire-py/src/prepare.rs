//! `prepare` and `prepare_json`: from any list of messages to the list that the provider accepts.

use pyo3::{
    intern,
    prelude::*,
    types::{PyBytes, PyDict, PyList},
};
use turnwire_core::{
    convert as core,
    detect::ReadAs,
    ledger::{Choices, State},
    model::conversation,
    report::{
        error::{Code, Error},
        loss::Others,
        provenance::Sources,
    },
    rules::compaction::Asked,
    stage::{Relay, Summary},
    text::budget::RESERVE,
};

use crate::{
    arguments::{Bytes, Dialect, Word, Words, Written},
    builder::Wanted,
    bytes::written,
    conversation::{Conversation, given},
    error::raise,
    host::PyHost,
    ledger::{After, Chosen, LedgerState, choices},
    options::Options,
    receipt::LastReceipt,
    rendered::Rendered,
    sink::PySink,
    summarise,
    wrong_argument::Flag,
};

/// The form of a ledger's request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Objects,
    Json,
    /// As objects, with a request for a summary at the end.
    Summary,
}

impl Words for Form {
    const OPTION: &'static str = "form";
    const ALL: &'static [Self] = &[Self::Objects, Self::Json, Self::Summary];
    fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Json => "json",
            Self::Summary => "summary",
        }
    }
}

/// The input of a build: the messages, and the system text and tools before them.
struct Given<'a, 'py> {
    messages: &'a Bound<'py, PyAny>,
    source: Written,
    target: Option<Dialect>,
    system: Option<&'a Bound<'py, PyAny>>,
    tools: Option<&'a Bound<'py, PyAny>>,
    relay: Relay,
    /// How the result will be written.
    rendering: &'a core::Options,
}

impl<'py> Given<'_, 'py> {
    /// Reads the conversation with its system text and tools, and checks the pinned indices. `before`: how the messages
    /// were read that it begins with.
    fn read(
        &self,
        options: &Options<'py>,
        before: &ReadAs,
    ) -> PyResult<(conversation::Conversation<PyHost>, Vec<usize>)> {
        let target = self.target.map(|target| target.0);
        let mut read = Conversation::shared_or_read(self.messages, self.source.reading(target), before)?;
        let pins = options.pinned.as_ref().map(|pinned| given::pins(pinned, read.turns().len())).transpose()?;
        if let Some(at) =
            options.summary.iter().flat_map(|summary| &summary.0.indices).find(|at| **at >= read.turns().len())
        {
            let text = format!("summary: expected indices below {}, got {at}", read.turns().len());
            return Err(raise(Error::new(Code::OutOfRange, text)));
        }
        if self.system.is_some() || self.tools.is_some() {
            read = read.fronted(given::front(self.system, self.tools, target)?);
        }
        Ok((read, pins.unwrap_or_default()))
    }

    fn wanted<'o>(&'o self, options: &'o Options<'py>, pinned: Vec<usize>) -> Wanted<'o> {
        Wanted {
            prompts: Vec::new(),
            summary: options.summary.as_ref().map(|summary| &summary.0),
            budget: &options.budget,
            pinned,
            target: self.target.map(|target| target.0),
            keep_open: options.keep_open,
            model: options.model.as_deref(),
            prefill: options.prefill,
            opening: options.opening.as_ref(),
            relay: self.relay,
            rendering: self.rendering,
            omitted: options.omitted.as_ref(),
            missing_result: options.missing_result.as_ref(),
            on_cut: options.on_cut.as_ref(),
        }
    }

    /// Reads and builds.
    fn built(
        &self,
        options: &Options<'py>,
    ) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt, Option<Summary>)> {
        let (read, pinned) = self.read(options, &ReadAs::default())?;
        let (py, wanted) = (self.messages.py(), self.wanted(options, pinned));
        let Some(function) = &options.summarise else {
            let (built, receipt) = wanted.build(py, &read)?;
            return Ok((built, receipt, wanted.summary.cloned()));
        };
        wanted.build_summed(py, &read, &|gone| summarise::ask(function, self.messages, &read, wanted.summary, gone))
    }

    /// Reads, builds and writes the next request after a state.
    fn request(
        &self,
        (target, rest): (Dialect, Others),
        options: &Options<'py>,
        (state, choices, form): (Option<&State>, Choices, Form),
    ) -> PyResult<Rendered> {
        if options.keep_open {
            let text = "expected no keep_open=True beside after=: what is sent is remembered as it is";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        if !matches!(rest, Others::Caller) {
            let text = "expected rest='caller' with after=: pass the other keys of the body yourself";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        if options.summarise.is_some() {
            let text =
                "expected no summarise= with after=, which keeps everything that was sent: use Ledger.compaction";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        if options.budget.reserve.to_bits() != RESERVE.to_bits() {
            let text = "expected no reserve= with after=, where a cut leaves half of the budget: use Ledger(keep=) for another \
                 share";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        if let Some(state) = state.filter(|state| !state.target.is_empty() && state.target != target.0.name()) {
            let text = format!("expected a state for {}, got one for {}", target.0.name(), state.target);
            return Err(raise(Error::new(Code::BadState, text)));
        }
        let py = self.messages.py();
        let before = state.map(State::read_as).cloned().unwrap_or_default();
        let (read, pinned) = self.read(options, &before)?;
        let wanted = self.wanted(options, pinned);
        let choices = Choices { json: form == Form::Json, ..choices };
        let (mut made, receipt) = wanted.request(py, &read, target.0, (choices, state, form == Form::Summary))?;
        let payload = if form == Form::Json {
            PyBytes::new(py, &made.json).into_any()
        } else {
            let mut out = PySink::new(py);
            core::render(&made.built.conversation, target.0, self.rendering, &mut out).map_err(raise)?;
            out.finish().map_err(raise)?
        };
        if let (Some(asked), Ok(body)) = (made.asked, payload.cast::<PyDict>()) {
            ask(body, asked, &mut made.rendering.provenance.sources)?;
        }
        receipt.leave_out_told(py, &mut made.rendering);
        Rendered::new(payload, target.0, made.rendering, receipt)
            .map(|rendered| rendered.remembering(made.state, made.stable))
    }
}

/// Appends the request for a summary to a body, and its sources to `sources`.
fn ask(body: &Bound<'_, PyDict>, asked: Asked, sources: &mut Vec<Sources>) -> PyResult<()> {
    let (Asked::Key(key, kind) | Asked::Last(key, kind)) = asked;
    let object = PyDict::new(body.py());
    object.set_item(intern!(body.py(), "type"), kind)?;
    if let Asked::Key(..) = asked {
        return body.set_item(key, object);
    }
    if let Some(Ok(list)) = body.get_item(key)?.map(Bound::cast_into::<PyList>) {
        list.append(object)?;
        sources.push(Sources::new());
    }
    Ok(())
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
                      max_result_bytes=None, max_result_tokens=None, keep_open=False, model=None, prefill=False, \
                      opening=None, omitted=None, missing_result=None, strict=False, reasoning='valid', \
                      blobs='base64', assistant_role=None, cache=None, defaults=None, effort_budgets=None, \
                      pinned=(), summary=None, summarise=None, on_cut=None, after=None, row=False)"
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
    let given =
        Given { messages, source, target: Some(target), system, tools, relay: Relay::default(), rendering: &how };
    if let Some(After(state)) = &options.after {
        return given.request((target, rest.0), &options, (state.as_deref(), Choices::default(), Form::Objects));
    }
    let (built, receipt, summary) = given.built(&options)?;
    let mut out = PySink::new(messages.py());
    let mut rendering = core::render(&built, target.0, &how, &mut out).map_err(raise)?;
    receipt.leave_out_told(messages.py(), &mut rendering);
    Rendered::new(out.finish().map_err(raise)?, target.0, rendering, receipt)?.summed(messages.py(), summary.as_ref())
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
                      max_result_bytes=None, max_result_tokens=None, keep_open=False, model=None, prefill=False, \
                      opening=None, omitted=None, missing_result=None, strict=False, reasoning='valid', \
                      blobs='base64', assistant_role=None, cache=None, defaults=None, effort_budgets=None, \
                      pinned=(), summary=None, summarise=None, on_cut=None, after=None, row=False)"
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
    let given =
        Given { messages, source, target: Some(target), system, tools, relay: Relay::default(), rendering: &how };
    if let Some(After(state)) = &options.after {
        return given.request((target, rest.0), &options, (state.as_deref(), Choices::default(), Form::Json));
    }
    let (built, receipt, summary) = given.built(&options)?;
    let made = written(messages.py(), |out| core::render(&built, target.0, &how, out));
    let (bytes, mut rendering) = made.map_err(raise)?;
    receipt.leave_out_told(messages.py(), &mut rendering);
    Rendered::new(bytes.into_any(), target.0, rendering, receipt)?.summed(messages.py(), summary.as_ref())
}

fn relayed((no_blanks, only_objects, own_keys): (bool, bool, bool)) -> Relay {
    Relay { no_blanks, only_objects, own_keys }
}

/// The result of `prepare` as a conversation, for adapters whose framework writes the payload. `relay`: whether the
/// framework refuses blank texts, whether it refuses arguments that are not an object, and whether it has its own keys.
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
    // The framework writes the body.
    let how = options.written(Word(Others::Caller))?;
    let given = Given { messages, source, target, system: None, tools: None, relay: relayed(relay), rendering: &how };
    let (built, receipt, _) = given.built(&options)?;
    Ok(Conversation::of_build(built, receipt))
}

/// The next request of a ledger. With `form="summary"`, the last request again, followed by a request for its summary.
///
/// `chosen`: how much a cut leaves, and what happens when the budget is full or the head changes. `relay`: as for
/// `_prepared`.
#[pyfunction]
#[pyo3(signature = (
    messages, target, max_bytes, state, chosen, form, source, tool_results, system, tools, relay, **options
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn _ledger_prepared<'py>(
    messages: &Bound<'py, PyAny>,
    target: Dialect,
    max_bytes: Option<Bytes>,
    state: &Bound<'py, LedgerState>,
    chosen: Chosen,
    form: Word<Form>,
    source: Written,
    tool_results: Flag,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    relay: (bool, bool, bool),
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let mut options = Options::read("Ledger", max_bytes, options)?;
    let how = options.written(Word(Others::Caller))?;
    let source = source.with_results(tool_results.0);
    let given = Given { messages, source, target: Some(target), system, tools, relay: relayed(relay), rendering: &how };
    given.request((target, Others::Caller), &options, (Some(&*state.get().0), choices(chosen), form.0))
}
