//! `_Rows`: how `turnwire.batch` and `turnwire.arrow` process each row of blocks of lines, columns and lists.

mod noted;

use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyDict, PyList, PyMemoryView, PyString},
};
use turnwire_core::{
    End,
    batch::{
        At, Build, Check, Job, Place, RecordOptions, Task, Truncate,
        document::{self, Kind},
        lines, run,
    },
    convert::Options,
    report::loss::Others,
    stage::front::Front,
    text::{TRUNCATED_SUFFIX, budget::Split},
    value::handle::{Input, Text},
};

pub(crate) use self::noted::python_fault;
use self::noted::{Said, noted};
use crate::{
    arguments::{Bytes, Dialect, Target, Word, Written, items, unexpected},
    budget::Given,
    buffer::{Held, room, view_again},
    column::{self, Column, Made},
    conversation::given::{pins_of_rows, system_texts},
    convert::with_rest,
    documents::{Given as GivenRecords, Records},
    error::raise,
    host::PyHost,
    json, options as keywords,
    part::whole,
    settings::GivenSettings,
};

/// A task with its checked options.
#[pyclass(frozen, module = "turnwire._core", name = "_Rows")]
pub(crate) struct Rows {
    job: Job<PyHost>,
}

/// A payload of a row: its path, its bytes, the name of its dialect or layout if that is known, the name by which its
/// bytes are read, and as a build decides: whether it is a row, and the keys that are left to the caller.
type Inside<'py> = (String, Bound<'py, PyBytes>, Option<String>, String, bool, Vec<String>);

/// A row: its bytes, its line, its path, and itself for a call with one row.
type Alone<'py> = (Bound<'py, PyBytes>, usize, String, Records);

#[pymethods]
impl Rows {
    /// The same options as `convert`. `requests`: what happens to other keys of a request, if `settings` does not say it.
    #[staticmethod]
    #[pyo3(signature = (caller, source, target, at, requests, **options))]
    fn convert(
        py: Python<'_>,
        caller: &str,
        source: Written,
        target: Dialect,
        at: Option<&Bound<'_, PyString>>,
        requests: Word<Others>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut given = keywords::Options::read(py, (caller, keywords::CONVERTS), None, options)?;
        given.settings = std::mem::take(&mut given.settings).of_body();
        let source = source.with_results(given.tool_results).reading(Some(target.0));
        let records = RecordOptions { row: given.row(), rest: given.others };
        let options = Options { row: false, ..given.written(requests.0)? };
        Self::of(Task::Convert { source, target: target.0, options, records }, at)
    }

    /// The same options as `check`; see `build`.
    #[staticmethod]
    #[pyo3(signature = (caller, source, target, at, budget, system, tools, **options))]
    #[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are keywords")]
    fn check(
        py: Python<'_>,
        caller: &str,
        source: Written,
        target: Target,
        at: Option<&Bound<'_, PyString>>,
        budget: Option<Given>,
        system: Option<&Bound<'_, PyAny>>,
        tools: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let own = matches!(target, Target::Same);
        let build = build_of(py, (caller, Others::Caller), source, target, budget.as_ref(), (system, tools), options)?;
        Self::of(Task::Check(Box::new(Check { build, own })), at)
    }

