//! Translates cache marks between the formats of one family of models.

use crate::k;
use crate::{
    model::{Kind, Part},
    rules::{CacheMark, DialectId},
    value::{Extras, Host, Input, Key, Raw, Sink, Text, Value, door::keys},
};

keys! {
    MINUTES = "5m";
    HOUR = "1h";
}

/// The types of marks.
const KINDS: [&str; 2] = ["ephemeral", "default"];

/// A cache mark, by its lifetime.
#[derive(Clone, Copy)]
pub(crate) enum Cached {
    /// The provider's default lifetime.
    Usual,
    /// For this long.
    For(&'static Key),
}

impl Cached {
    /// Reads a mark's object. `None` if it has other content.
    pub(crate) fn read<H: Host>(mark: &Value<H>) -> Option<Self> {
        let Value::Map(entries) = mark else { return None };
        let mut found = Self::Usual;
        for (key, value) in entries.iter() {
            match value {
                Value::Text(word) if key.is(k::TYPE.name, None) && KINDS.iter().any(|kind| word.is(kind, None)) => {}
                Value::Null if key.is(k::TTL.name, None) => {}
                Value::Text(word) if key.is(k::TTL.name, None) => {
                    found = Self::For([&MINUTES, &HOUR].into_iter().find(|known| word.is(known.name, None))?);
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Writes the mark's object with the target's own type.
    pub(crate) fn write<H: Host, K: Sink<H>>(self, kind: &'static Key, out: &mut K) {
        out.open_map();
        out.key(&k::TYPE);
        out.literal(kind);
        if let Self::For(ttl) = self {
            out.key(&k::TTL);
            out.literal(ttl);
        }
        out.close();
    }
}

/// The mark among some keys, if the target has its own marks.
pub(crate) fn in_keys<H: Host>(
    (from, target): (DialectId, DialectId),
    extras: Option<&Extras<H>>,
    input: Option<&Input>,
) -> Option<(&'static str, Cached)> {
    let Some(CacheMark::Key(name)) = marks(from, target) else { return None };
    let (_, value) = extras?.iter().find(|(key, _)| key.is(name.name, input))?;
    Some((name.name, Cached::read(&value.to_value(input).ok()?)?))
}

/// The mark among the keys of a block that was read, if the target has its own marks.
pub(crate) fn in_entries<H: Host>(
    (from, target): (DialectId, DialectId),
    entries: &[(Text<H>, Value<H>)],
) -> Option<(&'static str, Cached)> {
    let Some(CacheMark::Key(name)) = marks(from, target) else { return None };
    let (_, value) = entries.iter().find(|(key, _)| key.is(name.name, None))?;
    Some((name.name, Cached::read(value)?))
}

/// The mark of a block that is only a mark.
pub(crate) fn in_block<H: Host>(
    wires: (DialectId, DialectId),
    part: &Part<H>,
    input: Option<&Input>,
) -> Option<Cached> {
    let Kind::Opaque(kind) = &part.kind else { return None };
    mark_of(wires, (kind, part.origin.as_ref()), input)
}

/// The mark of anything with a type name that is only a mark.
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

/// The form of `from`'s marks, if the target has marks too.
fn marks(from: DialectId, target: DialectId) -> Option<CacheMark> {
    let rule = from.facts.cache.filter(|_| target.facts.cache.is_some() && from.is_relative(target))?;
    Some(rule.mark)
}
