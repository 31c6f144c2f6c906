//! Holds the request that a reply answers, if it is known.

use std::sync::OnceLock;

use super::id::Tail;
use crate::{
    k,
    rules::DialectId,
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, json},
};

/// Whether a request is in a format.
type IsIn<H> = fn(&Value<H>, DialectId) -> bool;

/// The request that a reply answers, if it is known.
pub(crate) struct Wanted<H: Host>(Option<Asked<H>>);

struct Asked<H: Host> {
    request: Value<H>,
    client: DialectId,
    is_in: IsIn<H>,
    /// Whether the request is in the client's format, once a writer asks: it takes a look at every message.
    own: OnceLock<bool>,
}

impl<H: Host> Wanted<H> {
    /// The request is unknown.
    pub(crate) fn unknown() -> Self {
        Self(None)
    }

    /// A request, and the format of the client that reads the reply. A request in another format, by `is_in`, does not show
    /// what that client expects.
    pub(crate) fn of(request: Value<H>, client: DialectId, is_in: IsIn<H>) -> Self {
        Self(Some(Asked { request, client, is_in, own: OnceLock::new() }))
    }

    /// The client's own request, if it is known.
    fn own(&self) -> Option<Tree<'_, H>> {
        let Asked { request, client, is_in, own } = self.0.as_ref()?;
        own.get_or_init(|| is_in(request, *client)).then_some(Tree(request))
    }

    /// Whether the client's own request is known.
    pub(crate) fn is_own(&self) -> bool {
        self.own().is_some()
    }

    /// The value of a key in the client's own request. `None` if that request is unknown.
    pub(crate) fn says(&self, key: &'static Key) -> Option<Tree<'_, H>> {
        self.own()?.get(key).filter(|value| value.kind() != NodeKind::Null)
    }

    /// The requested model.
    pub(super) fn model(&self) -> Option<Text<H>> {
        Tree(&self.0.as_ref()?.request).get(&k::MODEL)?.text()
    }

    /// The tail of the ids of a reply without an id: always the same for the same request. `None` if that is unknown.
    pub(super) fn tail(&self) -> Option<Tail> {
        let mut seed = Vec::new();
        let _ = json::encode::value(&self.0.as_ref()?.request, None, &mut seed);
        Some(Tail::hashed(&seed))
    }
}
