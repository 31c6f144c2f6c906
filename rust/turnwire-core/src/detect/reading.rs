//! How to read a payload: as what the caller names, or as what its signs show.

use crate::{
    dialects,
    report::Error,
    rules::{DialectId, RecordLayout},
    value::{Input, Tape},
};

/// How to read a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As the dialect that the caller names.
    As(DialectId),
    /// As the dialect that the caller names. User text in the form of a result becomes a result.
    WithResults(DialectId),
    /// As the dialect that its signs show, for this target.
    Auto(Option<DialectId>),
    /// [`Auto`](Self::Auto), but user text in the form of a result becomes a result. A format with such texts comes before all
    /// others that the signs allow.
    AutoWithResults(DialectId),
    /// By a layout that the caller names, for this target.
    Layout(&'static RecordLayout, Option<DialectId>),
    /// A body in this dialect, whose elements are in the dialects that their signs show, for this target.
    Framed(DialectId, Option<DialectId>),
}

impl Reading {
    /// The name for a payload whose dialect the caller does not give.
    pub const AUTO: &'static str = "auto";

    /// Reads the name of a dialect or of a layout, or [`AUTO`](Self::AUTO).
    pub fn named(name: &str, target: Option<DialectId>) -> Result<Self, Error> {
        match RecordLayout::named(name) {
            _ if name == Self::AUTO => Ok(Self::Auto(target)),
            Some(layout) => Ok(Self::Layout(layout, target)),
            None => DialectId::named(name).map(Self::As),
        }
    }

    /// The name by which a payload is read in this way. User text in the form of a result is another option.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::As(dialect) | Self::WithResults(dialect) => dialect.name(),
            Self::Layout(layout, _) => layout.name.to_owned(),
            Self::Auto(_) | Self::AutoWithResults(_) | Self::Framed(..) => Self::AUTO.to_owned(),
        }
    }

    /// Also reads user text in the form of a result as that result, in formats that have such texts.
    #[must_use]
    pub fn with_results(self) -> Self {
        match self {
            Self::As(dialect) => Self::WithResults(dialect),
            Self::Auto(target) => dialects::table::with_results(target).map_or(self, Self::AutoWithResults),
            Self::WithResults(_) | Self::AutoWithResults(_) | Self::Layout(..) | Self::Framed(..) => self,
        }
    }

    /// The dialect that the caller names, or the one that wins where the signs allow several.
    pub fn named_or_likely(self) -> Result<DialectId, Option<DialectId>> {
        match self {
            Self::As(dialect) | Self::WithResults(dialect) | Self::Framed(dialect, _) => Ok(dialect),
            Self::Auto(target) | Self::Layout(_, target) => Err(target),
            Self::AutoWithResults(likely) => Err(Some(likely)),
        }
    }

    /// Reads JSON text as a tape. The error names the dialect that the caller has named.
    pub fn tape(self, input: &Input) -> Result<Tape, Error> {
        Tape::read(input).map_err(|error| self.unread(error))
    }

    /// The error for a payload that was not read yet. It names a dialect only if the caller did.
    #[must_use]
    pub fn unread(self, error: Error) -> Error {
        match self.named_or_likely() {
            Ok(dialect) => error.in_dialect(&dialect.name()),
            Err(_) => error,
        }
    }
}

impl From<DialectId> for Reading {
    fn from(dialect: DialectId) -> Self {
        Self::As(dialect)
    }
}