    /// The same options as `truncate_tool_results`.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn truncate(
        source: Written,
        tool_results: bool,
        at: Option<&Bound<'_, PyString>>,
        max_bytes: Bytes,
        suffix: Option<&Bound<'_, PyString>>,
        split: Word<Split>,
        settings: Word<Others>,
        end: Option<Word<End>>,
    ) -> PyResult<Self> {
        let task = Truncate {
            source: source.with_results(tool_results).reading(None),
            max_bytes: max_bytes.0,
            suffix: suffix.map_or_else(|| Ok(TRUNCATED_SUFFIX.to_owned()), whole)?,
            split: split.0,
            options: with_rest(Options::default(), settings.0, GivenSettings::default())?,
            records: records(end, Some(settings.0)),
        };
        Self::of(Task::Truncate(task), at)
    }

    /// The same options as `prepare`. `caller`: the function that took the options. `requests`: what happens to other keys
    /// of a request, if `settings` does not say it.
    #[staticmethod]
    #[pyo3(signature = (caller, source, target, at, budget, system, tools, requests, **options))]
    #[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "they are keywords")]
    fn build(
        py: Python<'_>,
        caller: &str,
        source: Written,
        target: Target,
        at: Option<&Bound<'_, PyString>>,
        budget: Option<Given>,
        system: Option<&Bound<'_, PyAny>>,
        tools: Option<&Bound<'_, PyAny>>,
        requests: Word<Others>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let build = build_of(py, (caller, requests.0), source, target, budget.as_ref(), (system, tools), options)?;
        Self::of(Task::Build(Box::new(build)), at)
    }

    /// The results of a block: the bytes, the number of rows, and the notes on them. `first` is the number of the first
    /// line. With `tell`, the notes have each loss.
    fn block<'py>(
        &self,
        py: Python<'py>,
        block: Held,
        records: &Records,
        first: usize,
        tell: bool,
    ) -> PyResult<(Bound<'py, PyMemoryView>, usize, Said<'py>)> {
        let (bytes, rows, noted) = py.detach(|| {
            let block = Input::new(block);
            let done = match &records.0 {
                GivenRecords::Lines(ends) => {
                    let mut done = lines::lines(&block, ends, first, room(), &self.job);
                    done.notes.iter_mut().for_each(|(line, _)| *line += first);
                    done
                }
                GivenRecords::Pieces(pieces) => lines::records(&block, pieces, room(), &self.job),
            };
            let noted = noted(done.notes, 0, tell);
            (done.bytes, done.rows, noted)
        });
        Ok((view_again(py, bytes)?, rows, noted?.said(py)?))
    }

    /// The rows of a block, one by one.
    #[expect(clippy::unnecessary_wraps, reason = "PyO3 makes a list of it")]
    fn split<'py>(&self, py: Python<'py>, block: Held, records: &Records, first: usize) -> PyResult<Vec<Alone<'py>>> {
        let block = Input::new(block);
        let rows = match &records.0 {
            GivenRecords::Lines(ends) => lines::Rows::of_lines(&block, ends, first, &self.job).0,
            GivenRecords::Pieces(pieces) => lines::Rows::of_records(&block, pieces, &self.job),
        };
        let alone = |(row, origin): (Input, lines::Origin)| {
            let bytes = PyBytes::new(py, row.bytes());
            (bytes, origin.line, origin.path.to_string(), Records::one(row.bytes().len(), origin))
        };
        Ok(rows.each().map(alone).collect())
    }

    /// Whether payloads are searched for, because the caller does not say where they are.
    #[getter]
    fn searches(&self) -> bool {
        matches!(self.job.at, At::Found)
    }

    /// What a document is, judged by its beginning: a word, and the keys of its list or what it is instead of JSON.
    /// None if it takes more of it.
    #[expect(clippy::needless_pass_by_value, reason = "a buffer is given back where it is dropped")]
    fn kind(&self, py: Python<'_>, head: Held, is_end: bool) -> Option<(&'static str, Vec<String>)> {
        let kind = py.detach(|| document::kind(head.as_ref(), is_end, &self.job.at))?;
        Some(match kind {
            Kind::Lines => ("lines", Vec::new()),
            Kind::Whole => ("whole", Vec::new()),
            Kind::Items(keys) => ("items", keys.iter().map(ToString::to_string).collect()),
            Kind::Messages => ("messages", Vec::new()),
            Kind::History => ("history", Vec::new()),
            Kind::Other(name) => ("other", vec![name.to_owned()]),
        })
    }

    /// The messages of a document that is one conversation, a message a line, or of a stored history: a list, and how
    /// many lines are left out that were torn or are from a later version.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "a buffer is given back where it is dropped")]
    fn conversation(py: Python<'_>, text: Held, is_history: bool) -> (Bound<'_, PyBytes>, usize) {
        let (list, left) = py.detach(|| document::conversation(text.as_ref(), is_history));
        (PyBytes::new(py, &list), left)
    }

    /// The payloads of a row. `alone`: the row, if it is in a list.
    #[pyo3(signature = (row, alone = None))]
    fn places<'py>(&self, py: Python<'py>, row: PyBackedBytes, alone: Option<&Records>) -> PyResult<Vec<Inside<'py>>> {
        let Some(row) = self::row(row) else { return Ok(Vec::new()) };
        let origin = alone.and_then(Records::origin).cloned().unwrap_or_default();
        let places = py.detach(|| self.job.places(&row, &origin)).map_err(raise)?;
        let inside = |place: Place| {
            let Place { path, json, name, source, is_row, left } = place;
            let left = left.iter().map(ToString::to_string).collect();
            (path.to_string(), PyBytes::new(py, &json), name, source.name(), is_row, left)
        };
        Ok(places.into_iter().map(inside).collect())
    }

    /// The results of a column's rows.
    fn column<'py>(&self, py: Python<'py>, column: Column, threads: usize) -> PyResult<Made<'py>> {
        column::made(py, &self.job, column, threads)
    }

    /// The results of a list of rows, the first of which has the number `first`. `None` for a row that failed or is
    /// empty.
    fn each<'py>(
        &self,
        py: Python<'py>,
        rows: Vec<PyBackedBytes>,
        first: usize,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyList>, Said<'py>)> {
        let (done, noted) = py.detach(|| {
            let rows: Vec<_> = rows.into_iter().map(row).collect();
            let mut done = run(&rows, threads, &self.job);
            let noted = noted(std::mem::take(&mut done.notes), first, false);
            (done, noted)
        });
        let mut start = 0;
        let payloads = done.ends.iter().map(|end| {
            let bytes = &done.bytes[std::mem::replace(&mut start, *end)..*end];
            (!bytes.is_empty()).then(|| PyBytes::new(py, bytes))
        });
        Ok((PyList::new(py, payloads.collect::<Vec<_>>())?, noted?.said(py)?))
    }
}

