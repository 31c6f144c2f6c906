//! The options of `prepare` and `convert`. Each keyword is read in one place and checked before the work begins.

use pyo3::{
    prelude::*,
    types::{PyDict, PyMapping, PyString},
};
use turnwire_core::{
    End, convert,
    report::{
        ReasoningChoice, ServerTools,
        loss::{AssistantRole, Others},
    },
    value::handle::Text,
};

use crate::{
    arguments::{Word, Words, argument, unexpected},
    budget::{Budget, Given},
    convert::{Blobs, Cache, options as rendering, with_cache, with_rest},
    host::PyHost,
    part::{handle, whole},
    settings::{self, GivenSettings},
    summary::Summary,
    wrong_argument::{Flag, OwnedStr, named, wrong},
};

impl Words for End {
    const OPTION: &'static str = "end";
    const ALL: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        self.name()
    }
}

/// The keywords that a function takes. `None` for all.
pub(crate) type Takes = Option<&'static [&'static str]>;

/// The keywords of a conversion.
pub(crate) const CONVERTS: Takes = Some(&[
    "model",
    "end",
    "reasoning",
    "strict",
    "settings",
    "blobs",
    "assistant_role",
    "server_tools",
    "tool_results",
]);

/// The keywords of `MessageBuilder`'s build and check.
pub(crate) const BUILDS: Takes = Some(&["model", "end", "reasoning", "server_tools", "wording"]);

/// The keywords of a rendering.
pub(crate) const RENDERS: Takes = Some(&["reasoning", "strict", "cache", "blobs", "assistant_role", "server_tools"]);

/// Everything that `prepare` takes except the messages, their source, and the system text and tools before them.
pub(crate) struct Options<'py> {
    pub(crate) budget: Budget,
    pub(crate) summary: Option<Summary>,
    /// Checked later, when the number of messages is known.
    pub(crate) pinned: Option<Bound<'py, PyAny>>,
    /// `None`: a row where the messages are one, a request elsewhere.
    pub(crate) end: Option<End>,
    pub(crate) model: Option<String>,
    pub(crate) wording: Wording,
    pub(crate) rendering: convert::Options,
    /// The caller's choice for the other keys of a body.
    pub(crate) others: Option<Others>,
    /// Options for converted settings. Only `others` decides whether settings are converted.
    pub(crate) settings: GivenSettings,
    /// Whether a user's text in the form of a result is read as that result.
    pub(crate) tool_results: bool,
}

/// The texts that are written in the caller's name.
#[derive(Default)]
pub(crate) struct Wording {
    pub(crate) opening: Option<Text<PyHost>>,
    pub(crate) bridge: Option<Text<PyHost>>,
    pub(crate) omitted: Option<Text<PyHost>>,
    pub(crate) missing_result: Option<Text<PyHost>>,
    /// What marks a cut in a result.
    pub(crate) cut: Option<String>,
}

impl Wording {
    const KEYS: [&'static str; 5] = ["opening", "bridge", "omitted", "missing_result", "cut"];

    /// Reads the mapping that the caller gives.
    pub(crate) fn read(given: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut wording = Self::default();
        let Some(given) = given else { return Ok(wording) };
        for (name, text) in group("wording", given, &Self::KEYS)? {
            let text = argument::<Option<OwnedStr<'_>>>(&format!("wording[{name:?}]"), &text)?;
            if name == "cut" {
                wording.cut = text.map(|text| whole(&text.0)).transpose()?;
                continue;
            }
            let text = text.map(|text| handle(&text.0)).transpose()?;
            match &*name {
                "opening" => wording.opening = text,
                "bridge" => wording.bridge = text,
                "omitted" => wording.omitted = text,
                _ => wording.missing_result = text,
            }
        }
        Ok(wording)
    }
}

/// The entries of an option that is a mapping with known keys. Another key is a `TypeError`, as for a keyword.
pub(crate) fn group<'py>(
    option: &str,
    given: &Bound<'py, PyAny>,
    keys: &[&str],
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let py = given.py();
    let mapping = given.cast::<PyMapping>().map_err(|_| named(py, option, wrong("a dict", given)))?;
    let mut entries = Vec::new();
    for entry in mapping.items()?.iter() {
        let (name, value) = entry.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let name = name.cast::<PyString>().map_err(|_| named(py, option, wrong("a str as a key", &name)))?;
        let name = name.to_string_lossy().into_owned();
        if !keys.contains(&&*name) {
            return unexpected(py, option, &name, &value);
        }
        entries.push((name, value));
    }
    Ok(entries)
}

