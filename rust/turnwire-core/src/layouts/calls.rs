//! Reads calls and results by the columns that say what is in them.

use super::{
    at::At,
    signs::Signs,
    unread::Used,
    wanted::missing,
    ways::Ways,
    writer::{ASSISTANT, TOOL, Writer},
};
use crate::{
    report::Error,
    rules::record_layout::{CallAt, ResultAt},
    value::{NoHost, Source, Text},
};

/// What is in a call.
#[derive(Debug)]
pub(super) struct CallWays {
    id: Ways,
    name: Ways,
    args: Ways,
}

impl CallWays {
    pub(super) fn of(at: CallAt) -> Self {
        Self { id: Ways::of(at.id), name: Ways::of(at.name), args: Ways::of(at.args) }
    }

    /// The id of a call.
    pub(super) fn id_in<S: Source>(&self, call: &S) -> Option<String> {
        self.id.find(call)?.0.word().map(std::borrow::Cow::into_owned)
    }

    /// Writes a call. A call without arguments has none.
    pub(super) fn write<'w, S: Source>(
        &'w self,
        call: &S,
        at: &At<'_>,
        used: &mut Used<'w>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        let Some((name, way)) = self.name.find(call) else {
            return Err(missing([&self.name], call).at_path(at.path()));
        };
        to.message_of(ASSISTANT, at);
        to.open_part("tool_call", at);
        to.value("name", &name, &at.way(way))?;
        used.add(way);
        if let Some((id, way)) = self.id.find(call) {
            to.value("id", &id, &at.way(way))?;
            used.add(way);
        }
        match self.args.find(call) {
            Some((args, way)) => {
                to.value("arguments", &args, &at.way(way))?;
                used.add(way);
            }
            None => to.texts::<NoHost>("arguments", false, [(&Text::own("{}"), None)].into_iter()),
        }
        to.close_map();
        Ok(())
    }
}

/// What is in a result.
#[derive(Debug)]
pub(super) struct ResultWays {
    id: Ways,
    name: Ways,
    says: Ways,
    failed: Signs,
}

impl ResultWays {
    pub(super) fn of(at: ResultAt) -> Self {
        Self { id: Ways::of(at.id), name: Ways::of(at.name), says: Ways::of(at.says), failed: Signs::of(at.failed) }
    }

    /// Whether a call that may have its own result has one.
    pub(super) fn is_in<S: Source>(&self, call: &S) -> bool {
        self.says.find(call).is_some()
    }

    /// Whether a result names its tool.
    pub(super) fn has_name<S: Source>(&self, result: &S) -> bool {
        self.name.find(result).is_some()
    }

    /// The ways that are followed.
    pub(super) fn used<'w, S: Source>(&'w self, node: &S, used: &mut Used<'w>) {
        for ways in [&self.id, &self.name, &self.says] {
            used.extend(ways.find(node).map(|(_, way)| way));
        }
        used.extend(self.failed.ways());
    }

    /// Writes a result.
    pub(super) fn write<S: Source>(&self, result: &S, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
        let Some((says, way)) = self.says.find(result) else {
            return Err(missing([&self.says], result).at_path(at.path()));
        };
        to.message_of(TOOL, at);
        to.open_part("tool_call_response", at);
        for (key, ways) in [("id", &self.id), ("name", &self.name)] {
            if let Some((value, way)) = ways.find(result) {
                to.value(key, &value, &at.way(way))?;
            }
        }
        to.says(&says, self.failed.find(result).is_some(), &at.way(way))?;
        to.close_map();
        Ok(())
    }
}
