//! Says how some models, or one version of a wire, differ from the wire's column, and what many of these rules share.

use crate::rules::{
    chosen::Chosen,
    settings::cell::{Cell, Kind, at},
};

/// How some models, or one version of the wire, differ.
pub(crate) struct ModelRule {
    /// The wire.
    pub(crate) wire: &'static str,
    /// The profile of the dialect that it applies to. Empty for any.
    pub(crate) version: &'static str,
    /// The prefixes of the models' names, which may follow a provider's name with a slash or a dot. None for a rule
    /// about a version.
    pub(crate) names: &'static [&'static str],
    /// Prefixes of names that begin so, too, and are other models.
    pub(crate) but: &'static [&'static str],
    /// The settings with their cells.
    pub(crate) cells: &'static [(&'static str, Cell)],
}

impl ModelRule {
    pub(super) const fn of(
        wire: &'static str,
        names: &'static [&'static str],
        cells: &'static [(&'static str, Cell)],
    ) -> Self {
        Self { wire, version: "", names, but: &[], cells }
    }

    pub(super) const fn version(self, version: &'static str) -> Self {
        Self { version, ..self }
    }

    pub(super) const fn but(self, but: &'static [&'static str]) -> Self {
        Self { but, ..self }
    }

    pub(super) fn cell(&self, setting: &str) -> Option<&'static Cell> {
        let cells: &'static [(&'static str, Cell)] = self.cells;
        cells.iter().find(|(name, _)| *name == setting).map(|(_, cell)| cell)
    }
}

/// Words for effort at a place: the first argument spells the scale, the second is the set of words that a model has.
macro_rules! effort {
    ($place:expr, $spelling:expr, $own:expr) => {
        at(&[$place], crate::rules::settings::effort_words!($spelling, $own))
    };
}
pub(super) use effort;

pub(super) const MANY: f64 = 9_007_199_254_740_991.0;
pub(super) const NO_THOUGHT: Cell = at(&[], Kind::Refused("the model does not reason"));
/// The only choices of tools of a model that never has to call one.
pub(super) const NOT_FORCED: Cell = at(&[], Kind::Choices(&[Chosen::Auto, Chosen::None]));
/// A model without the choice of tools.
pub(super) const NO_CHOICE: Cell = at(&[], Kind::Choices(&[]));
pub(super) const JSON_OR_TOOLS: Kind = Kind::Refused("the model takes no format of the reply beside tools");
