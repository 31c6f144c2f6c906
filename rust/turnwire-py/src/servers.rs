//! `server`: rows that programs state at run time, by their columns.

use pyo3::prelude::*;
use turnwire_core::{dialects::servers as core, rules::DialectId};

use crate::error::raise;

/// A column: its name, its value, that of the row that it is compared with, and what it may be.
type Stated = (&'static str, String, String, String);

/// The canonical name of the row that differs from `base` in these columns, which may get a short name.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 gives a function its own list")]
pub(crate) fn _server(base: &str, columns: Vec<(String, String)>, short: Option<&str>) -> PyResult<String> {
    let each = columns.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let id = core::stated(base, each).map_err(raise)?;
    if let Some(short) = short {
        core::call(short, id).map_err(raise)?;
    }
    Ok(id.name())
}

/// A row, as Python gets it.
type Row = (String, String, Option<String>, String, Vec<Stated>);

/// A row: its canonical name, that of the shipped row that it is based on, its short name, its line, and its columns.
#[pyfunction]
pub(crate) fn _server_row(name: &str) -> PyResult<Row> {
    let id = DialectId::named(name).map_err(raise)?;
    let columns = core::row(id).map_err(raise)?;
    let columns = columns.into_iter().map(|one| (one.column, one.value, one.was, one.words)).collect();
    Ok((id.name(), id.base().name(), core::short_name(id), core::line(id).map_err(raise)?, columns))
}
