//! `_Records` and `_Items`: the rows in a block of a document, and the reader of a document that is a list of rows.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use turnwire_core::{
    batch::{
        document,
        lines::{self, Origin, Record},
    },
    report::{
        Path, Step,
        placed::{Index, Placed},
    },
};

use crate::{buffer::Held, rows::Rows};

/// Where the rows in a block are. `len` is the number of line ends, or of rows.
#[pyclass(frozen, module = "turnwire._core", name = "_Records")]
pub(crate) struct Records(pub(crate) Given);

/// A path as Python has it: keys and indices.
type Steps = Vec<GivenStep>;

/// The path of a record, and for each piece of the row that was made from it: its path there, its path below the
/// record, and whether it is the record's own value.
type Origins = (Steps, Vec<(Steps, Steps, bool)>);

/// A key or an index.
#[derive(FromPyObject)]
enum GivenStep {
    Index(usize),
    Key(String),
}

fn steps(given: Steps) -> Vec<Step> {
    let step = |one| match one {
        GivenStep::Index(index) => Step::Index(index),
        GivenStep::Key(key) => Step::Name(key.into()),
    };
    given.into_iter().map(step).collect()
}

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

    /// Where a row is that was split off.
    pub(crate) fn origin(&self) -> Option<&Origin> {
        match &self.0 {
            Given::Pieces(pieces) => pieces.first().map(|one| &one.origin),
            Given::Lines(_) => None,
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

    /// Rows of these sizes, each with the number of its line, and a byte between two of them. One that was made from a
    /// record has its path in the document, and the places of its pieces below that.
    #[staticmethod]
    fn of(given: Vec<(usize, usize, Option<Origins>)>) -> Self {
        let mut start = 0;
        let piece = |(size, line, made): (usize, usize, Option<Origins>)| {
            let at = start..start + size;
            start += size + 1;
            let mut origin = Origin { line, is_spread: true, ..Origin::default() };
            if let Some((path, places)) = made {
                let placed =
                    |(made, record, is_same)| Placed { made: steps(made), record: Path::of(steps(record)), is_same };
                origin.path = Path::of(steps(path));
                origin.places = Some(Arc::new(Index::of(places.into_iter().map(placed).collect())));
            }
            Record { at, origin }
        };
        Self(Given::Pieces(given.into_iter().map(piece).collect()))
    }

    /// Whether rows were made from records: what they say is elsewhere in the document.
    #[getter]
    fn are_made(&self) -> bool {
        matches!(&self.0, Given::Pieces(pieces) if pieces.iter().any(|one| one.origin.places.is_some()))
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
