//! The work on one row: runs the ordinary code on its payload, and keeps the envelope around it byte for byte.

use std::sync::Arc;

use super::{
    At, Lost, Work,
    build::Build,
    check::{Check, write_change},
    laid_out::LaidOut,
    lines::{LineWork, Origin, Record, Rest},
    place::{Found, Way, inside, reading},
    record::{RecordKind, RecordOptions},
    truncate::Truncate,
};
use crate::{
    convert,
    detect::{self, Reading},
    layouts::Layout,
    model::View,
    report::{Change, Error, Options, Path, Rendering},
    rules::DialectId,
    value::{Host, Input, JsonSink, NoHost, Tape, TapeSource, Text, json::encode},
};

/// The work on a payload.
#[derive(Debug)]
pub enum Task<H: Host> {
    /// Convert it.
    Convert {
        /// The dialect of the payload.
        source: Reading,
        /// The target.
        target: DialectId,
        /// The options.
        options: Options,
        /// What the caller says about records.
        records: RecordOptions,
    },
    /// Build it.
    Build(Box<Build<H>>),
    /// Cut its tool results.
    Truncate(Truncate),
    /// Tells what a build would change, and changes nothing. The changes are a list, or in a file of lines one line each.
    Check(Box<Check<H>>),
}

/// A payload of a row.
#[derive(Debug)]
pub struct Place {
    /// Its path.
    pub path: Path,
    /// Its JSON, which is another one than the row's if a layout has read it.
    pub json: Vec<u8>,
    /// The name of its dialect or of its layout, if that is known.
    pub name: Option<String>,
    /// How to read its JSON.
    pub source: Reading,
    /// Whether it is a row, as a build of it decides.
    pub is_row: bool,
    /// The other keys of its body that a build leaves to the caller.
    pub left: Vec<Arc<str>>,
}

impl Place {
    /// A payload at the root.
    pub(super) fn of(json: Vec<u8>, source: Reading, dialect: Option<DialectId>) -> Self {
        Self {
            path: Path::default(),
            json,
            name: dialect.map(DialectId::name),
            source,
            is_row: false,
            left: Vec::new(),
        }
    }
}

/// A task, and where the payload is in a row.
#[derive(Debug)]
pub struct Job<H: Host> {
    /// What to do.
    pub task: Task<H>,
    /// Where the payload is.
    pub at: At,
}

impl<H: Host> Task<H> {
    /// The dialect that the caller names.
    pub(super) fn source(&self) -> Reading {
        match self {
            Self::Convert { source, .. } => *source,
            Self::Check(check) => check.build.source,
            Self::Build(build) => build.source,
            Self::Truncate(truncate) => truncate.source,
        }
    }

    /// The options of what is written.
    pub(super) fn options(&self) -> &Options {
        match self {
            Self::Convert { options, .. } => options,
            Self::Build(build) => &build.options,
            Self::Truncate(truncate) => &truncate.options,
            Self::Check(check) => &check.build.options,
        }
    }

    /// Whether a payload is written in its own dialect.
    pub(super) fn keeps_dialect(&self) -> bool {
        self.target().is_none() && !matches!(self, Self::Check(_))
    }

    /// The target. `None` if a payload stays in its own dialect.
    pub(super) fn target(&self) -> Option<DialectId> {
        match self {
            Self::Convert { target, .. } => Some(*target),
            Self::Build(build) => build.target,
            Self::Truncate(_) | Self::Check(_) => None,
        }
    }

    /// Works on a payload, which is read as `source`. `labelled`: whether it is from a row with lists for its completions,
    /// or read by a layout.
    pub(super) fn payload(
        &self,
        payload: &TapeSource<'_, H>,
        source: Reading,
        labelled: bool,
        out: &mut JsonSink,
    ) -> Result<Rendering, Error> {
        match self {
            Self::Convert { target, options, records, .. } => {
                let options = |read: &View<'_, H>| {
                    let record = RecordKind::of(payload, read, labelled, Some(*target));
                    records.options(records.is_row(record, None), payload, options)
                };
                convert::convert_as(payload, source, *target, options, out)
            }
            Self::Build(build) => build.row(payload, source, labelled, out),
            Self::Truncate(truncate) => truncate.row(payload, source, labelled, out),
            Self::Check(_) => Ok(Rendering::default()),
        }
    }
}

