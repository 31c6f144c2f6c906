//! Holds the request that a reply answers, if it is known.

use super::id::Tail;
use crate::{
    k,
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, json},
};

/// The request that a reply answers, if it is known.
pub(crate) struct Wanted<H: Host> {
    request: Option<Value<H>>,
    /// Whether it is in the client's own format. A request in another format does not show what the client expects.
    own: bool,
}

impl<H: Host> Wanted<H> {
    /// The request is unknown.
    pub(crate) fn unknown() -> Self {
        Self { request: None, own: false }
    }

    /// A request. `own`: whether it is in the client's own format.
    pub(crate) fn of(request: Value<H>, own: bool) -> Self {
        Self { request: Some(request), own }
    }

    /// The value of a key in the client's own request. `None` if that request is unknown.
    pub(crate) fn says(&self, key: &'static Key) -> Option<Tree<'_, H>> {
        Tree(self.request.as_ref().filter(|_| self.own)?).get(key).filter(|value| value.kind() != NodeKind::Null)
    }

    /// Whether the client's own request is known.
    pub(crate) fn is_own(&self) -> bool {
        self.own
    }

    /// The requested model.
    pub(super) fn model(&self) -> Option<Text<H>> {
        Tree(self.request.as_ref()?).get(&k::MODEL)?.text()
    }

    /// The tail of the ids of a reply without an id: always the same for the same request. `None` if that is unknown.
    pub(super) fn tail(&self) -> Option<Tail> {
        let mut seed = Vec::new();
        let _ = json::encode::value(self.request.as_ref()?, None, &mut seed);
        Some(Tail::hashed(&seed))
    }
}
