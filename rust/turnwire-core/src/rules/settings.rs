//! Holds the settings of a request as data: a row for each setting, a column for each format, and the models that
//! differ.
//!
//! Sources are the providers' references and their SDKs' types. `wire/settings.rs` reads and writes by these rows.

mod cache;
mod cell;
mod describe;
mod format;
mod length;
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
pub use self::describe::{Cells, Described, Differs, differing, efforts, table};
pub(crate) use self::{
    cell::{Cell, FormatShape, Kind},
    models::ModelRule,
    reasoning::{EFFORTS, budget_of},
    row_settings::RowSettings,
    setting::{Setting, WIRES},
};
use super::dialect_id::DialectId;

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

const MODEL: &str = "model";

/// Each key of a body that is a setting, with the wire that has it, for any version and model. The choice of tools is
/// part of the payload, and the model of any record.
pub(crate) fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    let cells = rows().filter(|row| row.name != MODEL).flat_map(|row| WIRES.into_iter().zip(&row.cells));
    let others = models::all().flat_map(|rule| rule.cells.iter().map(|(_, cell)| (rule.wire, cell)));
    let in_body = |cell: &Cell| !matches!(cell.kind, Kind::Payload | Kind::InChoice | Kind::Elsewhere(_));
    let said = cells.chain(others).filter(move |(_, cell)| in_body(cell));
    said.flat_map(|(wire, cell)| cell.places.iter().map(move |place| (wire, place.split('.').next().unwrap_or(place))))
}

/// The settings of a wire, for one version and one model.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    wire: usize,
    /// Which rules apply to this version and this model, as bits by their number.
    rules: u128,
    /// What the servers of its row have otherwise.
    row: &'static RowSettings,
    /// Whether the keys that they refuse count as theirs, because a body is only read.
    reads: bool,
    /// Whether keys may also be spelled with underscores.
    pub(crate) two_spellings: bool,
}

impl Column {
    /// The column of a dialect and perhaps a model. `None` if the dialect has no settings.
    pub(crate) fn of(dialect: DialectId, model: Option<&str>) -> Option<Self> {
        let wire = WIRES.iter().position(|wire| *wire == dialect.facts.name)?;
        let version = dialect.profile();
        let is_of_version = |rule: &ModelRule| rule.version.is_empty() || rule.version == version;
        let applies = |rule: &ModelRule| {
            let is_for = rule.names.is_empty() || model.is_some_and(|model| rule.is_for(model));
            rule.wire == WIRES[wire] && is_of_version(rule) && is_for
        };
        let rules = models::all().enumerate().filter(|(_, rule)| applies(rule)).fold(0, |all, (at, _)| all | 1 << at);
        let row = dialect.limits().map_or(&RowSettings::NONE, |limits| &limits.settings);
        Some(Self { wire, rules, row, reads: false, two_spellings: dialect.facts.keys.two_spellings })
    }

    /// The same column to read a body with: what its servers refuse may be there all the same.
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

    /// The form of a setting.
    pub(crate) fn cell(self, setting: &'static Setting) -> &'static Cell {
        #[cfg(test)]
        if let Some(other) = cell::overridden(setting.name, WIRES[self.wire]) {
            return other;
        }
        if let Some(own) = self.row.cell(setting.name) {
            return own;
        }
        let key = |cell: &Cell| cell.places.first().and_then(|place| place.split('.').next());
        if !self.reads
            && !self.row.refuses.is_empty()
            && key(&setting.cells[self.wire]).is_some_and(|key| self.refuses(key))
        {
            return &row_settings::REFUSED;
        }
        let has = |(at, _): &(usize, _)| self.rules >> at & 1 == 1;
        let mut others = models::all().enumerate().filter(has);
        let other = if self.rules == 0 { None } else { others.find_map(|(_, rule)| rule.cell(setting.name)) };
        other.unwrap_or(&setting.cells[self.wire])
    }

    /// The form of a setting while the model does not reason.
    pub(crate) fn at_rest(self, setting: &'static Setting) -> &'static Cell {
        match self.cell(setting) {
            Cell { kind: Kind::RefusedInReasoning(_), .. } => &setting.cells[self.wire],
            cell => cell,
        }
    }

    /// The wire's name.
    pub(crate) fn wire(self) -> &'static str {
        WIRES[self.wire]
    }
}
