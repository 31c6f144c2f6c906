//! The notes on rows, as numbers and words for Python.

use std::error::Error as _;

use pyo3::{prelude::*, types::PyDict};
use turnwire_core::{batch::Note, report::change::Change as Core};

use crate::change::Change;

/// A row that failed: its number, and the code, path, dialect and sentence of its error.
type Failure = (usize, &'static str, String, Option<String>, String);

/// The changes of a row: its line, and each.
type Told = (usize, Vec<Change>);

/// How often a change of a kind and code was made: times, rows, the bytes that it freed, and the first place.
#[derive(Default)]
struct Count {
    times: usize,
    rows: usize,
    freed: usize,
    first: String,
}

/// The notes on rows: how often there are changes of each kind and code, the rows that failed, each change if it was
/// asked for, and in how many bodies each key was left to the caller.
pub(super) type Said<'py> = (Bound<'py, PyDict>, Vec<Failure>, Vec<Told>, Bound<'py, PyDict>);

/// The notes on rows as numbers and words.
#[derive(Default)]
pub(super) struct Noted {
    /// By kind and code, in the order in which they came.
    counts: Vec<((&'static str, &'static str), Count)>,
    left: Vec<(String, usize)>,
    failures: Vec<Failure>,
    told: Vec<Told>,
}

impl Noted {
    pub(super) fn said(self, py: Python<'_>) -> PyResult<Said<'_>> {
        let (counts, left) = (PyDict::new(py), PyDict::new(py));
        for ((kind, code), count) in self.counts {
            counts.set_item(format!("{kind} {code}"), (count.times, count.rows, count.freed, count.first))?;
        }
        self.left.into_iter().try_for_each(|(name, count)| left.set_item(name, count))?;
        Ok((counts, self.failures, self.told, left))
    }

    /// Counts the changes of a row.
    fn count(&mut self, line: usize, changes: &[Core]) {
        for (at, change) in changes.iter().enumerate() {
            let key = (change.kind.name(), change.code.name());
            let same = |one: &Core| (one.kind, one.code) == (change.kind, change.code);
            let place = self.counts.iter().position(|(known, _)| *known == key);
            let place = place.unwrap_or_else(|| {
                let first = format!("{line}:{}", change.path);
                self.counts.push((key, Count { first, ..Count::default() }));
                self.counts.len() - 1
            });
            let Some((_, count)) = self.counts.get_mut(place) else { continue };
            count.times += 1;
            count.rows += usize::from(!changes.iter().take(at).any(same));
            count.freed += change.before().saturating_sub(change.after());
        }
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
                all.count(first + at, &some.losses);
                if tell && !some.losses.is_empty() {
                    all.told.push((first + at, some.losses.into_iter().map(Change).collect()));
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

/// Counts a name. There are few of them.
fn count(names: &mut Vec<(String, usize)>, name: &str) {
    match names.iter_mut().find(|(known, _)| known == name) {
        Some((_, times)) => *times += 1,
        None => names.push((name.to_owned(), 1)),
    }
}

/// An exception that Python raised during the work on a row. A counter that fails is not the row's fault.
pub(crate) fn python_fault(note: &Note) -> Option<PyErr> {
    let Note::Failed(error) = note else { return None };
    let raised = error.source()?.downcast_ref::<PyErr>()?;
    Some(Python::attach(|py| raised.clone_ref(py)))
}
