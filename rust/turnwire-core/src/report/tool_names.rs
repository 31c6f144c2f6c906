//! Tools whose names on the wire differ from the caller's, and tools that take free text.

use std::sync::Arc;

/// Pairs of a name on the wire and the caller's own, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolNames {
    pairs: Vec<(Arc<str>, Arc<str>)>,
    /// The caller's own names of tools that take free text.
    texts: Vec<Arc<str>>,
}

impl ToolNames {
    /// These pairs.
    #[must_use]
    pub fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut names = Self::default();
        pairs.into_iter().for_each(|(wire, own)| names.add(&wire, &own));
        names
    }

    /// Whether no name differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
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
    pub(crate) fn join(&mut self, others: &Self) {
        others.iter().for_each(|(wire, own)| self.add(wire, own));
    }

    /// The caller's name of a tool. `None` if it is the same.
    #[must_use]
    pub fn own(&self, wire: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == wire).map(|(_, own)| own)
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
