//! `_Rows`: what `turnwire.batch` and `turnwire.arrow` do with each row, for blocks of lines and lists of rows.

use std::error::Error as _;

use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyDict, PyList, PyMemoryView, PyString},
};
use turnwire_core::{
    batch::{At, Build, Job, Note, Place, Task, Truncate, lines, run},
    convert::Options,
    detect::Reading,
    rules::dialect_id::DialectId,
    stage::front::Front,
    text::{TRUNCATED_SUFFIX, budget::Split},
    value::handle::{Input, Text},
};

use crate::{
    arguments::{Bytes, Dialect, Word, Written, items},
    buffer::{Held, room, view_again},
    builder::Wanted,
    column::{self, Column, Made},
    convert::{Blobs, Reasoning, options, with_rest},
    error::raise,
    json,
    part::handle,
};

/// A task with its options, checked.
#[pyclass(frozen, module = "turnwire._core", name = "_Rows")]
pub(crate) struct Rows {
    job: Job,
}

/// A row that failed: its number, and the code, path, dialect and sentence of its error.
type Failure = (usize, &'static str, String, Option<String>, String);

/// What is said about rows: how many losses there are, and which rows failed.
type Said = (usize, Vec<Failure>);

/// A payload of a row: the path to it, its bytes, its dialect.
type Inside<'py> = (String, Bound<'py, PyBytes>, Option<String>);

#[pymethods]
impl Rows {
    /// `options` by name, as the function that `task` is named after takes them, and `at`.
    #[new]
    fn new(task: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let given = Given(options);
        let at = given.text("at")?;
        let at = at.map_or(Ok(At::Found), |path| At::named(&path)).map_err(raise)?;
        Ok(Self { job: Job { task: self::task(task, &given)?, at } })
    }

    /// What becomes of a block of whole lines, whose ends are known and whose first is line `first`: the bytes, how many rows
    /// there were, and what is said about them.
    fn block<'py>(
        &self,
        py: Python<'py>,
        block: Held,
        ends: &LineEnds,
        first: usize,
    ) -> PyResult<(Bound<'py, PyMemoryView>, usize, Said)> {
        let (bytes, rows, said) = py.detach(|| {
            let done = lines::lines(&Input::new(block), &ends.0, first, room(), &self.job);
            let mut said = said(done.notes, first);
            if let (Task::Check { .. }, Ok((losses, _))) = (&self.job.task, &mut said) {
                // A line for each finding.
                *losses = done.bytes.split(|byte| *byte == b'\n').count() - 1;
            }
            (done.bytes, done.rows, said)
        });
        Ok((view_again(py, bytes)?, rows, said?))
    }

    /// The payloads of a row: the path to each, its bytes, and its dialect where that can be told.
    fn places<'py>(&self, py: Python<'py>, row: PyBackedBytes) -> PyResult<Vec<Inside<'py>>> {
        let Some(row) = self::row(row) else { return Ok(Vec::new()) };
        let places = py.detach(|| self.job.places(&row)).map_err(raise)?;
        let inside = |(path, bytes, dialect): Place| {
            let bytes = PyBytes::new(py, row.bytes().get(bytes).unwrap_or_default());
            (path.to_string(), bytes, dialect.map(DialectId::name))
        };
        Ok(places.into_iter().map(inside).collect())
    }

    /// What becomes of each row of a column.
    fn column<'py>(&self, py: Python<'py>, column: Column, threads: usize) -> PyResult<Made<'py>> {
        column::made(py, &self.job, column, threads)
    }

    /// What becomes of each of a list of rows, of which the first has the number `first`; None for one that failed or says
    /// nothing.
    fn each<'py>(
        &self,
        py: Python<'py>,
        rows: Vec<PyBackedBytes>,
        first: usize,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyList>, Said)> {
        let (done, said) = py.detach(|| {
            let rows: Vec<_> = rows.into_iter().map(row).collect();
            let mut done = run(&rows, threads, &self.job);
            let said = said(std::mem::take(&mut done.notes), first);
            (done, said)
        });
        let mut start = 0;
        let payloads = done.ends.iter().map(|end| {
            let bytes = &done.bytes[std::mem::replace(&mut start, *end)..*end];
            (!bytes.is_empty()).then(|| PyBytes::new(py, bytes))
        });
        Ok((PyList::new(py, payloads.collect::<Vec<_>>())?, said?))
    }
}

/// Where the lines of a block end, found once: `len` counts them.
#[pyclass(frozen, module = "turnwire._core", name = "_LineEnds")]
pub(crate) struct LineEnds(Vec<usize>);

