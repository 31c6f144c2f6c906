//! `prepare` and `prepare_json`: from any list of messages to the list that the provider accepts.

pub(crate) mod adapter;

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
    rules::{compaction::Asked, dialect_id::DialectId},
    stage::{Relay, Summary},
};

use self::adapter::relay_of;
use crate::{
    arguments::{Dialect, Target, Word, Words, Written, missing_target},
    budget::Given,
    builder::Wanted,
    bytes::written,
    conversation::{Conversation, given},
    diff::Body,
    error::{is_unread, raise},
    host::PyHost,
    ledger::{Chosen, LedgerState, choices},
    options::Options,
    ours::own_dialect,
    receipt::{LastReceipt, Receipt},
    rendered::Rendered,
    share::OwnElements,
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
struct From<'a, 'py> {
    messages: &'a Bound<'py, PyAny>,
    source: Written,
    target: Option<DialectId>,
    system: Option<&'a Bound<'py, PyAny>>,
    tools: Option<&'a Bound<'py, PyAny>>,
    relay: Relay,
    /// How the result will be written.
    rendering: &'a core::Options,
    /// Whether the build is logged.
    logs: bool,
}

impl<'py> From<'_, 'py> {
    /// Reads the conversation with its system text and tools, and checks the pinned indices. `before`: how the messages
    /// were read that it begins with. `own`: where the caller's elements are kept, if any may be handed on.
    fn read(
        &self,
        options: &Options<'py>,
        before: &ReadAs,
        own: Option<&mut OwnElements>,
    ) -> PyResult<(conversation::Conversation<PyHost>, Vec<usize>)> {
        let target = self.target;
        let mut read = Conversation::shared_or_read(self.messages, self.source.reading(target), before, own)?;
        let pins = options.pinned.as_ref().map(|pinned| given::chosen(pinned, self.messages, &read)).transpose()?;
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
            target: self.target,
            keep_open: options.keeps_open(),
            model: options.model.as_deref(),
            prefill: options.is_prefill(),
            wording: &options.wording,
            relay: self.relay,
            rendering: self.rendering,
            logs: self.logs,
        }
    }

    /// Reads and builds.
    fn built(
        &self,
        options: &Options<'py>,
        own: Option<&mut OwnElements>,
    ) -> PyResult<(conversation::Conversation<PyHost>, LastReceipt, Option<Summary>)> {
        let (read, pinned) = self.read(options, &ReadAs::default(), own)?;
        let (py, wanted) = (self.messages.py(), self.wanted(options, pinned));
        let Some(function) = options.budget.summarise(py) else {
            let (built, receipt) = wanted.build(py, &read)?;
            return Ok((built, receipt, wanted.summary.cloned()));
        };
        wanted.build_summed(py, &read, &|gone| summarise::ask(function, self.messages, &read, wanted.summary, gone))
    }

    /// Reads, builds and writes the next request after a state.
    fn request(
        &self,
        target: DialectId,
        options: &Options<'py>,
        (state, choices, form): (&State, Choices, Form),
        mut own: Option<OwnElements>,
    ) -> PyResult<Rendered> {
        if options.budget.summarise(self.messages.py()).is_some() {
            let text = "expected a budget without summarise= in a ledger, which keeps everything that was sent: use \
                        Ledger.compaction";
            return Err(raise(Error::new(Code::ConflictingOptions, text)));
        }
        if !state.target.is_empty() && state.target != target.name() {
            let text = format!("expected a state for {}, got one for {}", target.name(), state.target);
            return Err(raise(Error::new(Code::BadState, text)));
        }
        let py = self.messages.py();
        let (read, pinned) = self.read(options, state.read_as(), own.as_mut())?;
        let wanted = self.wanted(options, pinned);
        let choices = Choices { json: form == Form::Json, ..choices };
        let (mut made, receipt) = wanted.request(py, &read, target, (choices, Some(state), form == Form::Summary))?;
        let payload = if form == Form::Json {
            PyBytes::new(py, &made.json).into_any()
        } else {
            let mut out = PySink::new(py).sharing(own);
            core::render(&made.built.conversation, target, self.rendering, &mut out).map_err(raise)?;
            out.finish().map_err(raise)?
        };
        if let (Some(asked), Ok(body)) = (made.asked, payload.cast::<PyDict>()) {
            ask(body, asked, &mut made.rendering.provenance.sources)?;
        }
        Rendered::new(payload, target, made.rendering, &receipt)
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

/// `prepare` with its keywords. `logs`: whether the build is logged.
fn prepared(
    messages: &Bound<'_, PyAny>,
    target: Target,
    source: Written,
    (system, tools): (Option<&Bound<'_, PyAny>>, Option<&Bound<'_, PyAny>>),
    mut options: Options<'_>,
    (share, logs): (bool, bool),
) -> PyResult<Rendered> {
    let py = messages.py();
    let how = core::Options { own_blobs: true, ..options.written(Others::Caller)? };
    let source = source.with_results(options.tool_results);
    let target = target_of(messages, source, target)?;
    let from =
        From { messages, source, target: Some(target), system, tools, relay: Relay::default(), rendering: &how, logs };
    let mut own = share.then(OwnElements::default);
    let (built, receipt, summary) = from.built(&options, own.as_mut())?;
    let mut out = PySink::new(py).sharing(own);
    let rendering = core::render(&built, target, &how, &mut out).map_err(raise)?;
    Rendered::new(out.finish().map_err(raise)?, target, rendering, &receipt)?.summed(py, summary.as_ref())
}

#[doc = stub!("prepare")]
#[pyfunction]
#[pyo3(
    signature = (
        messages, target = None, budget = None, *, source = Written::AUTO, system = None, tools = None,
        share = Flag(false), **options
    ),
    text_signature = "(messages, target, budget=None, *, source='auto', model=None, system=None, tools=None, \
                      pinned=(), end='request', reasoning='valid', summary=None, wording=None, \
                      cache=None, strict=False, settings='omit', share=False, **options)"
)]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are keywords")]
pub(crate) fn prepare<'py>(
    messages: &Bound<'py, PyAny>,
    target: Option<Target>,
    budget: Option<Given>,
    source: Written,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    share: Flag,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let py = messages.py();
    let target = target.map_or_else(|| missing_target(py, "prepare"), Ok)?;
    let options = Options::read(py, ("prepare", None), budget.as_ref(), options)?;
    prepared(messages, target, source, (system, tools), options, (share.0, true))
}

