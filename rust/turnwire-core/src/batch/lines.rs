//! JSON Lines: each line of a block is a row, and its result is a line again.

use std::ops::Range;

use super::{Done, Note, Work, one_by_one};
use crate::{
    report::{error::Error, loss::Loss},
    value::handle::Input,
};

/// The results of a block of lines.
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

/// The work on each line.
pub trait LineWork: Sync {
    /// Appends the result of line `number` to `out`, with a line break at the end.
    fn line(&self, number: usize, line: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error>;
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
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    let bytes = block.bytes();
    let (mut start, mut lines) = (0, 0);
    let whole = ends.last().map_or(0, |end| end + 1);
    let last = (whole < bytes.len()).then_some(bytes.len());
    for end in ends.iter().copied().chain(last) {
        let Some(line) = bytes.get(start..end) else { break };
        if let Some(row) = row_in(line) {
            rows.push(Some(block.part(start + row.start, start + row.end)));
            numbers.push(lines);
        }
        lines += 1;
        start = end + 1;
    }
    let numbered = Numbered { numbers: &numbers, first, work };
    let Done { bytes, notes, .. } = one_by_one(&rows, 0..rows.len(), &numbered, room);
    let notes = notes.into_iter().filter_map(|(at, note)| Some((*numbers.get(at)?, note))).collect();
    LinesDone { bytes, lines, rows: rows.len(), notes }
}

struct Numbered<'a, W> {
    numbers: &'a [usize],
    first: usize,
    work: &'a W,
}

impl<W: LineWork> Work for Numbered<'_, W> {
    fn row(&self, at: usize, row: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error> {
        let number = self.first + self.numbers.get(at).copied().unwrap_or_default();
        self.work.line(number, row, out)
    }
}
