//! Entities of a store: a message, an id beside it, and the caller's own keys.

use crate::k;
use crate::value::{Extras, Host, NodeKind, Raw, Source, Text, extras::map_extras, json};

/// An entity of a store, without its message.
#[derive(Debug)]
pub struct Entity<H: Host> {
    /// The id as text.
    pub id: Option<Text<H>>,
    /// The id, unchanged.
    pub raw_id: Option<Raw<H>>,
    /// All other keys beside the body.
    pub extras: Option<Box<Extras<H>>>,
    /// The entity, unchanged, body included.
    pub origin: Raw<H>,
}

impl<H: Host> Entity<H> {
    /// The key of the message.
    #[must_use]
    pub fn body() -> &'static str {
        k::BODY.name
    }

    /// The key of the id.
    #[must_use]
    pub fn key() -> &'static str {
        k::ID.name
    }

    pub(crate) fn share(&self) -> Self {
        self.map(&mut Text::share, &mut Raw::share)
    }

    /// A copy with every handle replaced.
    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        Self {
            id: self.id.as_ref().map(&mut *text),
            raw_id: self.raw_id.as_ref().map(&mut *raw),
            extras: map_extras(self.extras.as_deref(), text, raw),
            origin: raw(&self.origin),
        }
    }

    /// The message in an entity, if this is one, and what surrounds it.
    pub(crate) fn open<S: Source<H = H>>(element: &S) -> Option<(S, Self)> {
        let body = element.get(&k::BODY).filter(|body| body.kind() == NodeKind::Map)?;
        if [&k::ROLE, &k::TYPE].into_iter().any(|key| element.get(key).is_some()) {
            return None;
        }
        let id = element.get(&k::ID);
        let known = |key: &Text<H>| [&k::ID, &k::BODY].iter().any(|known| key.is(known.name, element.input()));
        let beside = element.entries().filter(|(key, _)| !known(key));
        let extras: Extras<H> = beside.map(|(key, value)| (key, value.raw())).collect();
        let entity = Self {
            id: id.as_ref().and_then(name),
            raw_id: id.map(|id| id.raw()),
            extras: (!extras.is_empty()).then(|| Box::new(extras)),
            origin: element.raw(),
        };
        Some((body, entity))
    }
}

/// An id as text; some stores use numbers.
fn name<S: Source>(id: &S) -> Option<Text<S::H>> {
    match id.kind() {
        NodeKind::Text => id.text(),
        NodeKind::Number => json::encode::to_string(&id.raw(), id.input()).ok().map(|id| Text::own(&id)),
        _ => None,
    }
}
