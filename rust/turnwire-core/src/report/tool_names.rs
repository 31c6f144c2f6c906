//! Tools whose names on the wire differ from the caller's, and what only the caller's format says of a tool.

use std::sync::Arc;

/// Pairs of a name on the wire and the caller's own, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolNames {
    pairs: Vec<(Arc<str>, Arc<str>)>,
    /// The caller's own names of tools that take free text.
    texts: Vec<Arc<str>>,
    /// The caller's tools that are plain functions on the wire only, by their names there.
    tools: Vec<(Arc<str>, OwnTool)>,
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

    /// Whether no name differs, and each tool is what it is for the caller.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.tools.is_empty()
    }

    /// Adds a pair. The first pair with a name counts.
    pub(crate) fn add(&mut self, wire: &str, own: &str) {
        if wire != own && self.own(wire).is_none() {
            self.pairs.push((wire.into(), own.into()));
        }
    }

    /// Records that the caller's tool takes free text.
    pub(crate) fn add_text(&mut self, own: &str) {
        self.texts.push(own.into());
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
    pub fn is_text(&self, own: &str) -> bool {
        self.texts.iter().any(|known| **known == *own)
    }

    /// Adds the names of another.
    pub fn join(&mut self, others: &Self) {
        others.iter().for_each(|(wire, own)| self.add(wire, own));
        self.texts.extend(others.texts.iter().filter(|text| !self.is_text(text)).cloned().collect::<Vec<_>>());
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