/// `prepare` for the builds that turnwire makes for itself: they are not logged.
#[pyfunction]
#[pyo3(signature = (messages, target, budget = None, *, source = Written::AUTO, system = None, tools = None, **options))]
#[expect(clippy::needless_pass_by_value, reason = "it is an argument")]
pub(crate) fn _tried<'py>(
    messages: &Bound<'py, PyAny>,
    target: Target,
    budget: Option<Given>,
    source: Written,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let options = Options::read(messages.py(), ("prepare", None), budget.as_ref(), options)?;
    prepared(messages, target, source, (system, tools), options, (false, false))
}

#[doc = stub!("prepare_json")]
#[pyfunction]
#[pyo3(
    signature = (
        messages, target = None, budget = None, *, source = Written::AUTO, system = None, tools = None, **options
    ),
    text_signature = "(messages, target, budget=None, *, source='auto', model=None, system=None, tools=None, \
                      pinned=(), end='request', reasoning='valid', summary=None, wording=None, \
                      cache=None, strict=False, settings='omit', **options)"
)]
#[expect(clippy::needless_pass_by_value, reason = "it is an argument")]
pub(crate) fn prepare_json<'py>(
    messages: &Bound<'py, PyAny>,
    target: Option<Target>,
    budget: Option<Given>,
    source: Written,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let py = messages.py();
    let target = target.map_or_else(|| missing_target(py, "prepare_json"), Ok)?;
    let mut options = Options::read(py, ("prepare_json", None), budget.as_ref(), options)?;
    let how = options.written(Others::Caller)?;
    let source = source.with_results(options.tool_results);
    let target = target_of(messages, source, target)?;
    let relay = Relay::default();
    let from = From { messages, source, target: Some(target), system, tools, relay, rendering: &how, logs: true };
    let (built, receipt, summary) = from.built(&options, None)?;
    let made = written(py, |out| core::render(&built, target, &how, out));
    let (bytes, rendering) = made.map_err(raise)?;
    Rendered::new(bytes.into_any(), target, rendering, &receipt)?.summed(py, summary.as_ref())
}

