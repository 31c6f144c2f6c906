//! Entities of a store: a message in a body, with an id beside it. Everything around the message is the caller's own.

use crate::{
    handle::{Host, Text},
    json,
    node::NodeKind,
    value::{Source, keys},
};

keys! {
    BODY = "body";
    ID = "id";
    ROLE = "role";
    TYPE = "type";
}

/// What a store keeps around a message.
#[derive(Debug)]
pub struct Entity<H: Host> {
    /// What the store knows it by.
    pub id: Option<Text<H>>,
}

impl<H: Host> Entity<H> {
    /// The key of the message.
    #[must_use]
    pub fn body() -> &'static str {
        BODY.name
    }

    /// The key of the id.
    #[must_use]
    pub fn key() -> &'static str {
        ID.name
    }

    pub(crate) fn share(&self) -> Self {
        Self { id: self.id.as_ref().map(Text::share) }
    }

    /// The message in an entity, if this is one, and what surrounds it.
    pub(crate) fn open<S: Source<H = H>>(element: &S) -> Option<(S, Self)> {
        let body = element.get(&BODY).filter(|body| body.kind() == NodeKind::Map)?;
        let message = [&ROLE, &TYPE].into_iter().any(|key| element.get(key).is_some());
        (!message).then(|| (body, Self { id: element.get(&ID).and_then(|id| name(&id)) }))
    }
}

/// An id as text: stores count, too.
fn name<S: Source>(id: &S) -> Option<Text<S::H>> {
    match id.kind() {
        NodeKind::Text => id.text(),
        NodeKind::Number => json::write::to_string(&id.raw(), id.input()).ok().map(|id| Text::own(&id)),
        _ => None,
    }
}
