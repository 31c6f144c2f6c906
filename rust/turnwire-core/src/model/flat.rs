//! Names a tool of a group where there are no groups of tools.

use crate::{
    report::ToolNames,
    rules::{CallForm, Limits},
    value::{Host, NoHost, Text},
};

/// The name of the tool of a call that only its own format has: that of the request's table, or that of its group and its
/// own. `None` if it keeps its name. The handles need no input.
pub(crate) fn flat_name<H: Host>(
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
