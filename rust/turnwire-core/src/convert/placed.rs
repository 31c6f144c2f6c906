//! Says in the calls of another format where their tools are, for a target with groups of tools.

use std::collections::BTreeMap;

use super::functions::{is_hidden, loaded, names::Names};
use crate::{
    model::{Call, Kind, Turn, View},
    report::{Edit, Error, Losses},
    rules::{DialectId, Limits},
    value::{HashMap, HashSet, Host, Input, Text},
};

const IN_GROUP: &str = "the target has groups of tools: the call says in which its tool is";
const FOUND: &str = "the target shows this tool after a search, and needs its name as the group of the call";

/// The turns with such calls.
pub(super) fn of<H: Host>(
    view: &View<'_, H>,
    target: DialectId,
    losses: &mut Losses,
) -> Result<BTreeMap<usize, Turn<H>>, Error> {
    let mut made = BTreeMap::new();
    let foreign = |turn: &Turn<H>| !turn.from.same_wire(target) && turn.calls().next().is_some();
    if target.facts.deferred.is_none() || !view.turns.iter().any(|turn| foreign(turn)) {
        return Ok(made);
    }
    let known = Known::of(view, target)?;
    if known.groups.is_empty() && known.found.is_empty() {
        return Ok(made);
    }
    for (index, turn) in view.turns.iter().enumerate().filter(|(_, turn)| foreign(turn)) {
        let input = turn.input.as_ref();
        let mut new = turn.touch();
        let mut changed = false;
        for (at, part) in new.parts.iter_mut().enumerate() {
            let Kind::Call(call) = &mut part.kind else { continue };
            if let Some((group, name, why)) = known.place(call, input) {
                (call.namespace, call.name) = (Some(Box::new(Text::own(&group))), Text::own(&name));
                losses.changed(Edit::Name, turn.part_path(index, at), why);
                changed = true;
            }
        }
        if changed {
            made.insert(index, new);
        }
    }
    Ok(made)
}

/// The tools that a call without a group does not reach.
struct Known {
    limits: &'static Limits,
    /// The group and the name of each member, by both as one.
    groups: HashMap<String, (String, String)>,
    /// The tools in no group that the model finds by a search.
    found: HashSet<String>,
}

impl Known {
    fn of<H: Host>(view: &View<'_, H>, target: DialectId) -> Result<Self, Error> {
        let (limits, own) = (target.limits()?, |from: DialectId| from.same_wire(target));
        let (frame, input) = (view.frame, view.frame.input.as_ref());
        let shown = loaded::all(view, &own);
        let names = Names::of(view, &shown, limits, &own);
        let groups = names.table.tools().filter_map(|(wire, tool)| {
            let group = tool.namespace.as_deref()?;
            Some((wire.to_owned(), (group.to_owned(), tool.name.to_string())))
        });
        let plain = frame.tools.iter().flatten().filter(|tool| !tool.by_provider);
        let (hidden, plain): (Vec<_>, Vec<_>) =
            plain.partition(|tool| own(frame.dialect_of(tool)) && is_hidden(tool, frame.dialect_of(tool), input));
        let shown = shown.iter().filter(|(tool, _)| tool.namespace.is_none() && !tool.by_provider);
        let shown = shown.map(|(tool, input)| limits.legal_name(&tool.name, input.as_ref()));
        let plain: HashSet<_> = plain.iter().map(|tool| limits.legal_name(&tool.name, input)).collect();
        let found = hidden.iter().map(|tool| limits.legal_name(&tool.name, input)).chain(shown);
        let found = found.filter(|name| !plain.contains(name)).collect();
        Ok(Self { limits, groups: groups.collect(), found })
    }

    /// The group and the name of the tool of a call that names neither, and why it must.
    fn place<H: Host>(&self, call: &Call<H>, input: Option<&Input>) -> Option<(String, String, &'static str)> {
        if call.namespace.is_some() || call.form.is_some() {
            return None;
        }
        let name = self.limits.legal_name(&call.name, input);
        match self.groups.get(&name) {
            Some((group, own)) => Some((group.clone(), own.clone(), IN_GROUP)),
            None => self.found.contains(&name).then(|| (name.clone(), name, FOUND)),
        }
    }
}
