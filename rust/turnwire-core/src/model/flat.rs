//! Names a tool of a group where there are no groups of tools.

use super::{reply::Reply, tool::Call};
use crate::{
    report::{Error, ToolNames},
    rules::{CallForm, Facts, Limits},
    value::{Host, NoHost, Text},
};

/// The name of the tool of a call that only its own format has: that of the request's table, or that of its group and its
/// own. `None` if it keeps its name. The handles need no input.
pub(super) fn flat_name<H: Host>(
    names: &ToolNames,
    limits: &Limits,
    (group, name, form): (Option<&Text<H>>, &Text<H>, Option<CallForm>),
) -> Option<String> {
    let own = name.to_str(None);
    // A tool that is in no group counts as a group of its own, if a search has found it.
    let group = group.map(|group| group.to_str(None)).filter(|group| !group.is_empty() && *group != own);
    if let Some(known) = names.flat(group.as_deref(), &own, form.map(CallForm::call)) {
        return Some(known.to_owned());
    }
    let flat = joined(&group?, &own);
    Some(limits.legal_name(&Text::<NoHost>::own(&flat), None))
}

/// The name of a group and that of its member, as one.
pub(crate) fn joined(group: &str, name: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{group}__{name}") }
}

impl<H: Host> Call<H> {
    /// The call with its tool's name outside of groups. The handles need no input.
    pub(crate) fn flat(&self, names: &ToolNames, limits: &Limits) -> Self {
        let flat = flat_name(names, limits, (self.namespace.as_deref(), &self.name, self.form));
        let name = flat.map_or_else(|| self.name.share(), |name| Text::own(&name));
        Self { name, namespace: None, ..self.share() }
    }

    /// Whether a format has groups of tools, if the tool is in one, and calls of this kind.
    pub(crate) fn is_known_to(&self, facts: &Facts) -> bool {
        let is_grouped = self.namespace.is_some() && facts.deferred.is_none();
        !is_grouped && self.form.is_none_or(|form| facts.has_form(form))
    }
}

impl<H: Host> Reply<H> {
    /// [`Self::calls`] with the names that their tools have outside of groups.
    pub fn flat_calls(&self) -> Result<Vec<Call<H>>, Error> {
        let limits = self.from.limits()?;
        Ok(self.calls().map(|call| call.flat(&self.names, limits)).collect())
    }
}
