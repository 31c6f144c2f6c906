//! Marks of what a prompt cache is to keep, on their way from one wire of a family of models to another.

use super::Item;
use crate::{
    model::part::{Kind, Part},
    rules::{
        dialect_id::DialectId,
        family::{CacheMark, Cached},
    },
    value::{
        extras::Extras,
        handle::{Host, Input, Raw, Text},
    },
};

/// The mark that stands among the keys of something, where the target has marks of its own.
pub(crate) fn in_keys<H: Host>(
    (from, target): (DialectId, DialectId),
    extras: Option<&Extras<H>>,
    input: Option<&Input>,
) -> Option<(&'static str, Cached)> {
    let Some(CacheMark::Key(name)) = marks(from, target) else { return None };
    let (_, value) = extras?.iter().find(|(key, _)| key.is(name.name, input))?;
    Some((name.name, Cached::read(&value.to_value(input).ok()?)?))
}

/// The mark that a block is which says nothing else.
pub(crate) fn in_block<H: Host>(
    wires: (DialectId, DialectId),
    part: &Part<H>,
    input: Option<&Input>,
) -> Option<Cached> {
    let Kind::Opaque(kind) = &part.kind else { return None };
    mark_of(wires, (kind, part.origin.as_ref()), input)
}

/// The same of anything that is known by the name of its kind.
pub(crate) fn mark_of<H: Host>(
    (from, target): (DialectId, DialectId),
    (kind, origin): (&Text<H>, Option<&Raw<H>>),
    input: Option<&Input>,
) -> Option<Cached> {
    let Some(CacheMark::Block(name)) = marks(from, target) else { return None };
    let block = origin.filter(|_| kind.is(name.name, input))?.to_value(input).ok()?;
    Cached::read(&CacheMark::inside(name.name, &block)?)
}

/// How `from` marks, where the target marks as well.
fn marks(from: DialectId, target: DialectId) -> Option<CacheMark> {
    from.facts.cache.filter(|_| target.facts.cache.is_some() && from.is_relative(target))
}

/// A mark inside of a result stands at its end, where the target has no place for it inside.
pub(super) fn behind<H: Host>(items: &mut [Item<'_, H>]) -> Option<Cached> {
    items.iter_mut().filter_map(|item| item.cached.take()).next_back()
}