/// The build that these options ask for. `requests`: what happens to other keys of a request, if `settings` does not say
/// it.
fn build_of(
    py: Python<'_>,
    (caller, requests): (&str, Others),
    source: Written,
    target: Target,
    budget: Option<&Given>,
    (system, tools): (Option<&Bound<'_, PyAny>>, Option<&Bound<'_, PyAny>>),
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Build<PyHost>> {
    let mut given = keywords::Options::read(py, (caller, None), budget, options)?;
    if let Some(on_cut) = given.budget.on_cut(py) {
        return unexpected(py, caller, "on_cut", on_cut);
    }
    let records = RecordOptions { row: given.row(), rest: given.others };
    let written = given.written(requests)?;
    let target = match target {
        Target::Named(target) => Some(target),
        Target::Same => None,
    };
    let system = system.map(system_texts).transpose()?.unwrap_or_default();
    let system = system.iter().map(whole).collect::<PyResult<Vec<_>>>()?;
    let tools = tools.map(json_of).transpose()?;
    // Read without the interpreter, because threads that are not attached share the texts.
    let front = py.detach(|| Front::read(&system, tools.as_ref(), target)).map_err(raise)?;
    let (keep_open, prefill) = (given.keeps_open(), given.is_prefill());
    Ok(Build {
        source: source.with_results(given.tool_results).reading(target),
        target,
        front,
        budget: given.budget.of_rows(py),
        omitted: given.wording.omitted.as_ref().map(|text| Text::own(&text.to_str(None))),
        missing_result: given.wording.missing_result.as_ref().map(|text| Text::own(&text.to_str(None))),
        cut_words: given.wording.cut.clone(),
        opening: given.wording.opening.as_ref().map(|text| Text::own(&text.to_str(None))),
        bridge: given.wording.bridge.as_ref().map(|text| Text::own(&text.to_str(None))),
        options: written,
        records,
        summary: given.summary.map(|summary| summary.0),
        pinned: given.pinned.as_ref().map(pins_of_rows).transpose()?.unwrap_or_default(),
        keep_open,
        prefill,
        model: given.model,
    })
}

/// What the caller says about records.
fn records(end: Option<Word<End>>, rest: Option<Others>) -> RecordOptions {
    RecordOptions { row: end.map(|end| end.0 == End::Row), rest }
}

/// One row as an input. `None` for an empty one.
fn row(bytes: PyBackedBytes) -> Option<Input> {
    let whole = Input::new(bytes);
    let row = lines::row_in(whole.bytes())?;
    Some(whole.part(row.start, row.end))
}

impl Rows {
    /// Where the payloads of a row are.
    pub(crate) fn at(&self) -> &At {
        &self.job.at
    }

    /// A task for the payload at this path of each row. With `None`, the payload is searched for.
    fn of(mut task: Task<PyHost>, at: Option<&Bound<'_, PyString>>) -> PyResult<Self> {
        match &mut task {
            Task::Convert { options, .. } => options.names_left = true,
            Task::Build(build) => build.options.names_left = true,
            Task::Truncate(truncate) => truncate.options.names_left = true,
            Task::Check(_) => {}
        }
        let at = at.map(whole).transpose()?;
        let at = at.map_or(Ok(At::Found), |path| At::named(&path)).map_err(raise)?;
        Ok(Self { job: Job { task, at } })
    }
}

/// Tool definitions as JSON.
fn json_of(tools: &Bound<'_, PyAny>) -> PyResult<Input> {
    let listed = items(tools, "a list of tool definitions")?.collect::<PyResult<Vec<_>>>()?;
    let mut out = Vec::new();
    json::dump(PyList::new(tools.py(), listed)?.as_any(), &mut out).map_err(raise)?;
    Ok(Input::new(out))
}
