//! A column of a layout, ready to be followed: the ways to a value, of which the first counts that leads to one.

use crate::value::{Key, NodeKind, Source};

/// A step of a way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hop {
    Key(&'static Key),
    Index(usize),
}

/// A way to a value.
#[derive(Clone, Debug)]
pub(super) struct Way(Vec<Hop>);

/// The ways of a column.
#[derive(Clone, Debug)]
pub(super) struct Ways(Vec<Way>);

impl Way {
    /// Reads `inputs.messages.0`, also in the spelling `.inputs.messages[0]`. A key lives as long as the table, so it is
    /// never freed.
    pub(super) fn of(way: &'static str) -> Self {
        let key = |hop| Hop::Key(Box::leak(Box::new(Key::new(hop))));
        let hops = way.split(['.', '[', ']']).filter(|hop| !matches!(*hop, "" | "$"));
        Self(hops.map(|hop| hop.parse().map_or_else(|_| key(hop), Hop::Index)).collect())
    }

    pub(super) fn hops(&self) -> &[Hop] {
        &self.0
    }

    /// The key of the record with which it begins.
    pub(super) fn top(&self) -> Option<&'static Key> {
        match self.0.first() {
            Some(Hop::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// The value at its end, unless it is null.
    pub(super) fn follow<S: Source>(&self, node: &S) -> Option<S> {
        let mut here = node.clone();
        for hop in &self.0 {
            here = match hop {
                Hop::Key(key) => here.get(key)?,
                Hop::Index(index) => here.items().nth(*index)?,
            };
        }
        (here.kind() != NodeKind::Null).then_some(here)
    }
}

impl Ways {
    /// Reads a column.
    pub(super) fn of(column: &'static str) -> Self {
        Self(column.split_ascii_whitespace().map(Way::of).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Way> {
        self.0.iter()
    }

    /// The first value, and the way to it.
    pub(super) fn find<S: Source>(&self, node: &S) -> Option<(S, &Way)> {
        self.find_if(node, |_| true)
    }

    /// The first value like this, and the way to it.
    pub(super) fn find_if<S: Source>(&self, node: &S, is: impl Fn(&S) -> bool) -> Option<(S, &Way)> {
        self.0.iter().find_map(|way| Some((way.follow(node).filter(&is)?, way)))
    }

    /// Every value, and the way to it.
    pub(super) fn all<S: Source>(&self, node: &S) -> impl Iterator<Item = (S, &Way)> {
        self.0.iter().filter_map(|way| Some((way.follow(node)?, way)))
    }

    /// Whether one of the ways leads to a value like this.
    pub(super) fn any<S: Source>(&self, node: &S, is: impl Fn(&S) -> bool) -> bool {
        self.find_if(node, is).is_some()
    }

    /// The keys of the record with which they begin.
    pub(super) fn tops(&self) -> impl Iterator<Item = &'static Key> {
        self.0.iter().filter_map(Way::top)
    }
}