#[doc = stub!("check")]
#[pyfunction]
#[pyo3(
    signature = (
        messages, target = Target::Same, budget = None, *, after = None, source = Written::AUTO, system = None,
        tools = None, **options
    ),
    text_signature = "(messages, target='same', budget=None, *, after=None, **options)"
)]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are keywords")]
pub(crate) fn check(
    messages: &Bound<'_, PyAny>,
    target: Target,
    budget: Option<Given>,
    after: Option<Body>,
    source: Written,
    system: Option<&Bound<'_, PyAny>>,
    tools: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Receipt> {
    let py = messages.py();
    let mut options = Options::read(py, ("check", None), budget.as_ref(), options)?;
    let how = options.written(Others::Caller)?;
    let source = source.with_results(options.tool_results);
    let checked = |target| {
        let relay = Relay::default();
        let from = From { messages, source, target, system, tools, relay, rendering: &how, logs: false };
        let (read, pinned) = from.read(&options, &ReadAs::default(), None)?;
        from.wanted(&options, pinned).check(&read, after.as_ref())
    };
    match target_of(messages, source, target).and_then(|target| checked(Some(target))) {
        // A record of a layout is no payload of a dialect, and is checked as it is read. What neither can read is told as
        // the reader tells it.
        Err(error) if is_unread(py, &error) => {
            let own = if let Target::Named(target) = target { Some(target) } else { None };
            let reading = source.reading(own);
            let found = if after.is_none() { Conversation::check_record(messages, reading, own)? } else { None };
            match found {
                Some(found) => Ok(found),
                // Turns of the caller's own are in no dialect, and what no target asks for is checked.
                None => {
                    Conversation::shared_or_read(messages, reading, &ReadAs::default(), None).and_then(|_| match own {
                        Some(_) => Err(error),
                        None => checked(None),
                    })
                }
            }
        }
        found => found,
    }
}

/// The dialect to write. For `same`, it is the one that the caller names, or the one that the messages are in.
pub(crate) fn target_of(messages: &Bound<'_, PyAny>, source: Written, target: Target) -> PyResult<DialectId> {
    match (target, source.dialect()) {
        (Target::Named(dialect), _) | (Target::Same, Some(dialect)) => Ok(dialect),
        (Target::Same, None) => own_dialect(messages),
    }
}

/// The next request of a ledger. With `form="summary"`, the last request again, followed by a request for its summary.
///
/// `chosen`: how much a cut leaves, and what happens when the budget is full or the head changes. `relay`: as for
/// `_prepared`. `share`: whether the caller's own elements are handed on where they are unchanged.
/// `logs`: whether the build is logged.
#[pyfunction]
#[pyo3(signature = (
    messages, target, budget, state, chosen, form, source, system, tools, relay, share, logs, **options
))]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are keywords")]
pub(crate) fn _ledger_prepared<'py>(
    messages: &Bound<'py, PyAny>,
    target: Dialect,
    budget: Option<Given>,
    state: &Bound<'py, LedgerState>,
    chosen: Chosen,
    form: Word<Form>,
    source: Written,
    system: Option<&Bound<'py, PyAny>>,
    tools: Option<&Bound<'py, PyAny>>,
    relay: (bool, bool, bool),
    share: bool,
    logs: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Rendered> {
    let mut options = Options::read(messages.py(), ("Ledger", None), budget.as_ref(), options)?;
    let how = core::Options { own_blobs: form.0 != Form::Json, ..options.written(Others::Caller)? };
    let source = source.with_results(options.tool_results);
    let (target, relay) = (target.0, relay_of(relay));
    let from = From { messages, source, target: Some(target), system, tools, relay, rendering: &how, logs };
    let own = share.then(OwnElements::default);
    from.request(target, &options, (&state.get().0, choices(chosen), form.0), own)
}
