//! Decides whether a record is a row, which is stored, or a request, and what follows for its options.
//!
//! A request that ends with calls needs their results, and some providers refuse one that ends with the assistant. A row
//! does both: at its end is what a model shall learn. It needs no stand-ins for a server, and keeps its other keys.

use crate::{
    model::{Role, View},
    report::{Options, Others},
    rules::{
        DialectId,
        request_keys::{is_row_like, says_row},
    },
    value::{Host, NodeKind, Source, TapeSource},
};

/// What the caller says about records.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordOptions {
    /// Whether each is a row. `None`: the record decides.
    pub row: Option<bool>,
    /// What happens to other keys of a body. `None`: a row keeps them, and the options say it of a request.
    pub rest: Option<Others>,
}

/// What a record is, apart from what the caller says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordKind {
    /// It has a label of its own, or its dialect or the target is only stored.
    Row,
    /// It looks like an example: its form is that of a row, and nothing says that it is sent.
    Example,
    /// Anything else.
    Request,
}

impl RecordKind {
    /// What a payload is. `labelled`: whether it is from a row with lists for its completions.
    pub(super) fn of<H: Host>(
        payload: &TapeSource<'_, H>,
        read: &View<'_, H>,
        labelled: bool,
        target: Option<DialectId>,
    ) -> Self {
        let stored = |dialect: DialectId| dialect.facts.stored;
        if labelled || stored(read.frame.from) || target.is_some_and(stored) {
            Self::Row
        } else if is_example(payload, read) {
            Self::Example
        } else {
            Self::Request
        }
    }
}

impl RecordOptions {
    /// Whether a record is a row. `provider`: the target that the caller asks about. What only looks like an example is a
    /// request there.
    pub(super) fn is_row(self, record: RecordKind, provider: Option<DialectId>) -> bool {
        self.row.unwrap_or(record == RecordKind::Row || record == RecordKind::Example && provider.is_none())
    }

    /// What to add to an error about the end of a record that is checked or built for a provider, and looks like an
    /// example. Empty for any other.
    pub(super) fn hint(self, record: RecordKind, provider: Option<DialectId>) -> &'static str {
        let asks = self.row.is_none() && record == RecordKind::Example && provider.is_some();
        if asks { "; if this is a training row: --row, or end=\"row\"" } else { "" }
    }

    /// The options for a record. A bare list has no settings, so none are added where the caller does not ask for it.
    pub(super) fn options<H: Host>(self, row: bool, payload: &TapeSource<'_, H>, options: &Options) -> Options {
        let rest = self.rest.unwrap_or_else(|| match payload.kind() {
            _ if row => Others::Keep,
            NodeKind::List if options.settings.is_none() => Others::Caller,
            _ => options.rest,
        });
        Options { rest, row, ..options.clone() }
    }
}

/// Whether a body has the form of an example: nothing in it is for a server, and the assistant has the last word. Calls
/// at the end are an example only beside the definitions of tools: an agent that stopped leaves such a list, too.
fn is_example<H: Host>(payload: &TapeSource<'_, H>, read: &View<'_, H>) -> bool {
    let ends = || {
        read.turns.last().is_some_and(|last| {
            let defined = || read.frame.tools.as_ref().is_some_and(|tools| !tools.is_empty());
            last.speaker() == Role::Assistant && (last.calls().next().is_none() || defined())
        })
    };
    is_row_like(payload) && (says_row(payload) || ends())
}