impl<H: Host> Job<H> {
    fn tape(&self, row: &Input) -> Result<Tape, Error> {
        self.task.source().tape(row)
    }

    /// The payloads of a row. An error has the path in the row, or in the record that the row was made from.
    pub fn places(&self, row: &Input, origin: &Origin) -> Result<Vec<Place>, Error> {
        let placed = |error: Error| match &origin.places {
            Some(places) => {
                let path = places.place(error.path());
                error.at_path(path)
            }
            None => error,
        };
        self.places_on(row, self.at.way(origin.rest)).map_err(placed)
    }

    fn places_on(&self, row: &Input, way: Way<'_>) -> Result<Vec<Place>, Error> {
        let tape = self.tape(row)?;
        let view = tape.view();
        let root = view.root::<H>();
        let source = reading(&root, self.task.source());
        let mut all = Vec::new();
        for (path, place) in way.places(&root, source)? {
            let inner = match place {
                Found::Payload(payload) => self.place(&payload, source),
                Found::LaidOut(record) => record.payloads().map(|all| self.labelled(all)),
                Found::PromptRow(row) => row.payloads(source).map(|all| self.labelled(all)),
                Found::Text(text) => self.places_on(&text.json, Way::Keys(&text.keys)),
            };
            let inner = inner.map_err(|error| inside(error, &path))?;
            all.extend(inner.into_iter().map(|one| Place { path: path.clone().join(&one.path), ..one }));
        }
        Ok(all)
    }

    /// A payload, or what a layout reads instead of it.
    fn place(&self, payload: &TapeSource<'_, H>, source: Reading) -> Result<Vec<Place>, Error> {
        let dialect =
            source.named_or_likely().or_else(|likely| detect::own(payload, likely).map(|(_, dialect)| dialect));
        let read = match &dialect {
            // A layout may claim what only looks like a dialect.
            Ok(_) if Layout::claiming(payload).is_some() => convert::parse(payload, source).map(|_| ()),
            Ok(_) => Ok(()),
            Err(error) => Err(error.clone()),
        };
        if let Some(record) = read.err().and_then(|error| LaidOut::instead(payload, source, &error)) {
            return record?.payloads().map(|all| self.labelled(all));
        }
        let (is_row, left) = match &self.task {
            Task::Build(build) => build.beside(payload, source).unwrap_or_default(),
            _ => Default::default(),
        };
        Ok(vec![Place { is_row, left, ..Place::of(payload.json().to_vec(), source, dialect.ok()) }])
    }

    /// Payloads from a row with lists for its completions, or read by a layout.
    fn labelled(&self, mut all: Vec<Place>) -> Vec<Place> {
        if let Task::Build(build) = &self.task {
            let is_row = build.records.is_row(RecordKind::Row, build.target);
            for place in &mut all {
                place.is_row = is_row;
            }
        }
        all
    }

    /// What a check tells of a row, each with its path in the row. `None` if the task is not a check.
    fn changes(&self, row: &Input, way: Way<'_>) -> Option<Result<Vec<Change>, Error>> {
        let Task::Check(check) = &self.task else { return None };
        let all = || {
            let tape = self.tape(row)?;
            let mut all = Vec::new();
            let view = tape.view();
            let root = view.root::<H>();
            let source = reading(&root, check.build.source);
            for (path, place) in way.places(&root, source)? {
                let found = match place {
                    Found::Payload(payload) => {
                        let found = check.changes(&payload, source, false);
                        or_laid_out(found, &payload, source, |record| record.changes(check))
                    }
                    Found::LaidOut(record) => record.changes(check),
                    Found::PromptRow(row) => {
                        let find = |payload: &TapeSource<'_, H>| check.changes(payload, source, true);
                        row.each(source, find, |change| &mut change.path)
                    }
                    Found::Text(text) => self.changes(&text.json, Way::Keys(&text.keys)).unwrap_or(Ok(Vec::new())),
                };
                let found = found.map_err(|error| inside(error, &path))?;
                all.extend(found.into_iter().map(|one| Change { path: path.clone().join(&one.path), ..one }));
            }
            Ok(all)
        };
        Some(all())
    }

