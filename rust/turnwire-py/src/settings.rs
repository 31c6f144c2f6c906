//! `settings`, and the caller's options for converting settings.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    types::{PyDict, PyFloat, PyMapping, PyString, PyTuple},
};
use turnwire_core::{
    report::{
        error::{Code, Error},
        loss::{Others, Settings},
    },
    rules::{dialect_id::DialectId, settings as core},
};

use crate::{
    arguments::{Tokens, Word, argument},
    error::raise,
    json, options,
    part::whole,
    wrong_argument::{OwnedStr, named, wrong},
};

/// The caller's options for converting settings.
#[derive(Default)]
pub(crate) struct GivenSettings {
    defaults: Option<String>,
    pub(crate) model: Option<String>,
    /// Whether the model was given for the body alone. Otherwise a build uses it too.
    model_alone: bool,
    effort_budgets: Vec<(String, u32)>,
}

/// Reads the option `settings`: a word, or a mapping with the options of `"convert"`, which it implies.
pub(crate) fn given(given: Option<&Bound<'_, PyAny>>) -> PyResult<(Option<Others>, GivenSettings)> {
    let mut settings = GivenSettings::default();
    let Some(given) = given else { return Ok((None, settings)) };
    if given.is_instance_of::<PyString>() {
        return Ok((Some(given.extract::<Word<Others>>()?.0), settings));
    }
    if given.cast::<PyMapping>().is_err() {
        return Err(named(given.py(), "settings", wrong("a str or a dict", given)));
    }
    for (name, value) in options::group("settings", given, &["defaults", "effort_budgets"])? {
        match &*name {
            _ if value.is_none() => {}
            "defaults" => settings.defaults = Some(body(&value)?),
            _ => settings.effort_budgets = budgets(&value)?,
        }
    }
    Ok((Some(Others::Convert), settings))
}

impl GivenSettings {
    /// The same where the model is a part of the body and nothing else.
    pub(crate) fn of_body(self) -> Self {
        Self { model_alone: self.model.is_some(), ..self }
    }

    /// The settings for a rendering. `None` if no option is given. Fails unless settings are converted.
    pub(crate) fn settings(self, rest: Others) -> PyResult<Option<Arc<Settings>>> {
        let Self { defaults, model_alone, effort_budgets, .. } = self;
        if rest != Others::Convert {
            if model_alone {
                let text = "expected settings=\"convert\" beside model=, which is a part of the body: add it";
                return Err(raise(Error::new(Code::UnknownOption, text)));
            }
            return Ok(None);
        }
        let said = defaults.is_some() || !effort_budgets.is_empty();
        Ok(said.then(|| Arc::new(Settings { defaults, effort_budgets })))
    }
}

/// A part of a body as JSON.
fn body(given: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = given.py();
    let dict = given.cast::<PyDict>().map_err(|_| named(py, "defaults", wrong("a dict", given)))?;
    let mut out = Vec::new();
    json::dump(dict.as_any(), &mut out).map_err(raise)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Numbers of tokens, each under a word of the scale.
fn budgets(given: &Bound<'_, PyAny>) -> PyResult<Vec<(String, u32)>> {
    const NAME: &str = "effort_budgets";
    let py = given.py();
    let mapping = given.cast::<PyMapping>().map_err(|_| named(py, NAME, wrong("a dict", given)))?;
    let mut all = Vec::new();
    for entry in mapping.items()?.iter() {
        let (word, tokens) = entry.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let word = whole(&argument::<OwnedStr<'_>>(NAME, &word)?.0)?;
        let tokens = argument::<Tokens>(NAME, &tokens)?.0;
        if !core::efforts().any(|(known, _)| known == word) {
            let known: Vec<_> = core::efforts().map(|(known, _)| format!("{known:?}")).collect();
            let text = format!("{NAME} has {word:?}: expected some of {}", known.join(", "));
            return Err(raise(Error::new(Code::UnknownOption, text)));
        }
        all.push((word, u32::try_from(tokens).unwrap_or(u32::MAX)));
    }
    Ok(all)
}

/// One cell of the table.
fn cell<'py>(py: Python<'py>, one: &core::Described) -> PyResult<Bound<'py, PyDict>> {
    let made = PyDict::new(py);
    made.set_item("kind", one.kind)?;
    made.set_item("places", PyTuple::new(py, one.places)?)?;
    if let Some((least, most)) = one.range {
        made.set_item("range", (PyFloat::new(py, least), PyFloat::new(py, most)))?;
    }
    if let Some(most) = one.most {
        made.set_item("most", most)?;
    }
    if !one.words.is_empty() {
        made.set_item("words", PyTuple::new(py, one.words)?)?;
    }
    if let Some(json) = one.needed {
        made.set_item("needed", json)?;
    }
    if let Some(json) = one.absent {
        made.set_item("absent", json)?;
    }
    if !one.excludes.is_empty() {
        made.set_item("excludes", PyTuple::new(py, one.excludes)?)?;
    }
    if !one.needs.is_empty() {
        made.set_item("needs", PyTuple::new(py, one.needs)?)?;
    }
    if !one.recorded.is_empty() {
        made.set_item("recorded", PyTuple::new(py, one.recorded)?)?;
    }
    if let Some(choices) = &one.choices {
        made.set_item("choices", PyTuple::new(py, choices)?)?;
    }
    for (name, other) in [("with_tools", &one.with_tools), ("at_rest", &one.at_rest)] {
        if let Some(other) = other {
            made.set_item(name, cell(py, other)?)?;
        }
    }
    if let Some(why) = one.why {
        made.set_item("why", why)?;
    }
    Ok(made)
}

fn cells<'py>(py: Python<'py>, row: &[(&str, core::Described)]) -> PyResult<Bound<'py, PyDict>> {
    let made = PyDict::new(py);
    for (name, one) in row {
        made.set_item(name, cell(py, one)?)?;
    }
    Ok(made)
}

/// What a dialect's settings are for one model.
#[pyfunction]
pub(crate) fn _settings_column<'py>(
    py: Python<'py>,
    dialect: &str,
    model: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let dialect = DialectId::named(dialect).map_err(raise)?;
    cells(py, &core::column(dialect, model))
}

/// `turnwire.settings.table`.
#[pyfunction]
pub(crate) fn _settings_table(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let rows = PyDict::new(py);
    for (name, meaning, row) in core::table() {
        let made = PyDict::new(py);
        made.set_item("meaning", meaning)?;
        made.set_item("wires", cells(py, &row)?)?;
        rows.set_item(name, made)?;
    }
    let mut models = Vec::new();
    for rule in turnwire_core::dialects::describe::differing() {
        let made = PyDict::new(py);
        made.set_item("dialect", rule.dialect)?;
        made.set_item("names", PyTuple::new(py, rule.names)?)?;
        made.set_item("but", PyTuple::new(py, rule.but)?)?;
        made.set_item("settings", cells(py, &rule.cells)?)?;
        models.push(made);
    }
    let efforts = PyDict::new(py);
    for (word, budgets) in core::efforts() {
        let made = PyDict::new(py);
        for (wire, tokens) in budgets {
            made.set_item(wire, tokens)?;
        }
        efforts.set_item(word, made)?;
    }
    let table = PyDict::new(py);
    table.set_item("settings", rows)?;
    table.set_item("models", PyTuple::new(py, models)?)?;
    table.set_item("efforts", efforts)?;
    Ok(table)
}
