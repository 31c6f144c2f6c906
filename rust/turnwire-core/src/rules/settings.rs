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
mod sampling;
mod server;
mod service;
mod setting;
mod stream;
mod tools;

#[cfg(test)]
pub(crate) use self::cell::overriding;
pub use self::describe::{Cells, Described, efforts, models, table};
pub(crate) use self::{
    cell::{Cell, FormatShape, Kind},
    models::{MODELS, ModelRule},
    reasoning::{EFFORTS, budget_of},
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
    let others = MODELS.iter().flat_map(|rule| rule.cells.iter().map(|(_, cell)| (rule.wire, cell)));
    let in_body = |cell: &Cell| !matches!(cell.kind, Kind::Payload | Kind::InChoice | Kind::Elsewhere(_));
    let said = cells.chain(others).filter(move |(_, cell)| in_body(cell));
    said.flat_map(|(wire, cell)| cell.places.iter().map(move |place| (wire, place.split('.').next().unwrap_or(place))))
}

/// The settings of a wire, for one version and one model.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    wire: usize,
    /// How this version and this model differ.
    rules: [Option<&'static ModelRule>; 2],
    /// Whether keys may also be spelled with underscores.
    pub(crate) two_spellings: bool,
}

impl Column {
    /// The column of a dialect and perhaps a model. `None` if the dialect has no settings.
    pub(crate) fn of(dialect: DialectId, model: Option<&str>) -> Option<Self> {
        let wire = WIRES.iter().position(|wire| *wire == dialect.facts.name)?;
        let version = dialect.profile();
        let rules = || MODELS.iter().filter(|rule| rule.wire == WIRES[wire]);
        let of_version = rules().find(|rule| !version.is_empty() && rule.version == version && rule.names.is_empty());
        let of_model = model.and_then(|model| {
            rules().find(|rule| (rule.version.is_empty() || rule.version == version) && rule.is_for(model))
        });
        Some(Self { wire, rules: [of_model, of_version], two_spellings: dialect.facts.keys.two_spellings })
    }

    /// The form of a setting.
    pub(crate) fn cell(self, setting: &'static Setting) -> &'static Cell {
        #[cfg(test)]
        if let Some(other) = cell::overridden(setting.name, WIRES[self.wire]) {
            return other;
        }
        let other = self.rules.into_iter().flatten().find_map(|rule| rule.cell(setting.name));
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
