//! Gives each tool that only its own format describes the name that it has as a plain function.

use super::{key_of, loaded::Shown};
use crate::{
    model::{Call, Frame, Kind, Tool, View, joined},
    report::{ToolNames, tool_names::OwnTool},
    rules::{CallForm, DialectId, Limits},
    value::{HashMap, HashSet, Host, Input, NoHost, Text},
};

/// How a tool is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Function,
    /// With free text.
    Custom,
    /// By an item of its own kind.
    Form(&'static str),
}

impl Sort {
    fn of(form: Option<CallForm>, custom: bool) -> Self {
        match form {
            Some(form) => Self::Form(form.call()),
            None if custom => Self::Custom,
            None => Self::Function,
        }
    }

    /// Whether a call of this sort may be meant for a tool of the other, if there is no better one.
    fn is_like(self, other: Self) -> bool {
        self == other || !matches!(self, Self::Form(_)) && !matches!(other, Self::Form(_))
    }
}

/// A tool by the name of its group, if it is in one, its own name, and how it is called.
pub(super) type Key = (String, String, Sort);

/// The key of a definition.
pub(super) fn of_tool<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> Key {
    let group = tool.namespace.as_ref().map_or_else(String::new, |group| group.to_str(input).into_owned());
    (group, tool.name.to_str(input).into_owned(), Sort::of(tool.form, tool.custom))
}

/// The key of a tool of the same name that takes arguments where this one takes free text, or the reverse.
pub(super) fn twin_of((group, name, sort): &Key) -> Option<Key> {
    let sort = match sort {
        Sort::Function => Sort::Custom,
        Sort::Custom => Sort::Function,
        Sort::Form(_) => return None,
    };
    Some((group.clone(), name.clone(), sort))
}

/// The key of the tool of a call, if only its own format describes that. A tool that is in no group counts as a group of
/// its own, if a search has found it.
pub(super) fn of_call<H: Host>(call: &Call<H>, input: Option<&Input>) -> Option<Key> {
    let name = call.name.to_str(input).into_owned();
    let group = call.namespace.as_ref().map_or_else(String::new, |group| group.to_str(input).into_owned());
    let group = if group == name { String::new() } else { group };
    let sort = Sort::of(call.form, call.custom);
    (call.form.is_some() || !group.is_empty()).then_some((group, name, sort))
}

/// The names that tools get.
pub(in crate::convert) struct Names<'a> {
    pub(super) limits: &'a Limits,
    taken: HashSet<String>,
    given: HashMap<(String, String), Vec<(Sort, String)>>,
    pub(in crate::convert) table: ToolNames,
}

impl<'a> Names<'a> {
    /// The names of all such tools: the definitions in their order, what items show, then what is only called. `meant`:
    /// the formats whose tools get one. Those of plain functions are taken.
    pub(in crate::convert) fn of<H: Host>(
        view: &View<'_, H>,
        loaded: &[Shown<H>],
        limits: &'a Limits,
        meant: &dyn Fn(DialectId) -> bool,
    ) -> Self {
        let (frame, input) = (view.frame, view.frame.input.as_ref());
        let is_meant = |frame: &Frame<H>, tool: &Tool<H>| meant(frame.dialect_of(tool));
        let legal = |name: &str| limits.legal_name(&Text::<NoHost>::own(name), None);
        let stays = |tool: &&Tool<H>| !tool.by_provider || !is_meant(frame, tool);
        let plain: Vec<_> = frame.tools.iter().flatten().filter(stays).filter_map(|tool| tool.called(input)).collect();
        let shown = loaded.iter().filter(|(tool, _)| tool.namespace.is_none() && !tool.by_provider);
        let shown = shown.map(|(tool, input)| tool.name.to_str(input.as_ref()).into_owned());
        let taken = plain.iter().cloned().chain(shown).map(|name| legal(&name)).collect();
        let mut names = Self { limits, taken, given: HashMap::default(), table: ToolNames::default() };
        for tool in frame.tools.iter().flatten().filter(|tool| is_meant(frame, tool)) {
            tool.functions.iter().for_each(|one| drop(names.give(of_tool(one, input))));
        }
        for (tool, input) in loaded.iter().filter(|(tool, _)| tool.namespace.is_some()) {
            names.give(of_tool(tool, input.as_ref()));
        }
        for turn in view.turns.iter().filter(|turn| meant(turn.from)) {
            let calls = turn.parts.iter().filter_map(|part| match &part.kind {
                Kind::Call(call) => of_call(call, turn.input.as_ref()),
                _ => None,
            });
            calls.for_each(|key| drop(names.for_call(key)));
        }
        // A call of one of these names means it, and no tool of a group with the same.
        for own in plain {
            let wire = legal(&own);
            if names.table.is_like_one_in_a_group(&wire) {
                names.table.add_tool(&wire, OwnTool { name: own.into(), namespace: None, call: None });
            }
        }
        names
    }

    /// The name of a tool, which all of its calls have: that of its group, and its own.
    pub(super) fn give(&mut self, (group, name, sort): Key) -> String {
        let found = self.given.entry((group.clone(), name.clone())).or_default();
        if let Some((_, given)) = found.iter().find(|(known, _)| *known == sort) {
            return given.clone();
        }
        let flat = joined(&group, &name);
        let legal = |name: &str| self.limits.legal_name(&Text::<NoHost>::own(name), None);
        let mut wire = legal(&flat);
        // One of these is free, because they are more than the taken names.
        for count in 2..self.taken.len() + 3 {
            if !self.taken.contains(&wire) {
                break;
            }
            wire = legal(&format!("{flat}_{count}"));
        }
        self.taken.insert(wire.clone());
        found.push((sort, wire.clone()));
        let call = if let Sort::Form(call) = sort { Some(call) } else { None };
        let namespace = (!group.is_empty()).then(|| group.as_str().into());
        if sort == Sort::Custom {
            self.table.add_text(namespace.clone(), &name);
        }
        self.table.add_tool(&wire, OwnTool { name: name.into(), namespace, call });
        wire
    }

    /// The name of the tool of a call.
    pub(super) fn for_call(&mut self, key: Key) -> String {
        let known = self.given.get(&(key.0.clone(), key.1.clone()));
        let find = |is: &dyn Fn(Sort) -> bool| known.into_iter().flatten().find(|(sort, _)| is(*sort));
        let found = find(&|sort| sort == key.2).or_else(|| find(&|sort| key.2.is_like(sort)));
        match found {
            Some((_, name)) => name.clone(),
            None => self.give(key),
        }
    }

    /// The name of a tool that is called, or one that stands for it in a choice.
    pub(super) fn of_chosen(&self, group: &str, name: &str) -> Option<String> {
        let known = self.given.get(&(group.to_owned(), name.to_owned()))?;
        known.first().map(|(_, name)| name.clone())
    }
}

/// Whether a definition is named here.
pub(super) fn is_named<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> bool {
    let key = key_of(tool, input);
    !key.0.is_empty() || matches!(key.2, Sort::Form(_))
}
