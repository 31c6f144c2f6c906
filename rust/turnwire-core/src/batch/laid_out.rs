//! A record that a layout has read as a payload. The ordinary code works on that, and paths become those of the record.

use super::{Lost, Place, Task, check::Check, prompt_row::PromptRow};
use crate::{
    detect::Reading,
    layouts::{Form, Layout, Made, Places},
    report::{Change, Error, Losses},
    rules::{DialectId, RecordLayout},
    value::{Host, JsonSink, Tape, TapeSource},
};

type Node<'t, H> = TapeSource<'t, H>;

/// A record, and what was read from it.
pub(super) struct LaidOut<'t, H: Host> {
    pub(super) record: Node<'t, H>,
    layout: &'static Layout,
    made: Made,
    /// How to read what was made.
    source: Reading,
}

impl<'t, H: Host> LaidOut<'t, H> {
    /// Reads a record by the layout that the caller names.
    pub(super) fn named(
        record: Node<'t, H>,
        row: &'static RecordLayout,
        likely: Option<DialectId>,
    ) -> Result<Self, Error> {
        let layout = Layout::ready(row)?;
        if layout.claims(&record) { Self::by(record, layout, likely) } else { Err(layout.unclaimed(&record)) }
    }

    /// Reads a record that no dialect claims, as this error says. `None` if no layout claims it, or if the caller names a
    /// dialect.
    pub(super) fn instead(record: &Node<'t, H>, source: Reading, error: &Error) -> Option<Result<Self, Error>> {
        let Reading::Auto(likely) = source else { return None };
        Layout::instead(record, error).map(|layout| Self::by(*record, layout, likely))
    }

    /// Reads a record by a layout that claims it.
    pub(super) fn by(record: Node<'t, H>, layout: &'static Layout, likely: Option<DialectId>) -> Result<Self, Error> {
        let made = layout.read(&record)?;
        let source = made.reading(likely)?;
        Ok(Self { record, layout, made, source })
    }

    /// Works on the record and appends the result.
    pub(super) fn write(&self, task: &Task<H>, out: &mut Vec<u8>) -> Result<Lost, Error> {
        if task.keeps_dialect() {
            return Err(self.layout.read_only());
        }
        let mut losses = Losses::new(task.options());
        self.made.report(&mut losses)?;
        let tape = Tape::read(&self.made.json)?;
        let view = tape.view();
        let root = view.root();
        let done = if let Some(row) = self.two_answers(&root)? {
            row.write(task, self.source, out)
        } else {
            let mut sink = JsonSink::new(std::mem::take(out));
            let said = task.payload(&root, self.source, true, &mut sink);
            *out = sink.into_bytes();
            said.map(|done| Lost { losses: done.losses, left: done.provenance.left })
        };
        let mut lost = done.map_err(|error| self.placed(error))?;
        let places = self.places();
        lost.losses.iter_mut().for_each(|loss: &mut Change| loss.put_at(places.of(&loss.path)));
        lost.losses.splice(..0, losses.list);
        Ok(lost)
    }

    /// What a check tells.
    pub(super) fn changes(&self, check: &Check<H>) -> Result<Vec<Change>, Error> {
        let tape = Tape::read(&self.made.json)?;
        let view = tape.view();
        let root = view.root::<H>();
        let find = |payload: &Node<'_, H>| check.changes(payload, self.source, true);
        let found = match self.two_answers(&root)? {
            Some(row) => row.each(self.source, find, |change| &mut change.path),
            None => find(&root),
        };
        let mut found = found.map_err(|error| self.placed(error))?;
        let places = self.places();
        for change in &mut found {
            change.put_at(places.of(&change.path));
        }
        Ok(found)
    }

    /// What was made, as payloads.
    pub(super) fn payloads(&self) -> Result<Vec<Place>, Error> {
        let tape = Tape::read(&self.made.json)?;
        let view = tape.view();
        let root = view.root::<H>();
        let mut all = match self.two_answers(&root)? {
            Some(row) => row.payloads(self.source).map_err(|error| self.placed(error))?,
            None => vec![Place::of(self.made.json.bytes().to_vec(), self.source, None)],
        };
        let places = self.places();
        for place in &mut all {
            place.path = places.of(&place.path);
            place.name = Some(self.layout.name().to_owned());
        }
        Ok(all)
    }

    fn two_answers<'m>(&self, root: &Node<'m, H>) -> Result<Option<PromptRow<'m, H>>, Error> {
        if self.made.form != Form::TwoAnswers {
            return Ok(None);
        }
        PromptRow::of(root, self.source).map_err(|error| self.placed(error))
    }

    fn places(&self) -> Places<'_, Node<'t, H>> {
        self.layout.places(&self.record)
    }

    fn placed(&self, error: Error) -> Error {
        let path = self.places().of(error.path());
        error.at_path(path)
    }
}
