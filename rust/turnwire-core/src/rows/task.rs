//! What is done with one row: the ordinary code on its payload, and its envelope replayed around it byte for byte.

use super::{At, Work, lines::LineWork};
use crate::{
    convert::{self, Options},
    detect::Reading,
    dialect::DialectId,
    error::Error,
    handle::{Input, NoHost},
    json::{read, tape::TapeSource, write::JsonSink},
    loss::Loss,
};

/// What is done with a payload.
#[derive(Debug)]
pub enum Task {
    /// Converts it.
    Convert {
        /// What it is written in.
        source: Reading,
        /// What to write.
        target: DialectId,
        /// How.
        options: Options,
    },
}

/// A task, and where in a row its payload stands.
#[derive(Debug)]
pub struct Job {
    /// What is done.
    pub task: Task,
    /// With what.
    pub at: At,
}

impl Task {
    /// What a payload is said to be written in.
    fn source(&self) -> Reading {
        match self {
            Self::Convert { source, .. } => *source,
        }
    }

    fn payload(&self, payload: &TapeSource<'_, NoHost>, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error> {
        match self {
            Self::Convert { source, target, options } => {
                let write = |out: &mut JsonSink| convert::convert(payload, *source, *target, options, out);
                written(out, write).map(|rendering| rendering.losses)
            }
        }
    }
}

impl Work for Job {
    fn row(&self, _: usize, row: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error> {
        let tape = read::tape(row).map_err(|error| match self.task.source() {
            Reading::As(dialect) | Reading::WithResults(dialect) => error.in_dialect(&dialect.name()),
            Reading::Auto(_) => error,
        })?;
        let root = tape.root::<NoHost>();
        let mut losses = Vec::new();
        // What is around a row that is its own payload is white space, and no part of it.
        let (mut done, mut end) = (root.start(), root.end());
        for (path, payload) in self.at.payloads(&root)? {
            let (start, stop) = (payload.start(), payload.end());
            out.extend_from_slice(row.bytes().get(done..start).unwrap_or_default());
            let said = self.task.payload(&payload, out).map_err(|error| {
                let path = path.clone().join(error.path());
                error.at_path(path)
            })?;
            losses.extend(said.into_iter().map(|loss| Loss { path: path.clone().join(&loss.path), ..loss }));
            (done, end) = (stop, end.max(stop));
        }
        out.extend_from_slice(row.bytes().get(done..end).unwrap_or_default());
        Ok(losses)
    }
}

impl LineWork for Job {
    fn line(&self, at: usize, line: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error> {
        let losses = self.row(at, line, out)?;
        out.push(b'\n');
        Ok(losses)
    }
}

/// Writes JSON behind what `out` holds.
fn written<T>(out: &mut Vec<u8>, write: impl FnOnce(&mut JsonSink) -> Result<T, Error>) -> Result<T, Error> {
    let mut sink = JsonSink::new(std::mem::take(out));
    let done = write(&mut sink);
    *out = sink.into_bytes();
    done
}
