//! The work on one row: the ordinary code on its payload, with the envelope around it kept byte for byte.

use std::ops::Range;

use super::{
    At, Work,
    build::{Build, findings, write_finding},
    lines::LineWork,
    truncate::Truncate,
};
use crate::{
    convert,
    detect::{Reading, detect},
    report::{
        error::Error,
        loss::{Loss, Options},
        path::Path,
    },
    rules::dialect_id::DialectId,
    stage::check::Finding,
    value::{
        handle::{Input, NoHost},
        json::{
            read,
            tape::{Tape, TapeSource},
            write::JsonSink,
        },
    },
};

/// The work on a payload.
#[derive(Debug)]
pub enum Task {
    /// Convert it.
    Convert {
        /// The dialect of the payload.
        source: Reading,
        /// The target.
        target: DialectId,
        /// The options.
        options: Options,
    },
    /// Build it.
    Build(Box<Build>),
    /// Cut its tool results.
    Truncate(Truncate),
    /// Reports findings and changes nothing: a list, or in a file of lines one a line.
    Check {
        /// The dialect of the payload.
        source: Reading,
        /// The target.
        target: Option<DialectId>,
        /// The payload's own dialect.
        own: bool,
    },
}

/// A payload of a row: its path, its bytes, and its dialect, where that is known.
pub type Place = (Path, Range<usize>, Option<DialectId>);

/// A task, and the place of the payload in a row.
#[derive(Debug)]
pub struct Job {
    /// What to do.
    pub task: Task,
    /// Where the payload is.
    pub at: At,
}

impl Task {
    /// The dialect that the caller names.
    fn source(&self) -> Reading {
        match self {
            Self::Convert { source, .. } | Self::Check { source, .. } => *source,
            Self::Build(build) => build.source,
            Self::Truncate(truncate) => truncate.source,
        }
    }

    fn payload(&self, payload: &TapeSource<'_, NoHost>, out: &mut JsonSink) -> Result<Vec<Loss>, Error> {
        match self {
            Self::Convert { source, target, options } => {
                convert::convert(payload, *source, *target, options, out).map(|rendering| rendering.losses)
            }
            Self::Build(build) => build.row(payload, out),
            Self::Truncate(truncate) => truncate.row(payload, out),
            Self::Check { .. } => Ok(Vec::new()),
        }
    }
}

impl Job {
    fn tape(&self, row: &Input) -> Result<Tape, Error> {
        read::tape(row).map_err(|error| match self.task.source() {
            Reading::As(dialect) | Reading::WithResults(dialect) => error.in_dialect(&dialect.name()),
            Reading::Auto(_) => error,
        })
    }

    /// The payloads of a row.
    pub fn places(&self, row: &Input) -> Result<Vec<Place>, Error> {
        let tape = self.tape(row)?;
        let view = tape.view();
        let root = view.root::<NoHost>();
        let place = |(path, payload): (Path, TapeSource<'_, NoHost>)| {
            let dialect = match self.task.source() {
                Reading::As(dialect) | Reading::WithResults(dialect) => Some(dialect),
                Reading::Auto(target) => detect(&payload, target).ok(),
            };
            (path, payload.start()..payload.end(), dialect)
        };
        Ok(self.at.payloads(&root)?.into_iter().map(place).collect())
    }

    /// The findings of a row, each with the path of its payload; `None` where the task is another.
    fn findings(&self, row: &Input) -> Option<Result<Vec<(Path, Finding)>, Error>> {
        let Task::Check { source, target, own } = self.task else { return None };
        let all = || {
            let tape = self.tape(row)?;
            let mut all = Vec::new();
            for (path, payload) in self.at.payloads(&tape.view().root::<NoHost>())? {
                let found = findings(&payload, source, target, own).map_err(|error| inside(error, &path))?;
                all.extend(found.into_iter().map(|found| (path.clone(), found)));
            }
            Ok(all)
        };
        Some(all())
    }
}

impl Work for Job {
    fn row(&self, _: usize, row: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error> {
        if let Some(found) = self.findings(row) {
            out.push(b'[');
            for (at, (path, finding)) in found?.iter().enumerate() {
                out.extend_from_slice(if at > 0 { b"," } else { b"" });
                write_finding(finding, path, None, out);
            }
            out.push(b']');
            return Ok(Vec::new());
        }
        let tape = self.tape(row)?;
        let view = tape.view();
        let root = view.root::<NoHost>();
        let mut losses = Vec::new();
        let (mut done, end) = (root.start(), root.end());
        for (path, payload) in self.at.payloads(&root)? {
            out.extend_from_slice(row.bytes().get(done..payload.start()).unwrap_or_default());
            let mut sink = JsonSink::new(std::mem::take(out));
            let said = self.task.payload(&payload, &mut sink);
            *out = sink.into_bytes();
            let said = said.map_err(|error| inside(error, &path))?;
            losses.extend(said.into_iter().map(|loss| Loss { path: path.clone().join(&loss.path), ..loss }));
            done = payload.end();
        }
        out.extend_from_slice(row.bytes().get(done..end).unwrap_or_default());
        Ok(losses)
    }
}

impl LineWork for Job {
    fn line(&self, number: usize, line: &Input, out: &mut Vec<u8>) -> Result<Vec<Loss>, Error> {
        if let Some(found) = self.findings(line) {
            for (path, finding) in found? {
                write_finding(&finding, &path, Some(number), out);
                out.push(b'\n');
            }
            return Ok(Vec::new());
        }
        let losses = self.row(number, line, out)?;
        out.push(b'\n');
        Ok(losses)
    }
}

/// An error of a payload with its path in the row.
fn inside(error: Error, path: &Path) -> Error {
    let path = path.clone().join(error.path());
    error.at_path(path)
}
