//! JSON Lines: a block of whole lines is rows, and what becomes of each is a line again.

use std::ops::Range;

use super::{Done, Note, Work, one_by_one};
use crate::{
    report::{error::Error, loss::Loss},
    value::handle::Input,
};

/// What has become of a block of lines.
#[derive(Debug, Default)]
pub struct LinesDone {
    /// A line for each row that did not fail, or several.
    pub bytes: Vec<u8>,
    /// The lines of the block, those without a row included.
    pub lines: usize,
    /// The rows: lines that say something.
    pub rows: usize,
    /// What is said about a row, by its line in the block, from 0.
    pub notes: Vec<(usize, Note)>,
}

/// What is to be done with each line, which is told apart by its number.
pub trait LineWork: Sync {
    /// Writes what becomes of a line behind what `out` holds, with a line break at the end of all.
    fn line(&self, number: usize, line: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error>;
}

/// Where lines end in a text: where their line breaks are. What is behind the last one, if anything, is a line, too.
#[must_use]
pub fn ends(text: &[u8]) -> Vec<usize> {
    memchr::memchr_iter(b'\n', text).collect()
}

/// Where in a line its row is: all but the white space of JSON around it. `None` where the line says nothing.
#[must_use]
pub fn row_in(line: &[u8]) -> Option<Range<usize>> {
    let is_said = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let start = line.iter().position(is_said)?;
    let end = line.iter().rposition(is_said)? + 1;
    // A page that ends there says nothing either, but in a row it is no white space.
    (!line[start..end].trim_ascii().is_empty()).then_some(start..end)
}

/// Does the work of each line of a block, of which [`ends`] are known, and which begins with line `first`. White space around
/// a row is no part of it, so a line may end as the system's habit is. `room` is an empty buffer, whose memory is used again.
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
