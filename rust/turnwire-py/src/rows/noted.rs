//! The notes on rows, as numbers and words for Python.

use std::error::Error as _;

use pyo3::{prelude::*, types::PyDict};
use turnwire_core::{batch::Note, report::Loss};

/// A row that failed: its number, and the code, path, dialect and sentence of its error.
type Failure = (usize, &'static str, String, Option<String>, String);

/// The losses of a row: its line, and the path, code, reason and kind of each.
type Lost = (usize, Vec<(String, &'static str, String, &'static str)>);

/// The notes on rows: how many losses there are of each code, the rows that failed, each loss if it was
/// asked for, and in how many bodies each key was left to the caller.
pub(super) type Said<'py> = (Bound<'py, PyDict>, Vec<Failure>, Vec<Lost>, Bound<'py, PyDict>);

/// The notes on rows as numbers and words.
#[derive(Default)]
pub(super) struct Noted {
    pub(super) codes: Vec<(String, usize)>,
    left: Vec<(String, usize)>,
    failures: Vec<Failure>,
    losses: Vec<Lost>,
}

impl Noted {
    pub(super) fn said(self, py: Python<'_>) -> PyResult<Said<'_>> {
        let counts = |all: Vec<(String, usize)>| {
            let counts = PyDict::new(py);
            all.into_iter().try_for_each(|(name, count)| counts.set_item(name, count)).map(|()| counts)
        };
        Ok((counts(self.codes)?, self.failures, self.losses, counts(self.left)?))
    }
}

/// The notes on rows as numbers and words. An exception of Python's own among them is raised unchanged.
pub(super) fn noted(notes: Vec<(usize, Note)>, first: usize, tell: bool) -> PyResult<Noted> {
    let mut all = Noted::default();
    for (at, note) in notes {
        if let Some(raised) = python_fault(&note) {
            return Err(raised);
        }
        match note {
            Note::Losses(some) => {
                // A record counts once, whether it has two bodies or a key twice.
                let again = |at: usize, key: &_| some.left.iter().take(at).any(|before| before == key);
                let keys = some.left.iter().enumerate().filter(|(at, key)| !again(*at, key));
                keys.for_each(|(_, key)| count(&mut all.left, key));
                some.losses.iter().for_each(|loss| count(&mut all.codes, loss.code.name()));
                if tell && !some.losses.is_empty() {
                    let told = |loss: Loss| {
                        (loss.path.to_string(), loss.code.name(), loss.reason.into_owned(), loss.kind.name())
                    };
                    all.losses.push((first + at, some.losses.into_iter().map(told).collect()));
                }
            }
            Note::Failed(error) => {
                let dialect = error.dialect().map(str::to_owned);
                let (code, path) = (error.code().name(), error.path().to_string());
                all.failures.push((first + at, code, path, dialect, error.text().to_owned()));
            }
        }
    }
    Ok(all)
}

/// Counts a code. There are few of them.
fn count(codes: &mut Vec<(String, usize)>, code: &str) {
    match codes.iter_mut().find(|(known, _)| known == code) {
        Some((_, times)) => *times += 1,
        None => codes.push((code.to_owned(), 1)),
    }
}

/// How many findings there are of each code. Each has its own line, in which the code comes first after the number.
pub(super) fn codes_of_findings(lines: &[u8]) -> Vec<(String, usize)> {
    let mut codes = Vec::new();
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let code = line.split(|byte| *byte == b'"').nth(5).unwrap_or_default();
        count(&mut codes, &String::from_utf8_lossy(code));
    }
    codes
}

/// An exception that Python raised during the work on a row. A counter that fails is not the row's fault.
pub(crate) fn python_fault(note: &Note) -> Option<PyErr> {
    let Note::Failed(error) = note else { return None };
    let raised = error.source()?.downcast_ref::<PyErr>()?;
    Some(Python::attach(|py| raised.clone_ref(py)))
}
