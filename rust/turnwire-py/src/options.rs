//! The options of `prepare`. Each keyword is read in one place and checked before the build begins.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString},
};
use turnwire_core::{
    convert,
    report::{
        ReasoningChoice,
        loss::{AssistantRole, Others},
    },
    value::handle::Text,
};

use crate::{
    arguments::{Bytes, Tokens, Word, argument, function, unexpected},
    budget::Budget,
    convert::{Blobs, Cache, options as rendering, with_cache, with_rest},
    host::PyHost,
    ledger::After,
    part::{handle, whole},
    settings::GivenSettings,
    summary::Summary,
    wrong_argument::{Flag, OwnedStr, named},
};

/// What is said to callers of an earlier version.
const NO_THINKING: &str = "has no argument 'thinking': pass reasoning='valid', 'keep', 'drop' or 'text'";

/// Everything that `prepare` takes except the messages, their source, and the system text and tools before them.
pub(crate) struct Options<'py> {
    pub(crate) budget: Budget,
    pub(crate) summary: Option<Summary>,
    /// Checked later, when the number of messages is known.
    pub(crate) pinned: Option<Bound<'py, PyAny>>,
    pub(crate) keep_open: bool,
    /// Whether the messages are a row. `None`: they decide, where many are read, and are a request elsewhere.
    pub(crate) row: Option<bool>,
    pub(crate) model: Option<String>,
    pub(crate) prefill: bool,
    pub(crate) opening: Option<Text<PyHost>>,
    pub(crate) omitted: Option<Text<PyHost>>,
    pub(crate) missing_result: Option<Text<PyHost>>,
    pub(crate) on_cut: Option<Bound<'py, PyAny>>,
    /// The caller's function that sums up the messages which the budget leaves out.
    pub(crate) summarise: Option<Bound<'py, PyAny>>,
    pub(crate) rendering: convert::Options,
    /// Options for converted settings. Only `rest` decides whether settings are converted.
    pub(crate) settings: GivenSettings,
    /// The state after the last request, which this one continues.
    pub(crate) after: Option<After>,
}

impl<'py> Options<'py> {
    /// The options of the rendering, with the choice for a body's other keys.
    pub(crate) fn written(&mut self, rest: Word<Others>) -> PyResult<convert::Options> {
        with_rest(self.rendering.clone(), rest, std::mem::take(&mut self.settings))
    }

    /// Reads the keywords of `caller`. An unknown keyword is a `TypeError`, as in Python itself.
    pub(crate) fn read(
        caller: &str,
        max_bytes: Option<Bytes>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let (mut max_tokens, mut count, mut reserve) = (None::<Tokens>, None, None);
        let (mut max_result_bytes, mut max_result_tokens) = (None::<Bytes>, None::<Tokens>);
        let (mut omitted, mut missing_result) = (None::<OwnedStr<'_>>, None::<OwnedStr<'_>>);
        let (mut model, mut prefill) = (None::<OwnedStr<'_>>, false);
        let (mut summary, mut summarise, mut pinned, mut on_cut) = (None, None, None, None);
        let mut row = None;
        let (mut keep_open, mut opening) = (false, None::<OwnedStr<'_>>);
        let (mut strict, mut reasoning, mut blobs) = (false, Word(ReasoningChoice::Valid), Word(Blobs::Base64));
        let (mut after, mut cache) = (None::<After>, None::<Word<Cache>>);
        let mut assistant_role = None::<Word<AssistantRole>>;
        let (mut defaults, mut effort_budgets) = (None, None);
        for (name, value) in keywords.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
            match &*name {
                "max_tokens" => max_tokens = argument(&name, &value)?,
                "count" => count = argument(&name, &value)?,
                "reserve" => reserve = argument(&name, &value)?,
                "max_result_bytes" => max_result_bytes = argument(&name, &value)?,
                "max_result_tokens" => max_result_tokens = argument(&name, &value)?,
                "on_cut" => on_cut = function(&name, value)?,
                "omitted" => omitted = argument(&name, &value)?,
                "missing_result" => missing_result = argument(&name, &value)?,
                "summary" if value.is_none() => summary = None,
                "summary" => summary = Some(Summary::new(&value).map_err(|error| named(value.py(), &name, error))?),
                "summarise" => summarise = function(&name, value)?,
                "pinned" => pinned = Some(value),
                "keep_open" => keep_open |= argument::<Flag>(&name, &value)?.0,
                "row" => row = argument::<Option<Flag>>(&name, &value)?.map(|row| row.0),
                "model" => model = argument(&name, &value)?,
                "defaults" => defaults = Some(value).filter(|value| !value.is_none()),
                "effort_budgets" => effort_budgets = Some(value).filter(|value| !value.is_none()),
                "prefill" => prefill = argument::<Flag>(&name, &value)?.0,
                "opening" => opening = argument(&name, &value)?,
                "after" => after = Some(argument(&name, &value)?),
                "strict" => strict = argument::<Flag>(&name, &value)?.0,
                "reasoning" => reasoning = argument(&name, &value)?,
                "blobs" => blobs = argument(&name, &value)?,
                "cache" => cache = argument(&name, &value)?,
                "assistant_role" => assistant_role = argument(&name, &value)?,
                "thinking" => return Err(PyTypeError::new_err(format!("{caller}() {NO_THINKING}"))),
                _ => return unexpected(caller, &name),
            }
        }
        let mut settings = GivenSettings::read(defaults.as_ref(), None, effort_budgets.as_ref())?;
        let rendering =
            convert::Options { row: row == Some(true), ..rendering(strict, reasoning, blobs, assistant_role) };
        let model = model.map(|model| whole(&model.0)).transpose()?;
        settings.model.clone_from(&model);
        Ok(Self {
            budget: Budget::new(max_bytes, max_tokens, count, reserve, max_result_bytes, max_result_tokens)?,
            summary,
            pinned,
            // A row may end with the assistant, so its last calls may be open too.
            keep_open: keep_open || row == Some(true),
            row,
            model,
            prefill,
            opening: opening.map(|words| handle(&words.0)).transpose()?,
            omitted: omitted.map(|words| handle(&words.0)).transpose()?,
            missing_result: missing_result.map(|words| handle(&words.0)).transpose()?,
            on_cut,
            summarise,
            rendering: with_cache(rendering, cache, settings.model.as_deref()),
            settings,
            after,
        })
    }
}
