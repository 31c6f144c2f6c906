//! Tools whose names on the wire differ from the caller's, and what only the caller's format says of a tool.

use std::sync::Arc;

/// Pairs of a name on the wire and the caller's own, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolNames {
    pairs: Vec<(Arc<str>, Arc<str>)>,
    /// The caller's own names of tools that take free text, each with its group.
    texts: Vec<(Option<Arc<str>>, Arc<str>)>,
    /// The caller's tools that are plain functions on the wire only, by their names there.
    tools: Vec<(Arc<str>, OwnTool)>,
    /// The provider's tools that are plain functions for the caller only, by their names there.
    flats: Vec<(Arc<str>, OwnTool)>,
    /// The types of the items that call tools which the provider runs.
    hosted: Vec<&'static str>,
}

/// A tool of the caller that is a plain function on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTool {
    /// Its name.
    pub name: Arc<str>,
    /// The group of tools in which the name counts.
    pub namespace: Option<Arc<str>>,
    /// The type of the items that call it, if they are items of their own kind.
    pub call: Option<&'static str>,
}

/// What models leave out before the name of a tool of a server.
const OF_SERVER: &str = "mcp__";

impl ToolNames {
    /// These pairs.
    #[must_use]
    pub fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut names = Self::default();
        pairs.into_iter().for_each(|(wire, own)| names.add(&wire, &own));
        names
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.renames() && self.flats.is_empty() && self.hosted.is_empty()
    }

    /// Whether calls on the wire have other names or another kind for the caller.
    #[must_use]
    pub fn renames(&self) -> bool {
        !self.pairs.is_empty() || !self.tools.is_empty()
    }

    /// Adds a pair. The first pair with a name counts.
    pub(crate) fn add(&mut self, wire: &str, own: &str) {
        if wire != own && self.own(wire).is_none() {
            self.pairs.push((wire.into(), own.into()));
        }
    }

    /// Records that the caller's tool takes free text.
    pub(crate) fn add_text(&mut self, namespace: Option<Arc<str>>, own: &str) {
        self.texts.push((namespace, own.into()));
    }

    /// The same names for a caller without the tools that only the provider's format has: these are theirs as functions.
    #[must_use]
    pub fn with_flats(self, functions: Self) -> Self {
        Self { flats: functions.tools, ..self }
    }

    /// The caller's name of a tool that only the provider's format has.
    pub(crate) fn flat(&self, namespace: Option<&str>, name: &str, call: Option<&str>) -> Option<&str> {
        let is_it = |tool: &OwnTool| *tool.name == *name && tool.namespace.as_deref() == namespace && tool.call == call;
        self.flats.iter().find(|(_, tool)| is_it(tool)).map(|(wire, _)| &**wire)
    }

    /// Records that the provider runs the tools of these calls.
    pub(crate) fn add_hosted(&mut self, call: &'static str) {
        self.hosted.push(call);
    }

    /// The types of the items that call tools which the provider runs.
    pub(crate) fn hosted(&self) -> &[&'static str] {
        &self.hosted
    }

    /// Records what the caller's tool is, by its name on the wire.
    pub fn add_tool(&mut self, wire: &str, tool: OwnTool) {
        self.add(wire, &tool.name);
        self.tools.push((wire.into(), tool));
    }

    /// Whether any tool takes free text.
    #[must_use]
    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Whether the caller's tool takes free text.
    #[must_use]
    pub fn is_text(&self, namespace: Option<&str>, own: &str) -> bool {
        self.texts.iter().any(|(group, known)| **known == *own && group.as_deref() == namespace)
    }

    /// Adds the names of another.
    pub fn join(&mut self, others: &Self) {
        others.iter().for_each(|(wire, own)| self.add(wire, own));
        let is_new = |(group, text): &&(Option<Arc<str>>, Arc<str>)| !self.is_text(group.as_deref(), text);
        self.texts.extend(others.texts.iter().filter(is_new).cloned().collect::<Vec<_>>());
        let known = |wire: &str| self.tools.iter().any(|(known, _)| **known == *wire);
        let new: Vec<_> = others.tools.iter().filter(|(wire, _)| !known(wire)).cloned().collect();
        self.tools.extend(new);
    }

    /// The caller's name of a tool. `None` if it is the same.
    #[must_use]
    pub fn own(&self, wire: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == wire).map(|(_, own)| own)
    }

    /// What the caller's tool is. A model may leave out the name of its group, if only one tool has the rest.
    #[must_use]
    pub fn tool(&self, wire: &str) -> Option<&OwnTool> {
        let find = |is: &dyn Fn(&str) -> bool| self.tools.iter().find(|(known, _)| is(known)).map(|(_, tool)| tool);
        let without = |known: &str| known.strip_prefix(OF_SERVER) == Some(wire);
        find(&|known| known == wire).or_else(|| find(&without)).or_else(|| {
            let mut bare = self.tools.iter().filter(|(_, tool)| tool.namespace.is_some() && *tool.name == *wire);
            bare.next().filter(|_| bare.next().is_none()).map(|(_, tool)| tool)
        })
    }

    /// Whether a call of this name could be read as one of a tool in a group.
    pub(crate) fn is_like_one_in_a_group(&self, wire: &str) -> bool {
        let is_like = |known: &str, tool: &OwnTool| {
            tool.namespace.is_some() && (*tool.name == *wire || known.strip_prefix(OF_SERVER) == Some(wire))
        };
        self.tools.iter().any(|(known, tool)| is_like(known, tool))
    }

    /// The tools of the caller that are plain functions on the wire.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &OwnTool)> {
        self.tools.iter().map(|(wire, tool)| (&**wire, tool))
    }

    /// The name on the wire of the caller's tool. `None` if it is the same.
    pub(crate) fn wire(&self, own: &str) -> Option<&str> {
        self.iter().find(|(_, known)| *known == own).map(|(wire, _)| wire)
    }

    /// The pairs: the name on the wire, and the caller's.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(wire, own)| (&**wire, &**own))
    }
}
