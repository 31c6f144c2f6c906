//! Reads records that are in no dialect by the table of `rules/record_layout.rs`, as payloads of one wide dialect.
//!
//! 1. A layout claims a record by the keys that it has.
//! 2. The reader writes what its columns lead to as JSON in the dialect `otel`, which has the widest shape of all. A
//!    row with two answers gets a list for each.
//! 3. The ordinary code reads that. Paths of errors and losses become paths in the record.
//!
//! Records are read only, so a record that stays in its own format is refused.

mod apart;
mod at;
mod calls;
mod claim;
mod exchange;
mod made;
mod messages;
mod opened;
mod pieces;
mod sent;
mod signs;
mod talk;
mod texts;
mod tools;
mod tree;
mod unread;
mod wanted;
mod ways;
mod writer;

use std::{cell::OnceCell, sync::OnceLock};

pub use self::made::{Form, Made};
use self::{
    apart::Apart,
    at::At,
    claim::{Claims, has_any},
    messages::Messages,
    opened::opened,
    talk::Talk,
    tree::{Tree, items},
    unread::Used,
    wanted::{MESSAGES, are_definitions},
    ways::{Way, Ways},
    writer::Writer,
};
use crate::{
    report::{Edit, Error, Path, error::Code, placed::Index},
    rules::{RecordLayout, RowLayout, record_layout::TABLE},
    value::{NodeKind, Source, Tape},
    wire::read::keys::found,
};

const OF_ROW: &str = "a row with two answers has this key for its own conversation";

/// A layout whose columns are ready to be followed.
#[derive(Debug)]
pub struct Layout {
    row: &'static RecordLayout,
    claims: Claims,
    ahead: Ways,
    json: Ways,
    apart: Apart,
    tools: Ways,
    calls: Ways,
    messages: Messages,
    tree: Tree,
    system: Ways,
    history: Ways,
    user: Vec<Ways>,
    answer: Ways,
    better: Ways,
    worse: Ways,
    talk: Talk,
    given: Ways,
    answer_at: Ways,
}

/// The paths in a record of paths in what was read from it. The record is read again for the first of them.
#[derive(Debug)]
pub struct Places<'a, S> {
    layout: &'a Layout,
    record: &'a S,
    index: OnceCell<Option<Index>>,
}

impl<S: Source> Places<'_, S> {
    /// The path in the record.
    #[cold]
    pub fn of(&self, path: &Path) -> Path {
        // It was read before, so it can be read again.
        let read = || self.layout.write(self.record, Writer::with_places()).map(Made::index).ok();
        self.index.get_or_init(read).as_ref().map(|index| index.place(path)).unwrap_or_default()
    }
}

impl Layout {
    /// Prepares a row of the table.
    #[must_use]
    pub fn of(row: &'static RecordLayout) -> Self {
        Self {
            row,
            claims: Claims::of(row.claims),
            ahead: Ways::of(row.ahead),
            json: Ways::of(row.json),
            apart: Apart::of(row.apart),
            tools: Ways::of(row.tools),
            calls: Ways::of(row.calls),
            messages: Messages::of(row),
            tree: Tree::of(row.tree),
            system: Ways::of(row.system),
            history: Ways::of(row.history),
            user: row.user.iter().map(|ways| Ways::of(ways)).collect(),
            answer: Ways::of(row.answer),
            better: Ways::of(row.better),
            worse: Ways::of(row.worse),
            talk: Talk::of(row.talk),
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
            Code::WrongDialect,
        ];
        codes.contains(&error.code()).then(|| Self::claiming(record)).flatten()
    }

