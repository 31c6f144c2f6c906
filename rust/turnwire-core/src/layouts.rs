//! Reads records that are in no dialect by the table of `rules/record_layout.rs`, as payloads of one wide dialect.
//!
//! 1. A layout claims a record by the keys that it has.
//! 2. The reader writes what its columns lead to as JSON in the dialect `otel`, which has the widest shape of all. A
//!    row with two answers gets a list for each.
//! 3. The ordinary code reads that. Paths of errors and losses become paths in the record.
//!
//! Records are read only, so a record that stays in its own format is refused.

mod at;
mod claim;
mod exchange;
mod made;
mod texts;
mod ways;

use std::sync::OnceLock;

pub use self::made::{Form, Made};
use self::{
    at::At,
    claim::{Claiming, has_any},
    made::Writer,
    ways::Ways,
};
use crate::{
    report::{Error, Path, error::Code, loss::LossCode},
    rules::{RecordLayout, RowLayout, record_layout::TABLE},
    value::{Key, NodeKind, Source},
    wire::read::keys::found,
};

const OF_ROW: &str = "a row with two answers has this key for its own conversation";

/// A layout whose columns are ready to be followed.
#[derive(Debug)]
pub struct Layout {
    row: &'static RecordLayout,
    claims: Vec<Claiming>,
    system: Ways,
    history: Ways,
    user: Vec<Ways>,
    answer: Ways,
    better: Ways,
    worse: Ways,
    given: Ways,
    answer_at: Ways,
}

impl Layout {
    /// Prepares a row of the table.
    #[must_use]
    pub fn of(row: &'static RecordLayout) -> Self {
        Self {
            row,
            claims: row.claims.iter().map(|claim| Claiming::of(claim)).collect(),
            system: Ways::of(row.system),
            history: Ways::of(row.history),
            user: row.user.iter().map(|ways| Ways::of(ways)).collect(),
            answer: Ways::of(row.answer),
            better: Ways::of(row.better),
            worse: Ways::of(row.worse),
            given: Ways::of(row.given),
            answer_at: Ways::of(row.answer_at),
        }
    }

    /// All of the table.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Layout>> = OnceLock::new();
        ALL.get_or_init(|| TABLE.iter().map(Self::of).collect())
    }

    /// The layout of a row of the table.
    pub fn ready(row: &'static RecordLayout) -> Result<&'static Self, Error> {
        let unknown = || Error::new(Code::UnknownDialect, format!("no layout is called {:?}", row.name));
        Self::all().iter().find(|layout| layout.row == row).ok_or_else(unknown)
    }

    /// The first layout that claims a record which no dialect does, as this error says.
    #[cold]
    pub fn instead<S: Source>(record: &S, error: &Error) -> Option<&'static Self> {
        let codes = [
            Code::NoDialect,
            Code::ConflictingSigns,
            Code::MixedDialects,
            Code::UnknownRole,
            Code::MissingKey,
            Code::WrongType,
        ];
        codes.contains(&error.code()).then(|| Self::claiming(record)).flatten()
    }

    /// The first layout that claims a record.
    pub fn claiming<S: Source>(record: &S) -> Option<&'static Self> {
        Self::all().iter().find(|layout| layout.claims(record))
    }

    /// Whether it claims a record.
    pub fn claims<S: Source>(&self, record: &S) -> bool {
        self.claims.iter().any(|claim| claim.fits(record)) && !has_any(record, self.row.lacks)
    }

    /// Its row of the table.
    #[must_use]
    pub fn row(&self) -> &'static RecordLayout {
        self.row
    }

    /// What a record must have, one for each claim.
    pub fn told(&self) -> impl Iterator<Item = String> {
        self.claims.iter().map(Claiming::told)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// Reads a record. Errors have its own paths.
    pub fn read<S: Source>(&self, record: &S) -> Result<Made, Error> {
        self.write(record, Writer::new())
    }

    /// The path in the record of a path in what was read from it.
    #[cold]
    pub fn place<S: Source>(&self, record: &S, path: &Path) -> Path {
        // It was read before, so it can be read again.
        self.write(record, Writer::with_places()).map(|made| made.place(path)).unwrap_or_default()
    }

    /// The error for a record that is named after this layout, and not claimed by it.
    #[cold]
    pub fn unclaimed<S: Source>(&self, record: &S) -> Error {
        let got = if record.kind() == NodeKind::Map { found(record) } else { record.describe() };
        let wanted = self.told().collect::<Vec<_>>().join("; or ");
        Error::new(Code::MissingKey, format!("expected {wanted}, got {got}")).in_dialect(self.row.name)
    }

    /// The error for a record that would have to be written as it came.
    #[cold]
    #[must_use]
    pub fn read_only(&self) -> Error {
        let text = format!("rows of {} are read and not written: convert them to a dialect first", self.row.name);
        Error::new(Code::WrongDialect, text)
    }

    fn write<S: Source>(&self, record: &S, mut to: Writer) -> Result<Made, Error> {
        let form = match () {
            () if !self.given.is_empty() => Form::Mixed,
            () if self.has_two_answers(record) => Form::TwoAnswers,
            () => Form::Whole,
        };
        self.body(record, form, &mut to).map_err(|error| error.or_in_dialect(self.row.name))?;
        Ok(to.made(form))
    }

    fn has_two_answers<S: Source>(&self, record: &S) -> bool {
        self.better.find(record).is_some() && self.worse.find(record).is_some()
    }

    /// Writes a body: the conversation in place of the first key that it uses, and the other keys unchanged.
    fn body<S: Source>(&self, record: &S, form: Form, to: &mut Writer) -> Result<(), Error> {
        let used = self.used(record, form);
        let mut done = false;
        to.open_map();
        for (name, value) in record.entries() {
            let name = name.to_str(record.input());
            if used.contains(&&*name) {
                if !std::mem::replace(&mut done, true) {
                    self.conversation(record, form, to)?;
                }
                continue;
            }
            let at = At::ROOT.name(&name);
            if name.starts_with("gen_ai.") {
                let text = "this key is OpenTelemetry's, so it cannot be kept beside the messages";
                return Err(Error::new(Code::Refused, text).at_path(at.path()));
            }
            if form == Form::TwoAnswers && RowLayout::uses(&name) {
                // A null says nothing.
                if value.kind() != NodeKind::Null {
                    to.lost(LossCode::Key, &at, OF_ROW);
                }
                continue;
            }
            to.same(&name, &value, &at)?;
        }
        if !done {
            self.conversation(record, form, to)?;
        }
        to.close_map();
        Ok(())
    }

    /// The keys of the record that its columns use. A key that is null, and could be one of them, says nothing.
    fn used<S: Source>(&self, record: &S, form: Form) -> Vec<&'static str> {
        let answers = if form == Form::TwoAnswers { vec![&self.better, &self.worse] } else { vec![&self.answer] };
        let columns = [&self.system, &self.history, &self.given, &self.answer_at].into_iter().chain(&self.user);
        let mut used = Vec::new();
        for ways in columns.chain(answers) {
            used.extend(ways.find(record).and_then(|(_, way)| way.top()));
            let is_null = |key: &&'static Key| record.get(key).is_some_and(|value| value.kind() == NodeKind::Null);
            used.extend(ways.tops().filter(is_null));
        }
        used.into_iter().map(|key| key.name).collect()
    }

    fn conversation<S: Source>(&self, record: &S, form: Form, to: &mut Writer) -> Result<(), Error> {
        if form == Form::Mixed { self.exchange(record, to) } else { self.texts(record, form, to) }
    }
}
