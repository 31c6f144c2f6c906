//! `_Rows`: what `turnwire.batch` and `turnwire.arrow` do with each row, for blocks of lines and lists of rows.

use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyDict, PyList, PyMemoryView},
};
use turnwire_core::{
    handle::Input,
    rows::{At, Job, Note, Task, lines, run},
};

use crate::{
    arguments::{Dialect, Word, Written},
    buffer::view,
    convert::{Blobs, Reasoning, options},
    error::raise,
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

#[pymethods]
impl Rows {
    /// `options` by name, as the function that `task` is named after takes them, and `at`.
    #[new]
    fn new(task: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let given = Given(options);
        let at = given.get::<Option<String>>("at")?;
        let at = at.map_or(Ok(At::Found), |path| At::named(&path)).map_err(raise)?;
        Ok(Self { job: Job { task: self::task(task, &given)?, at } })
    }

    /// What becomes of a block of whole lines, which begins with line `first`: the bytes, how many rows there were, and what
    /// is said about them.
    fn block<'py>(
        &self,
        py: Python<'py>,
        block: PyBackedBytes,
        first: usize,
    ) -> PyResult<(Bound<'py, PyMemoryView>, usize, Said)> {
        let (bytes, rows, said) = py.detach(|| {
            let done = lines::lines(&Input::new(block), first, 1, &self.job);
            (done.bytes, done.rows, said(done.notes, first))
        });
        Ok((view(py, bytes)?, rows, said))
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
        Ok((PyList::new(py, payloads.collect::<Vec<_>>())?, said))
    }
}

/// A row by itself, unless nothing is in it.
fn row(bytes: PyBackedBytes) -> Option<Input> {
    let whole = Input::new(bytes);
    let all = whole.bytes();
    let row = all.trim_ascii();
    let start = all.len() - all.trim_ascii_start().len();
    (!row.is_empty()).then(|| whole.part(start, start + row.len()))
}

fn said(notes: Vec<(usize, Note)>, first: usize) -> Said {
    let (mut losses, mut failures) = (0, Vec::new());
    for (at, note) in notes {
        match note {
            Note::Losses(some) => losses += some.len(),
            Note::Failed(error) => {
                let dialect = error.dialect().map(str::to_owned);
                let (code, path) = (error.code().name(), error.path().to_string());
                failures.push((first + at, code, path, dialect, error.text().to_owned()));
            }
        }
    }
    (losses, failures)
}

/// Options by name.
struct Given<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    fn get<T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(&self, name: &str) -> PyResult<T> {
        self.0.as_any().get_item(name)?.extract()
    }
}

fn task(name: &str, given: &Given<'_, '_>) -> PyResult<Task> {
    let target = || Ok::<_, PyErr>(given.get::<Dialect>("target")?.0);
    let rendering = || {
        let (reasoning, blobs) = (given.get::<Word<Reasoning>>("reasoning")?, given.get::<Word<Blobs>>("blobs")?);
        Ok::<_, PyErr>(options(given.get("strict")?, reasoning, blobs, given.get("assistant_role")?))
    };
    let _ = name;
    let target = target()?;
    let source = given.get::<Written>("source")?.with_results(given.get("tool_results")?).reading(Some(target));
    Ok(Task::Convert { source, target, options: rendering()? })
}