#[pymethods]
impl LineEnds {
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "a buffer is given back where it is dropped")]
    fn new(text: Held) -> Self {
        Self(lines::ends(text.as_ref()))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

/// A row by itself, unless nothing is in it.
fn row(bytes: PyBackedBytes) -> Option<Input> {
    let whole = Input::new(bytes);
    let row = lines::row_in(whole.bytes())?;
    Some(whole.part(row.start, row.end))
}

/// What is said about rows, in numbers and words. What Python raised in between goes on as it is.
fn said(notes: Vec<(usize, Note)>, first: usize) -> PyResult<Said> {
    let (mut losses, mut failures) = (0, Vec::new());
    for (at, note) in notes {
        if let Some(raised) = python_fault(&note) {
            return Err(raised);
        }
        match note {
            Note::Losses(some) => losses += some.len(),
            Note::Failed(error) => {
                let dialect = error.dialect().map(str::to_owned);
                let (code, path) = (error.code().name(), error.path().to_string());
                failures.push((first + at, code, path, dialect, error.text().to_owned()));
            }
        }
    }
    Ok((losses, failures))
}

/// What Python raised while a row was at work: a counter that fails is no fault of the row.
pub(crate) fn python_fault(note: &Note) -> Option<PyErr> {
    let Note::Failed(error) = note else { return None };
    let raised = error.source()?.downcast_ref::<PyErr>()?;
    Some(Python::attach(|py| raised.clone_ref(py)))
}

/// Options by name.
struct Given<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    fn get<T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(&self, name: &str) -> PyResult<T> {
        self.0.as_any().get_item(name)?.extract()
    }

    /// A text in UTF-8, if there is one; half a character is U+FFFD.
    fn text(&self, name: &str) -> PyResult<Option<String>> {
        let text: Option<Bound<'py, PyString>> = self.0.as_any().get_item(name)?.extract()?;
        text.map(|text| Ok(handle(&text)?.to_str(None).into_owned())).transpose()
    }

    fn rendering(&self) -> PyResult<Options> {
        let (reasoning, blobs) = (self.get::<Word<Reasoning>>("reasoning")?, self.get::<Word<Blobs>>("blobs")?);
        let options = options(self.get("strict")?, reasoning, blobs, self.get("assistant_role")?);
        Ok(with_rest(options, self.get("rest")?))
    }

    fn target(&self) -> PyResult<Option<DialectId>> {
        Ok(self.get::<Option<Dialect>>("target")?.map(|target| target.0))
    }

    fn source(&self, target: Option<DialectId>) -> PyResult<Reading> {
        let source = self.get::<Written>("source")?.with_results(self.get("tool_results")?);
        Ok(source.reading(target))
    }

    fn build(&self) -> PyResult<Build> {
        let target = self.target()?;
        let wanted = Wanted::new(self.0)?;
        let tools = self.0.as_any().get_item("tools")?;
        let tools = (!tools.is_none()).then(|| json_of(&tools)).transpose()?;
        let system: Vec<_> = wanted.prompts().map(|text| text.to_str(None).into_owned()).collect();
        Ok(Build {
            source: self.source(target)?,
            target,
            front: Front::read(&system, tools.as_ref(), target).map_err(raise)?,
            limit: wanted.budget().of_rows(self.0.py()),
            reserve: wanted.budget().reserve,
            opening: wanted.opening().map(|text| Text::own(&text.to_str(None))),
            options: self.rendering()?,
            summary: wanted.summary,
            pinned: wanted.pinned,
            keep_open: wanted.keep_open,
            thinking: wanted.thinking,
        })
    }
}

/// Tool definitions as JSON.
fn json_of(tools: &Bound<'_, PyAny>) -> PyResult<Input> {
    let listed = items(tools, "a list of tool definitions")?.collect::<PyResult<Vec<_>>>()?;
    let mut out = Vec::new();
    json::dump(PyList::new(tools.py(), listed)?.as_any(), &mut out).map_err(raise)?;
    Ok(Input::new(out))
}

fn task(name: &str, given: &Given<'_, '_>) -> PyResult<Task> {
    Ok(match name {
        "convert" => {
            let target = given.get::<Dialect>("target")?.0;
            Task::Convert { source: given.source(Some(target))?, target, options: given.rendering()? }
        }
        "check" => {
            let target = given.target()?;
            Task::Check { source: given.source(target)?, target, own: given.get("own")? }
        }
        "truncate" => Task::Truncate(Truncate {
            source: given.source(None)?,
            max_bytes: given.get::<Bytes>("max_bytes")?.0,
            suffix: given.text("suffix")?.unwrap_or_else(|| TRUNCATED_SUFFIX.to_owned()),
            split: given.get::<Word<Split>>("split")?.0,
            options: with_rest(Options::default(), given.get("rest")?),
        }),
        _ => Task::Build(Box::new(given.build()?)),
    })
}