    /// The first layout that claims a record.
    pub fn claiming<S: Source>(record: &S) -> Option<&'static Self> {
        Self::all().iter().find(|layout| layout.claims(record))
    }

    /// The layout that is asked before all dialects, if one shows itself and claims a record.
    pub fn ahead<S: Source>(record: &S) -> Option<&'static Self> {
        let shown = |layout: &&Self| !layout.ahead.is_empty() && layout.ahead.any(record, |_| true);
        Self::all().iter().find(|layout| shown(layout) && layout.claims(record))
    }

    /// The layout of a list of messages that no dialect has.
    fn of_messages<S: Source>(list: &S) -> Option<&'static Self> {
        Self::claiming(list).filter(|layout| layout.messages.are_there())
    }

    /// Whether it claims a record.
    pub fn claims<S: Source>(&self, record: &S) -> bool {
        self.claims.fit(record) && !has_any(record, self.row.lacks) && self.messages.claim(record)
    }

    /// Its row of the table.
    #[must_use]
    pub fn row(&self) -> &'static RecordLayout {
        self.row
    }

    /// What a record must have, one for each claim.
    pub fn told(&self) -> impl Iterator<Item = String> {
        self.claims.told().chain(self.messages.told())
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

    /// The paths in a record of paths in what was read from it.
    pub fn places<'a, S: Source>(&'a self, record: &'a S) -> Places<'a, S> {
        Places { layout: self, record, index: OnceCell::new() }
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

    fn write<S: Source>(&self, record: &S, to: Writer) -> Result<Made, Error> {
        if let Some(json) = self.apart.put(record, &self.messages.list)? {
            let tape = Tape::read(&json)?;
            let view = tape.view();
            return self.write_put(&view.root::<S::H>(), to);
        }
        self.write_put(record, to)
    }

    fn write_put<S: Source>(&self, record: &S, to: Writer) -> Result<Made, Error> {
        let Some(json) = opened(record, &self.json)? else { return self.write_opened(record, to) };
        let tape = Tape::read(&json)?;
        let view = tape.view();
        self.write_opened(&view.root::<S::H>(), to)
    }

    fn write_opened<S: Source>(&self, record: &S, mut to: Writer) -> Result<Made, Error> {
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
            if used.tops().any(|top| top == name) || self.is_null_column(&name, &value, form) {
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
                    to.lost(Edit::Key, &at, OF_ROW);
                }
                continue;
            }
            to.same(&name, &value, &at)?;
        }
        if !done {
            self.conversation(record, form, to)?;
        }
        used.report_inside(record, to);
        to.close_map();
        Ok(())
    }

    /// The columns of the record itself.
    fn columns(&self, form: Form) -> impl Iterator<Item = &Ways> {
        let answers = if form == Form::TwoAnswers { vec![&self.better, &self.worse] } else { vec![&self.answer] };
        let columns =
            [&self.system, &self.history, &self.given, &self.answer_at, &self.calls, &self.talk.text, &self.talk.tools];
        columns.into_iter().chain(&self.user).chain(answers)
    }

    /// The ways that its columns follow in the record.
    fn used<S: Source>(&self, record: &S, form: Form) -> Used<'_> {
        let mut used = Used::default();
        for ways in self.columns(form) {
            used.extend(ways.find(record).map(|(_, way)| way));
        }
        used.extend(self.tools.find_if(record, are_definitions).map(|(_, way)| way));
        used.extend(self.messages.find(record).map(|(_, way): (S, &Way)| way));
        if let Some((_, way)) = self.tree.find(record) {
            used.add(way);
            used.extend(self.tree.leaf.find(record).map(|(_, way)| way));
        }
        used
    }

    /// Whether a key is null, and could be one of its columns: it says nothing.
    fn is_null_column<S: Source>(&self, name: &str, value: &S, form: Form) -> bool {
        value.kind() == NodeKind::Null && self.columns(form).flat_map(Ways::tops).any(|key| key.name == name)
    }

    fn conversation<S: Source>(&self, record: &S, form: Form, to: &mut Writer) -> Result<(), Error> {
        self.tools(record, to)?;
        if let Some((nodes, way)) = self.tree.find(record) {
            let root = At::ROOT;
            let at = root.way(way);
            let branch = self.tree.branch(record, &nodes, &at, to);
            to.open_list(MESSAGES, &at);
            self.messages.write(&branch, &at, to)?;
            to.close_list();
            return Ok(());
        }
        match self.messages.find(record) {
            Some((list, way)) => {
                let root = At::ROOT;
                let at = root.way(way);
                self.system_text(record, to)?;
                self.messages.about(&list, &at, to)?;
                to.open_list(MESSAGES, &at);
                let sent = self.messages.sent(items(&list), &at, to);
                self.messages.write(&sent, &at, to)?;
                to.close_list();
                Ok(())
            }
            None if self.messages.are_there() => Err(self.unclaimed(record)),
            None if form == Form::Mixed => self.exchange(record, to),
            None => self.texts(record, form, to),
        }
    }
}
