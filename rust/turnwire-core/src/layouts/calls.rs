//! Reads calls and results by the columns that say what is in them.

use super::{
    at::At,
    opened::json_in,
    signs::Signs,
    unread::Used,
    wanted::missing,
    ways::Ways,
    writer::{ASSISTANT, TOOL, Writer},
};
use crate::{
    report::{Edit, Error},
    rules::record_layout::{CallAt, ResultAt},
    value::{NoHost, Source, Text},
};

/// What is in a call.
#[derive(Debug)]
pub(super) struct CallWays {
    id: Ways,
    name: Ways,
    args: Ways,
    /// Whether the names are those of parts of a program, such as `web.search`, which no provider takes.
    is_free: bool,
}

impl CallWays {
    pub(super) fn of(at: CallAt, is_free: bool) -> Self {
        Self { id: Ways::of(at.id), name: Ways::of(at.name), args: Ways::of(at.args), is_free }
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
        named(&name, self.is_free, &at.way(way), to)?;
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

impl CallWays {
    /// Writes a call whose arguments are text. Text that is no JSON is the one argument `input`.
    pub(super) fn write_text<'w, S: Source>(
        &'w self,
        call: &S,
        at: &At<'_>,
        used: &mut Used<'w>,
        to: &mut Writer,
    ) -> Result<(), Error> {
        let found = self.args.find(call).and_then(|(args, way)| Some((args.text()?, args, way)));
        let Some((text, args, way)) = found.filter(|(_, args, _)| json_in(args).is_none()) else {
            return self.write(call, at, used, to);
        };
        let Some((name, name_way)) = self.name.find(call) else {
            return Err(missing([&self.name], call).at_path(at.path()));
        };
        used.add(way);
        used.add(name_way);
        to.message_of(ASSISTANT, at);
        to.open_part("tool_call", at);
        named(&name, self.is_free, &at.way(name_way), to)?;
        to.argument("input", (&text, args.input()));
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
    /// Whether the names are those of parts of a program.
    is_free: bool,
}

impl ResultWays {
    pub(super) fn of(at: ResultAt, is_free: bool) -> Self {
        Self {
            id: Ways::of(at.id),
            name: Ways::of(at.name),
            says: Ways::of(at.says),
            failed: Signs::of(at.failed),
            is_free,
        }
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
        if let Some((id, way)) = self.id.find(result) {
            to.value("id", &id, &at.way(way))?;
        }
        if let Some((name, way)) = self.name.find(result) {
            named(&name, self.is_free, &at.way(way), to)?;
        }
        to.says(&says, self.failed.find(result).is_some(), &at.way(way))?;
        to.close_map();
        Ok(())
    }
}

/// Writes the name of a tool. In a free one, what providers refuse becomes an underscore.
fn named<S: Source>(name: &S, is_free: bool, at: &At<'_>, to: &mut Writer) -> Result<(), Error> {
    let is_taken = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match name.word().filter(|word| is_free && !word.chars().all(is_taken)) {
        Some(word) => {
            let taken: String = word.chars().map(|c| if is_taken(c) { c } else { '_' }).collect();
            to.lost(Edit::Name, at, format!("{word:?} is written as {taken:?}, because providers refuse such names"));
            to.word("name", &taken);
            Ok(())
        }
        None => to.value("name", name, at),
    }
}
