//! Rows: many payloads in one call, each read and written by the ordinary code, on several threads.
//!
//! The results are appended to one growing buffer, in the order of the rows. Notes on rows (losses or errors) are a
//! sparse list, because most rows have none. A row that fails writes nothing and does not stop the others. Files of
//! lines ([`lines`]) and columns of a table use the same function.

mod build;
mod check;
pub mod document;
mod laid_out;
pub mod lines;
mod place;
mod prompt_row;
mod record;
pub mod scanner;
mod task;
mod truncate;

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, Builder},
};

pub use self::{
    build::{Budget, Build, Counter, Limit},
    check::Check,
    place::At,
    record::RecordOptions,
    task::{Job, Place, Task},
    truncate::Truncate,
};
use crate::{
    report::{Change, Error},
    value::Input,
};

/// The work on each row.
pub trait Work: Sync {
    /// Appends the result of a row to `out`. What a failing row has written is removed.
    fn row(&self, at: usize, row: &Input, out: &mut Vec<u8>) -> Result<Lost, Error>;
}

/// What is not in the result of a row.
#[derive(Debug, Default)]
pub struct Lost {
    /// Its losses.
    pub losses: Vec<Change>,
    /// The keys of its bodies that were left to the caller.
    pub left: Vec<Arc<str>>,
}

impl Lost {
    /// Whether everything is in the result.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.losses.is_empty() && self.left.is_empty()
    }
}

/// A note on a row.
#[derive(Debug)]
pub enum Note {
    /// Its losses and the keys that were left out; never empty.
    Losses(Lost),
    /// Its error: there is no result.
    Failed(Error),
}

/// The results of rows.
#[derive(Debug, Default)]
pub struct Done {
    /// The bytes of all results.
    pub bytes: Vec<u8>,
    /// The end of each row's bytes.
    pub ends: Vec<usize>,
    /// The notes, in the order of the rows.
    pub notes: Vec<(usize, Note)>,
}

/// How many bytes of rows make one piece of work. A piece is worth a thread's time and still balances the threads, and
/// its results are in the core's cache when they are copied.
const PIECE: usize = 1 << 19;

/// Works on each row; `None` is a missing row, and stays one.
pub fn run<W: Work + ?Sized>(rows: &[Option<Input>], threads: usize, work: &W) -> Done {
    let pieces = pieces(rows);
    let threads = threads.min(pieces.len());
    if pieces.len() < 2 {
        return one_by_one(rows, 0..rows.len(), work, Vec::new());
    }
    let mut all = Done::in_room(Vec::new(), rows);
    if threads <= 1 {
        let mut room = Vec::new();
        for piece in pieces {
            room = all.add(one_by_one(rows, piece, work, room));
        }
        return all;
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut mine = Vec::new();
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            mine.push((piece.start, one_by_one(rows, piece.clone(), work, Vec::new())));
        }
        mine
    };
    let mut parts = thread::scope(|scope| {
        // If the system has no more threads, fewer do the work.
        let others = (1..threads).map_while(|_| Builder::new().spawn_scoped(scope, worker).ok());
        let others: Vec<_> = others.collect();
        let mut parts = worker();
        for other in others {
            parts.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        parts
    });
    parts.sort_unstable_by_key(|(start, _)| *start);
    for (_, part) in parts {
        all.add(part);
    }
    all
}

impl Done {
    /// Empty results. Reserves the size of the rows, because most rows keep about their size. Memory that is not
    /// written costs nothing, but a buffer that grows is copied.
    fn in_room(mut room: Vec<u8>, rows: &[Option<Input>]) -> Self {
        let size: usize = rows.iter().flatten().map(|row| row.bytes().len()).sum();
        room.reserve(size + size / 16);
        Self { bytes: room, ends: Vec::with_capacity(rows.len()), notes: Vec::new() }
    }

    /// Appends the results of the next rows. Returns their buffer, so that others can reuse it.
    fn add(&mut self, part: Self) -> Vec<u8> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&part.bytes);
        self.ends.extend(part.ends.into_iter().map(|end| start + end));
        self.notes.extend(part.notes);
        let mut room = part.bytes;
        room.clear();
        room
    }
}

/// `room` is an empty buffer whose memory is reused.
fn one_by_one<W: Work + ?Sized>(rows: &[Option<Input>], piece: Range<usize>, work: &W, room: Vec<u8>) -> Done {
    let mut done = Done::in_room(room, &rows[piece.clone()]);
    for at in piece {
        if let Some(row) = rows.get(at).and_then(Option::as_ref) {
            let start = done.bytes.len();
            match work.row(at, row, &mut done.bytes) {
                Ok(lost) if lost.is_empty() => {}
                Ok(lost) => done.notes.push((at, Note::Losses(lost))),
                Err(error) => {
                    done.bytes.truncate(start);
                    done.notes.push((at, Note::Failed(error)));
                }
            }
        }
        done.ends.push(done.bytes.len());
    }
    done
}

/// Splits the rows into pieces of neighbours.
fn pieces(rows: &[Option<Input>]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (at, row) in rows.iter().enumerate() {
        size += row.as_ref().map_or(0, |row| row.bytes().len());
        if size >= PIECE {
            pieces.push(start..at + 1);
            (start, size) = (at + 1, 0);
        }
    }
    if start < rows.len() {
        pieces.push(start..rows.len());
    }
    pieces
}
