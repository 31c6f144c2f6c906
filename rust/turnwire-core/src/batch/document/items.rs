//! The records of a document that are the items of a list, while the document is read.

use std::sync::Arc;

use crate::{
    batch::{
        lines::{Origin, Record, Rest},
        place::At,
        scanner::{Found, Piece, Scanner},
    },
    report::{Path, Step},
};

/// Reads the records of a document whose records are the items of a list.
#[derive(Debug)]
pub struct Items {
    scanner: Scanner,
    keys: Vec<Arc<str>>,
    /// Whether the caller has named the keys.
    is_named: bool,
    /// The number of the line at `counted`.
    line: usize,
    counted: usize,
    records: Vec<Record>,
}

impl Items {
    /// Reads from the beginning of a document whose list is under these keys.
    #[must_use]
    pub fn new(keys: Vec<Arc<str>>, at: &At) -> Self {
        let is_named = matches!(at, At::Keys(_));
        Self { scanner: Scanner::new(keys.clone()), keys, is_named, line: 1, counted: 0, records: Vec::new() }
    }

    /// Reads on in a buffer, which begins with what was kept of it. Returns how many of its bytes are not needed again,
    /// once the records up to there are done.
    pub fn read(&mut self, buffer: &[u8], is_end: bool) -> usize {
        self.scanner.read(buffer, usize::MAX);
        if is_end {
            self.scanner.finish(buffer);
        }
        for found in std::mem::take(&mut self.scanner.pieces) {
            let record = self.record(found, buffer);
            self.records.push(record);
        }
        let kept_from = if is_end { buffer.len() } else { self.scanner.kept_from() };
        self.count(buffer, kept_from);
        kept_from
    }

    /// Takes the records so far. The first bytes of the buffer, as many as `read` returned, are gone afterwards.
    pub fn take(&mut self, gone: usize) -> Vec<Record> {
        self.scanner.forget(gone);
        self.counted -= gone;
        std::mem::take(&mut self.records)
    }

    /// The keys around the list.
    #[must_use]
    pub fn around(&self) -> &[String] {
        self.scanner.around()
    }

    /// The number of the line that is read.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    fn count(&mut self, buffer: &[u8], to: usize) {
        self.line += memchr::memchr_iter(b'\n', buffer.get(self.counted..to).unwrap_or_default()).count();
        self.counted = to;
    }

    fn record(&mut self, Found { piece, matched, start, end }: Found, buffer: &[u8]) -> Record {
        self.count(buffer, start);
        let (index, fault) = match piece {
            Piece::Item(index) => (Some(index), None),
            Piece::Missing(index) => {
                (Some(index), Some("expected a value, got nothing before the comma or the end of the list"))
            }
            Piece::Whole => (None, None),
            Piece::CutOff => (None, Some("expected the end of the list or object, got the end of the document")),
        };
        let steps = self.keys.iter().take(matched).cloned().map(Step::Name);
        let path = index.map_or_else(Path::default, |index| Path::of(steps.chain([Step::Index(index)])));
        let rest = match index {
            Some(_) if self.is_named && matched < self.keys.len() => Rest::After(matched),
            Some(_) => Rest::Found,
            None => Rest::All,
        };
        let is_spread = memchr::memchr2(b'\n', b'\r', buffer.get(start..end).unwrap_or_default()).is_some();
        Record { at: start..end, origin: Origin { line: self.line, path, rest, is_spread, fault, places: None } }
    }
}
