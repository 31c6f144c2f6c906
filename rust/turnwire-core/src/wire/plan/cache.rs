//! Translates marks for the prompt cache between the wires of one family of models.

use super::Item;
use crate::{
    model::part::{Kind, Part},
    rules::{cache_rule::CacheMark, dialect_id::DialectId},
    value::{
        door::{Key, Sink, keys},
        extras::Extras,
        handle::{Host, Input, Raw, Text, Value},
    },
};

keys! {
    TYPE = "type";
    TTL = "ttl";
    MINUTES = "5m";
    HOUR = "1h";
}

/// A mark for the cache, by its lifetime.
#[derive(Clone, Copy)]
pub(crate) enum Cached {
    /// The provider's default lifetime.
    Usual,
    /// For this long.
    For(&'static Key),
}

impl Cached {
    /// Reads a mark's object; `None` where it has other content.
    pub(crate) fn read<H: Host>(mark: &Value<H>) -> Option<Self> {
        let Value::Map(entries) = mark else { return None };
        let mut found = Self::Usual;
        for (key, value) in entries.iter() {
            match value {
                Value::Text(_) if key.is(TYPE.name, None) => {}
                Value::Null if key.is(TTL.name, None) => {}
                Value::Text(word) if key.is(TTL.name, None) => {
                    found = Self::For([&MINUTES, &HOUR].into_iter().find(|known| word.is(known.name, None))?);
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Writes the mark's object with the wire's own type.
    pub(crate) fn write<H: Host, K: Sink<H>>(self, kind: &'static Key, out: &mut K) {
        out.open_map();
        out.key(&TYPE);
        out.literal(kind);
        if let Self::For(ttl) = self {
            out.key(&TTL);
            out.literal(ttl);
        }
        out.close();
    }
}

/// The mark among the keys of something, where the target has marks of its own.
pub(crate) fn in_keys<H: Host>(
    (from, target): (DialectId, DialectId),
    extras: Option<&Extras<H>>,
    input: Option<&Input>,
) -> Option<(&'static str, Cached)> {
    let Some(CacheMark::Key(name)) = marks(from, target) else { return None };
    let (_, value) = extras?.iter().find(|(key, _)| key.is(name.name, input))?;
    Some((name.name, Cached::read(&value.to_value(input).ok()?)?))
}

/// The mark of a block that is nothing but a mark.
pub(crate) fn in_block<H: Host>(
    wires: (DialectId, DialectId),
    part: &Part<H>,
    input: Option<&Input>,
) -> Option<Cached> {
    let Kind::Opaque(kind) = &part.kind else { return None };
    mark_of(wires, (kind, part.origin.as_ref()), input)
}

/// The same for anything with a type name.
pub(crate) fn mark_of<H: Host>(
    (from, target): (DialectId, DialectId),
    (kind, origin): (&Text<H>, Option<&Raw<H>>),
    input: Option<&Input>,
) -> Option<Cached> {
    let Some(CacheMark::Block(name)) = marks(from, target) else { return None };
    let block = origin.filter(|_| kind.is(name.name, input))?.to_value(input).ok()?;
    match &block {
        Value::Map(entries) => match entries.iter().as_slice() {
            [(key, mark)] if key.is(name.name, None) => Cached::read(mark),
            _ => None,
        },
        _ => None,
    }
}

/// The form of `from`'s marks, where the target has marks, too.
fn marks(from: DialectId, target: DialectId) -> Option<CacheMark> {
    let rule = from.facts.cache.filter(|_| target.facts.cache.is_some() && from.is_relative(target))?;
    Some(rule.mark)
}

/// Moves a mark inside a result to its end, where the target has no place for it inside.
pub(super) fn behind<H: Host>(items: &mut [Item<'_, H>]) -> Option<Cached> {
    items.iter_mut().filter_map(|item| item.cached.take()).next_back()
}
