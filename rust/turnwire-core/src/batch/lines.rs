//! Rows of a block of bytes, each a line or another piece of it. The result of a row is a line.

use std::{ops::Range, sync::Arc};

use super::{Done, Lost, Note, Work, one_by_one};
use crate::{
    report::{Error, Path, error::Code, placed::Index},
    value::Input,
};

/// The results of a block.
#[derive(Debug, Default)]
pub struct LinesDone {
    /// One line or several for each row that did not fail.
    pub bytes: Vec<u8>,
    /// The number of lines in the block, empty ones included.
    pub lines: usize,
    /// The number of rows: lines that are not empty.
    pub rows: usize,
    /// Notes on rows, by their line in the block, from 0.
    pub notes: Vec<(usize, Note)>,
}

/// Where a row is in its document.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The number of the line at which it begins.
    pub line: usize,
    /// Its path in the document.
    pub path: Path,
    /// Where in its document its pieces are from, below its path, if the row was made from them.
    pub places: Option<Arc<Index>>,
    /// Where its payload is.
    pub rest: Rest,
    /// Whether its bytes have line ends. Its result has none.
    pub is_spread: bool,
    /// Why there is no row here.
    pub fault: Option<&'static str>,
}

impl Origin {
    /// The path in the document of a path in the row.
    #[must_use]
    pub fn place(&self, path: &Path) -> Path {
        let placed = self.places.as_ref().map(|places| places.place(path));
        let path = placed.as_ref().unwrap_or(path);
        if self.path.is_root() { path.clone() } else { self.path.clone().join(path) }
    }

    /// Whether paths in the document are those in the row.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.places.is_none() && self.path.is_root()
    }

    /// An error of the row with its path in the document.
    #[must_use]
    pub fn placed(&self, error: Error) -> Error {
        if self.is_whole() {
            return error;
        }
        let path = self.place(error.path());
        error.at_path(path)
    }
}

/// Which part of the way to a payload leads on from a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// All of it: the row is a line, or a whole document.
    #[default]
    All,
    /// The keys after the first ones, which lead to the list that the row is in.
    After(usize),
    /// None: the row is in the list at its end, and may be a known envelope.
    Found,
}

/// A row in a block.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its bytes.
    pub at: Range<usize>,
    /// Where it is.
    pub origin: Origin,
}

/// The work on each row.
pub trait LineWork: Sync {
    /// Appends the result of a row to `out`, with a line break at the end.
    fn line(&self, origin: &Origin, row: &Input, out: &mut Vec<u8>) -> Result<Lost, Error>;

    /// The rows in a row, if the way to its payloads goes through lists.
    fn inner(&self, row: &Input, origin: &Origin) -> Option<Vec<Record>>;
}

/// The ends of the lines in a text: its line breaks. Text after the last line break is a line too.
#[must_use]
pub fn ends(text: &[u8]) -> Vec<usize> {
    memchr::memchr_iter(b'\n', text).collect()
}

/// The row in a line, without the JSON white space around it. `None` for an empty line.
#[must_use]
pub fn row_in(line: &[u8]) -> Option<Range<usize>> {
    let is_said = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let start = line.iter().position(is_said)?;
    let end = line.iter().rposition(is_said)? + 1;
    // A line with only a form feed counts as empty, although JSON does not count that as white space.
    (!line[start..end].trim_ascii().is_empty()).then_some(start..end)
}

/// Works on each line of a block. `ends` are its [`ends`], `first` is the number of its first line. White space around
/// a row does not count, so any kind of line break works. `room` is an empty buffer whose memory is reused.
pub fn lines<W: LineWork>(block: &Input, ends: &[usize], first: usize, room: Vec<u8>, work: &W) -> LinesDone {
    let (rows, lines) = Rows::of_lines(block, ends, first, work);
    LinesDone { lines, ..rows.done(first, room, work) }
}

/// [`lines`] for rows that were found before. The notes have the numbers of lines.
pub fn records<W: LineWork>(block: &Input, given: &[Record], room: Vec<u8>, work: &W) -> LinesDone {
    Rows::of_records(block, given, work).done(0, room, work)
}

/// Rows, and where each is.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<Option<Input>>,
    origins: Vec<Origin>,
}

impl Rows {
    /// The rows in lines, and the number of lines. See [`lines`].
    pub fn of_lines<W: LineWork>(block: &Input, ends: &[usize], first: usize, work: &W) -> (Self, usize) {
        let mut rows = Self::default();
        let bytes = block.bytes();
        let (mut start, mut lines) = (0, 0);
        let whole = ends.last().map_or(0, |end| end + 1);
        let last = (whole < bytes.len()).then_some(bytes.len());
        for end in ends.iter().copied().chain(last) {
            let Some(line) = bytes.get(start..end) else { break };
            if let Some(row) = row_in(line) {
                let row = block.part(start + row.start, start + row.end);
                rows.add(row, Origin { line: first + lines, ..Origin::default() }, work);
            }
            lines += 1;
            start = end + 1;
        }
        (rows, lines)
    }

    /// The rows in rows that were found before.
    pub fn of_records<W: LineWork>(block: &Input, given: &[Record], work: &W) -> Self {
        let mut rows = Self::default();
        for Record { at, origin } in given {
            rows.add(block.part(at.start, at.end), origin.clone(), work);
        }
        rows
    }

    /// Each row with its place.
    pub fn each(self) -> impl Iterator<Item = (Input, Origin)> {
        self.rows.into_iter().flatten().zip(self.origins)
    }

    fn add<W: LineWork>(&mut self, row: Input, origin: Origin, work: &W) {
        let inner = if origin.fault.is_some() { None } else { work.inner(&row, &origin) };
        let Some(inner) = inner else {
            self.rows.push(Some(row));
            self.origins.push(origin);
            return;
        };
        for Record { at, origin } in inner {
            self.rows.push(Some(row.part(at.start, at.end)));
            self.origins.push(origin);
        }
    }

    fn done<W: LineWork>(&self, first: usize, room: Vec<u8>, work: &W) -> LinesDone {
        let placed = Placed { origins: &self.origins, work };
        let Done { bytes, notes, .. } = one_by_one(&self.rows, 0..self.rows.len(), &placed, room);
        let note = |(at, note): (usize, Note)| Some((self.origins.get(at)?.line - first, note));
        LinesDone { bytes, lines: 0, rows: self.rows.len(), notes: notes.into_iter().filter_map(note).collect() }
    }
}

struct Placed<'a, W> {
    origins: &'a [Origin],
    work: &'a W,
}

impl<W: LineWork> Work for Placed<'_, W> {
    fn row(&self, at: usize, row: &Input, out: &mut Vec<u8>) -> Result<Lost, Error> {
        let Some(origin) = self.origins.get(at) else { return Ok(Lost::default()) };
        match origin.fault {
            Some(text) => Err(Error::new(Code::InvalidJson, text).at_path(origin.path.clone())),
            None => self.work.line(origin, row, out),
        }
    }
}
