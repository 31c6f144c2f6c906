//! Holds the settings of a request as data: a row for each setting, a column for each format, and the models that
//! differ.
//!
//! Sources are the providers' references and their SDKs' types. `wire/settings.rs` reads and writes by these rows.

mod cache;
mod cell;
mod describe;
mod format;
mod length;
pub(crate) mod levels;
mod models;
mod reasoning;
pub(crate) mod row_settings;
mod sampling;
mod server;
mod service;
mod setting;
mod stream;
mod tools;

#[cfg(test)]
pub(crate) use self::cell::overriding;
pub(crate) use self::cell::{at, own};
pub(crate) use self::describe::of_row;
pub use self::describe::{Cells, Described, Differs, column, differing, efforts, table};
pub(crate) use self::{
    cell::{Cell, FormatShape, Kind, effort_words},
    models::Applying,
    reasoning::{EFFORTS, budget_of},
    row_settings::RowSettings,
    setting::{Setting, WIRES},
};
use super::{chosen::Chosen, dialect_id::DialectId};

/// The rows, by noun.
const NOUNS: [&[Setting]; 9] = [
    length::ROWS,
    sampling::ROWS,
    format::ROWS,
    tools::ROWS,
    reasoning::ROWS,
    service::ROWS,
    cache::ROWS,
    stream::ROWS,
    server::ROWS,
];

/// Every setting.
pub(crate) fn rows() -> impl Iterator<Item = &'static Setting> {
    NOUNS.into_iter().flatten()
}

/// The setting that records without other settings have, too.
pub(crate) const MODEL: &str = "model";

/// Each key of a body that is a setting, with the wire that has it, for any version and model. The choice of tools is
/// part of the payload, and the model of any record.
pub(crate) fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    let cells = rows().filter(|row| row.name != MODEL).flat_map(|row| WIRES.into_iter().zip(&row.cells));
    let others = models::all().flat_map(|rule| rule.cells.iter().map(|(_, cell)| (rule.wire, cell)));
    let in_body =
        |cell: &Cell| !matches!(cell.kind, Kind::Payload | Kind::Choices(_) | Kind::InChoice | Kind::Elsewhere(_));
    let said = cells.chain(others).filter(move |(_, cell)| in_body(cell));
    said.flat_map(|(wire, cell)| cell.places.iter().map(move |place| (wire, place.split('.').next().unwrap_or(place))))
}

/// The settings of a wire, for one version and one model.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    wire: usize,
    /// What differs for this version and this model.
    rules: Applying,
    /// What the servers of its row have otherwise.
    row: &'static RowSettings,
    /// What those of the shipped row have that a server is based on.
    base: &'static RowSettings,
    /// Whether the keys that they refuse count as theirs, because a body is only read.
    reads: bool,
    /// Whether keys may also be spelled with underscores.
    pub(crate) two_spellings: bool,
}

impl Column {
    /// The column of a dialect and perhaps a model. `None` if the dialect has no settings.
    pub(crate) fn of(dialect: DialectId, model: Option<&str>) -> Option<Self> {
        let wire = WIRES.iter().position(|wire| *wire == dialect.facts.name)?;
        let settings = |id: DialectId| id.limits().map_or(&RowSettings::NONE, |limits| &limits.settings);
        Some(Self {
            wire,
            rules: Applying::to(WIRES[wire], dialect.profile(), model),
            row: settings(dialect),
            base: settings(dialect.base()),
            reads: false,
            two_spellings: dialect.facts.keys.two_spellings,
        })
    }

    /// The same column to read a body with: what its servers or its model refuse may be there all the same.
    pub(crate) fn to_read(self) -> Self {
        Self { reads: true, ..self }
    }

    /// Whether the servers refuse this key of a body.
    pub(crate) fn refuses(self, key: &str) -> bool {
        self.row.refuses.contains(&key)
    }

    /// What the servers of its row have otherwise.
    pub(crate) fn row(self) -> &'static RowSettings {
        self.row
    }

    /// The form of a setting: what a caller states of a server, what its models differ in, the row, what models of the wire differ in.
    pub(crate) fn cell(self, setting: &'static Setting) -> &'static Cell {
        let name = setting.name;
        #[cfg(test)]
        if let Some(other) = cell::overridden(name, WIRES[self.wire]) {
            return other;
        }
        let (wire, row) = (&setting.cells[self.wire], self.row.cell(name));
        if row != self.base.cell(name) {
            return row.unwrap_or(wire);
        }
        // A body is read by the words of its wire, unless its model has the setting at another place.
        let is_read = |(cell, of_models): (&'static Cell, bool)| {
            let elsewhere = || cell.places.first().is_some_and(|place| !wire.places.contains(place));
            (!self.reads || !of_models || elsewhere()).then_some(cell)
        };
        if let Some(cell) = self.rules.cell(name, true).and_then(is_read).or(row) {
            return cell;
        }
        let key = || wire.places.first()?.split('.').next();
        if !self.reads && !self.row.refuses.is_empty() && key().is_some_and(|key| self.refuses(key)) {
            return &row_settings::REFUSED;
        }
        self.rules.cell(name, false).and_then(is_read).unwrap_or(wire)
    }

    /// The form of a setting while the model does not reason, and its type then.
    pub(crate) fn at_rest(self, setting: &'static Setting) -> (&'static Cell, Kind) {
        let cell = self.cell(setting);
        if let (None, Kind::RefusedInReasoning(_)) = (cell.at_rest, cell.kind) {
            let own = &setting.cells[self.wire];
            return (own, own.kind);
        }
        (cell, cell.at_rest.unwrap_or(cell.kind))
    }

    /// Which choices of tools the model takes. `None` if it takes those of its wire.
    pub(crate) fn choices(self) -> Option<&'static [Chosen]> {
        let Kind::Choices(choices) = self.cell(rows().find(|row| row.name == "tool_choice")?).kind else { return None };
        Some(choices)
    }

    /// The wire's name.
    pub(crate) fn wire(self) -> &'static str {
        WIRES[self.wire]
    }
}