    /// Writes a row with the results of its payloads.
    fn write(&self, row: &Input, way: Way<'_>, out: &mut Vec<u8>) -> Result<Lost, Error> {
        let tape = self.tape(row)?;
        let view = tape.view();
        let root = view.root::<H>();
        let source = reading(&root, self.task.source());
        let mut all = Lost::default();
        let (mut done, end) = (root.start(), root.end());
        for (path, place) in way.places(&root, source)? {
            let node = place.node();
            out.extend_from_slice(row.bytes().get(done..node.start()).unwrap_or_default());
            let said = match place {
                Found::Payload(payload) => {
                    let start = out.len();
                    let mut sink = JsonSink::new(std::mem::take(out));
                    let said = self.task.payload(&payload, source, false, &mut sink);
                    *out = sink.into_bytes();
                    let said = said.map(|done| Lost { losses: done.losses, left: done.provenance.left });
                    or_laid_out(said, &payload, source, |record| {
                        out.truncate(start);
                        record.write(&self.task, out)
                    })
                }
                Found::LaidOut(record) => record.write(&self.task, out),
                Found::PromptRow(row) => row.write(&self.task, source, out),
                Found::Text(text) => {
                    let mut json = Vec::new();
                    let said = self.write(&text.json, Way::Keys(&text.keys), &mut json);
                    encode::text::<NoHost>(&Text::own(&String::from_utf8_lossy(&json)), None, out);
                    said
                }
            };
            let said = said.map_err(|error| inside(error, &path))?;
            all.losses
                .extend(said.losses.into_iter().map(|loss| Change { path: path.clone().join(&loss.path), ..loss }));
            all.left.extend(said.left);
            done = node.end();
        }
        out.extend_from_slice(row.bytes().get(done..end).unwrap_or_default());
        Ok(all)
    }
}

impl<H: Host> Work for Job<H> {
    fn row(&self, _: usize, row: &Input, out: &mut Vec<u8>) -> Result<Lost, Error> {
        let way = self.at.way(Rest::All);
        let Some(found) = self.changes(row, way) else { return self.write(row, way, out) };
        out.push(b'[');
        for (at, change) in found?.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b"," } else { b"" });
            write_change(change, None, out);
        }
        out.push(b']');
        Ok(Lost::default())
    }
}

impl<H: Host> LineWork for Job<H> {
    fn line(&self, origin: &Origin, row: &Input, out: &mut Vec<u8>) -> Result<Lost, Error> {
        let way = self.at.way(origin.rest);
        if let Some(found) = self.changes(row, way) {
            let mut losses = found.map_err(|error| origin.placed(error))?;
            for change in &mut losses {
                change.path = origin.place(&change.path);
                write_change(change, Some(origin.line), out);
                out.push(b'\n');
            }
            return Ok(Lost { losses, left: Vec::new() });
        }
        let start = out.len();
        let mut lost = self.write(row, way, out).map_err(|error| origin.placed(error))?;
        if origin.is_spread {
            // In JSON, line ends are white space.
            out[start..].iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
        out.push(b'\n');
        if !origin.is_whole() {
            lost.losses.iter_mut().for_each(|loss| loss.path = origin.place(&loss.path));
        }
        Ok(lost)
    }

    fn inner(&self, row: &Input, origin: &Origin) -> Option<Vec<Record>> {
        matches!(self.at.way(origin.rest), Way::Keys(_)).then_some(())?;
        let tape = Tape::read(row).ok()?;
        let mut found = self.at.inner(&tape.view().root::<H>(), origin)?;
        let (mut line, mut from) = (origin.line, 0);
        for Record { at, origin: one } in &mut found {
            line += memchr::memchr_iter(b'\n', row.bytes().get(from..at.start).unwrap_or_default()).count();
            from = at.start;
            one.line = line;
            one.is_spread = origin.is_spread;
        }
        Some(found)
    }
}

/// What was done with a payload, or with what a layout reads instead of it if no dialect claims it.
#[inline]
fn or_laid_out<T, H: Host>(
    done: Result<T, Error>,
    payload: &TapeSource<'_, H>,
    source: Reading,
    instead: impl FnOnce(&LaidOut<'_, H>) -> Result<T, Error>,
) -> Result<T, Error> {
    let error = match done {
        Err(error) => error,
        done => return done,
    };
    match LaidOut::instead(payload, source, &error) {
        Some(record) => instead(&record?),
        None => Err(error),
    }
}