impl<'py> Options<'py> {
    /// Whether the caller says that the messages are a row, or that they are none.
    pub(crate) fn row(&self) -> Option<bool> {
        self.end.map(|end| end == End::Row)
    }

    /// Whether calls of the last turn stay open. A row may end with the assistant, so its last calls may be open too.
    pub(crate) fn keeps_open(&self) -> bool {
        matches!(self.end, Some(End::Calls | End::Row))
    }

    /// Whether the last assistant turn is the beginning of the reply.
    pub(crate) fn is_prefill(&self) -> bool {
        self.end == Some(End::Prefill)
    }

    /// The options of the rendering, with the choice for a body's other keys, which is `otherwise` if there is none.
    pub(crate) fn written(&mut self, otherwise: Others) -> PyResult<convert::Options> {
        let others = self.others.unwrap_or(otherwise);
        with_rest(self.rendering.clone(), others, std::mem::take(&mut self.settings))
    }

    /// Reads the keywords of `caller`, which takes only `takes` of them. An unknown keyword is a `TypeError`, as in Python
    /// itself.
    pub(crate) fn read(
        py: Python<'py>,
        (caller, takes): (&str, Takes),
        budget: Option<&Given>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let (mut model, mut summary, mut pinned, mut end) = (None::<OwnedStr<'_>>, None, None, None::<Word<End>>);
        let (mut strict, mut reasoning, mut blobs) = (false, Word(ReasoningChoice::Valid), None::<Word<Blobs>>);
        let (mut cache, mut assistant_role) = (None::<Word<Cache>>, None::<Word<AssistantRole>>);
        let (mut wording, mut settings, mut tool_results) = (None, None, false);
        let mut server_tools = Word(ServerTools::Drop);
        for (name, value) in keywords.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
            match &*name {
                _ if !takes.is_none_or(|takes| takes.contains(&&*name)) => {
                    return unexpected(py, caller, &name, &value);
                }
                "model" => model = argument(&name, &value)?,
                "pinned" => pinned = Some(value),
                "end" => end = argument(&name, &value)?,
                "reasoning" => reasoning = argument(&name, &value)?,
                "summary" if value.is_none() => summary = None,
                "summary" => summary = Some(Summary::new(&value).map_err(|error| named(value.py(), &name, error))?),
                "wording" => wording = Some(value).filter(|value| !value.is_none()),
                "cache" => cache = argument(&name, &value)?,
                "strict" => strict = argument::<Flag>(&name, &value)?.0,
                "settings" => settings = Some(value).filter(|value| !value.is_none()),
                "blobs" => blobs = argument(&name, &value)?,
                "assistant_role" => assistant_role = argument(&name, &value)?,
                "server_tools" => server_tools = argument(&name, &value)?,
                "tool_results" => tool_results = argument::<Flag>(&name, &value)?.0,
                _ => return unexpected(py, caller, &name, &value),
            }
        }
        let (others, mut settings) = settings::given(settings.as_ref())?;
        let model = model.map(|model| whole(&model.0)).transpose()?;
        settings.model.clone_from(&model);
        let end = end.map(|end| end.0);
        let rendering = convert::Options {
            row: end == Some(End::Row),
            server_tools: server_tools.0,
            ..rendering(strict, reasoning, blobs.unwrap_or(Word(Blobs::Raw)), assistant_role)
        };
        Ok(Self {
            budget: Given::budget(budget, py),
            summary,
            pinned,
            end,
            model,
            wording: Wording::read(wording.as_ref())?,
            rendering: with_cache(rendering, cache, settings.model.as_deref()),
            others,
            settings,
            tool_results,
        })
    }
}
