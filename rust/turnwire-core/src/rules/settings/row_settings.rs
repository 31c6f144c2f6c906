//! Says how the servers of one row differ from their format in the settings of a body.

use super::cell::{Cell, Kind, at};

/// How the servers of one row differ from their format in the settings of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSettings {
    /// The keys of the body that they refuse.
    pub(crate) refuses: &'static [&'static str],
    /// The formats of a reply that they have.
    pub(crate) formats: &'static [&'static str],
    /// Whether a format may stand beside tools.
    pub(crate) format_with_tools: bool,
    /// Whether the model may think beside tools.
    pub(crate) effort_with_tools: bool,
    /// The settings that have another key, other words, or that only they have.
    pub(crate) cells: &'static [(&'static str, Cell)],
}

/// The formats of a reply: as text, as any JSON, as JSON of a schema.
pub(crate) const FORMATS: &[&str] = &["text", "json_object", "json_schema"];

impl RowSettings {
    /// The format's own.
    pub(crate) const NONE: Self =
        Self { refuses: &[], formats: FORMATS, format_with_tools: true, effort_with_tools: true, cells: &[] };

    /// The cell of a setting, where the row has another one.
    pub(crate) fn cell(&self, setting: &str) -> Option<&'static Cell> {
        let cells: &'static [(&'static str, Cell)] = self.cells;
        cells.iter().find(|(name, _)| *name == setting).map(|(_, cell)| cell)
    }
}

/// A setting whose key these servers refuse.
pub(crate) static REFUSED: Cell = at(&[], Kind::Refused(REFUSES));
/// Why.
pub(crate) const REFUSES: &str = "the target refuses this key";
