//! `_Records` and `_Items`: the rows in a block of a document, and the reader of a document that is a list of rows.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use turnwire_core::batch::{
    document,
    lines::{self, Origin, Record, Rest},
};

use crate::{buffer::Held, rows::Rows};

/// Where the rows in a block are. `len` is the number of line ends, or of rows.
#[pyclass(frozen, module = "turnwire._core", name = "_Records")]
pub(crate) struct Records(pub(crate) Given);

/// What is known about the rows in a block.
pub(crate) enum Given {
    /// Each line is a row: the ends of the lines.
    Lines(Vec<usize>),
    /// The rows themselves.
    Pieces(Vec<Record>),
}

impl Records {
    /// A row that is all of its bytes.
    pub(crate) fn one(len: usize, origin: Origin) -> Self {
        Self(Given::Pieces(vec![Record { at: 0..len, origin }]))
    }

    /// The rest of the way to the payloads, from a row that was split off.
    pub(crate) fn rest(&self) -> Rest {
        match &self.0 {
            Given::Pieces(pieces) => pieces.first().map_or(Rest::All, |one| one.origin.rest),
            Given::Lines(_) => Rest::All,
        }
    }
}

#[pymethods]
impl Records {
    /// A row in each line of a text.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "a buffer is given back where it is dropped")]
    fn lines(text: Held) -> Self {
        Self(Given::Lines(lines::ends(text.as_ref())))
    }

    /// Rows of these sizes, each with the number of its line, and a byte between two of them.
    #[staticmethod]
    fn of(given: Vec<(usize, usize)>) -> Self {
        let mut start = 0;
        let piece = |(size, line)| {
            let at = start..start + size;
            start += size + 1;
            Record { at, origin: Origin { line, is_spread: true, ..Origin::default() } }
        };
        Self(Given::Pieces(given.into_iter().map(piece).collect()))
    }

    fn __len__(&self) -> usize {
        match &self.0 {
            Given::Lines(ends) => ends.len(),
            Given::Pieces(pieces) => pieces.len(),
        }
    }
}

/// Reads a document whose rows are the items of the list under these keys.
#[pyclass(frozen, module = "turnwire._core", name = "_Items")]
pub(crate) struct Items(Mutex<document::Items>);

#[pymethods]
impl Items {
    #[new]
    #[expect(clippy::needless_pass_by_value, reason = "Python gives a list")]
    fn new(rows: &Rows, keys: Vec<String>) -> Self {
        let keys = keys.iter().map(|key| key.as_str().into()).collect();
        Self(Mutex::new(document::Items::new(keys, rows.at())))
    }

    /// Reads on in a buffer. Returns how many of its bytes are not needed after the rows up to there.
    #[expect(clippy::needless_pass_by_value, reason = "a buffer is given back where it is dropped")]
    fn read(&self, py: Python<'_>, buffer: Held, is_end: bool) -> usize {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).read(buffer.as_ref(), is_end))
    }

    /// The keys around the list, which belong to no row.
    fn around(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).around().to_vec()
    }

    /// Takes the rows so far, and the number of the line after them. The first bytes of the buffer are gone afterwards.
    fn take(&self, gone: usize) -> (Records, usize) {
        let mut items = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (Records(Given::Pieces(items.take(gone))), items.line())
    }
}
