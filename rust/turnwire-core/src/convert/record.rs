//! Reads one record of a layout, which is in no dialect. Paths are those of the record.

use super::{Options, parse, parse_with, read, written};
use crate::{
    detect::{self, ReadAs, Reading},
    layouts::{Form, Layout, Places},
    model::{Conversation, Parsed},
    report::{Error, Losses, Path, Rendering, error::Code},
    rules::DialectId,
    value::{Sink, Source, Tape},
    wire::read::Made as MadeTurns,
};

/// A record, what its layout read in it, and what it left out.
#[derive(Debug)]
pub struct Record<'a, S: Source> {
    parsed: Parsed<S::H>,
    losses: Losses,
    places: Places<'a, S>,
}

impl<'a, S: Source> Record<'a, S> {
    /// Reads a record that no dialect reads. `None` if no layout does.
    #[cold]
    pub fn of(record: &'a S, source: Reading) -> Result<Option<Self>, Error> {
        let (layout, likely) = match source {
            Reading::Layout(row, likely) => (Some(Layout::ready(row)?), likely),
            Reading::Auto(likely) => (Layout::ahead(record).or_else(|| Layout::claiming(record)), likely),
            _ => (None, None),
        };
        layout.map(|layout| Self::by(record, layout, likely, &Options::default())).transpose()
    }

    fn by(record: &'a S, layout: &'a Layout, likely: Option<DialectId>, options: &Options) -> Result<Self, Error> {
        let made = layout.read(record)?;
        let places = layout.places(record);
        if made.form == Form::TwoAnswers {
            let text = format!(
                "expected one conversation, got a row of {} with two answers: read it as a line of a file",
                layout.name()
            );
            return Err(Error::new(Code::NoDialect, text));
        }
        let tape = Tape::read(&made.json)?;
        let root = tape.view();
        let parsed = read(&root.root::<S::H>(), made.reading(likely)?, &|_| None, &ReadAs::default());
        let parsed = parsed.map_err(|error| placed(error, &places))?;
        let mut losses = Losses::new(options);
        made.report(&mut losses)?;
        Ok(Self { parsed, losses, places })
    }

    /// The conversation, and the paths in the record of paths in it.
    pub fn conversation(self) -> (Conversation<S::H>, Places<'a, S>) {
        (self.parsed.into(), self.places)
    }
}

fn placed<S: Source>(error: Error, places: &Places<'_, S>) -> Error {
    let path: Path = places.of(error.path());
    error.at_path(path)
}

/// The name of the dialect that claims a payload, or else of the layout.
pub fn name_of<S: Source>(payload: &S) -> Result<String, Error> {
    if let Some(layout) = Layout::ahead(payload) {
        return Ok(layout.name().to_owned());
    }
    let read = detect::detect(payload, None).and_then(|dialect| {
        // A layout may claim what only looks like a dialect.
        if Layout::claiming(payload).is_some() {
            parse(payload, dialect)?;
        }
        Ok(dialect.name())
    });
    read.or_else(|error| {
        let layout = Layout::instead(payload, &error);
        layout.map(|layout| layout.name().to_owned()).ok_or(error)
    })
}

/// [`parse_with`] for a payload that is kept, and so for no record of a layout.
pub fn parse_payload<S: Source>(
    payload: &S,
    source: Reading,
    made: MadeTurns<'_, S>,
    before: &ReadAs,
) -> Result<Conversation<S::H>, Error> {
    if !matches!(source, Reading::Auto(_)) {
        return parse_with(payload, source, made, before);
    }
    if let Some(layout) = Layout::ahead(payload) {
        return Err(layout.read_only());
    }
    parse_with(payload, source, made, before)
        .map_err(|error| Layout::instead(payload, &error).map_or(error, Layout::read_only))
}

/// An error of a payload that a dialect was named for, which says what it looks like.
#[cold]
pub(super) fn explained<S: Source>(error: Error, payload: &S, named: DialectId) -> Error {
    let is_form = matches!(error.code(), Code::WrongType | Code::MissingKey | Code::UnknownRole);
    let Some(layout) = Layout::claiming(payload).filter(|_| is_form) else {
        return detect::explained(error, payload, named);
    };
    let text = format!("{}; it looks like {}", error.text(), layout.name());
    Error::new(Code::WrongDialect, text).at_path(error.path().clone()).in_dialect(&named.name())
}

/// Refuses a record of a layout where payloads are compared as they came.
pub fn refuse_record<S: Source>(payload: &S, source: Reading) -> Result<(), Error> {
    let layout = match source {
        Reading::Layout(row, _) => Some(Layout::ready(row)?),
        // A dialect may read what a layout claims.
        Reading::Auto(_) => {
            let claiming = || Layout::claiming(payload).filter(|_| parse(payload, source).is_err());
            Layout::ahead(payload).or_else(claiming)
        }
        _ => None,
    };
    layout.map_or(Ok(()), |layout| Err(layout.read_only()))
}

/// [`super::convert`] for a record of a layout.
#[cold]
pub(super) fn by_layout<S: Source, K: Sink<S::H>>(
    record: &S,
    layout: &Layout,
    likely: Option<DialectId>,
    target: DialectId,
    options: &Options,
    out: &mut K,
) -> Result<Rendering, Error> {
    // What a layout reads is stored, and not sent.
    let options = Options { row: true, ..options.clone() };
    let Record { parsed, losses, places } = Record::by(record, layout, likely, &options)?;
    let written = written(parsed, target, &options, out);
    let mut written = written.map_err(|error| placed(error, &places))?;
    written.losses.iter_mut().for_each(|loss| loss.put_at(places.of(&loss.path)));
    written.losses.splice(..0, losses.list);
    Ok(written)
}
