//! Says where a payload keeps its list, system text, tools and choice of tools, in every spelling that is read.

use crate::k;
use crate::{
    report::{Path, Place},
    value::{Key, NodeKind, Source},
};

/// The slots of a format's payload.
pub(crate) struct Slots {
    /// The list of turns. A format whose payload is the bare list has no name for it.
    pub(crate) list: Slot,
    /// Whether the list may be a string: a single user text.
    pub(crate) list_or_text: bool,
    /// Whether a list of one may be written without brackets, as the JSON form of protobuf allows for any repeated
    /// field.
    pub(crate) singles: bool,
    /// System text.
    pub(crate) system: Option<Slot>,
    /// Tool definitions.
    pub(crate) tools: Option<Slot>,
    /// The choice of tools.
    pub(crate) choice: Option<Slot>,
    /// Keys that show that the server may have earlier calls or results.
    pub(crate) continues: &'static [&'static Key],
    /// Settings that servers accept only in a payload with tools.
    pub(crate) beside_tools: &'static [&'static str],
}

impl Slots {
    /// For a payload that is the bare list.
    pub(crate) const BARE_LIST: Self = Self {
        list: Slot(&[Spelling::at(&k::EMPTY)]),
        list_or_text: false,
        singles: false,
        system: None,
        tools: None,
        choice: None,
        continues: &[],
        beside_tools: &[],
    };

    /// The payload is the bare list. The body of a request with this list is read as well, and is written as a body.
    pub(crate) const LIST_OR_BODY: Self =
        Self { list: Slot(&[Spelling::at(&k::EMPTY), Spelling::at(&k::MESSAGES)]), ..Self::BARE_LIST };
}

/// One slot. The first spelling is the one that is written.
#[derive(Clone, Copy)]
pub(crate) struct Slot(pub(crate) &'static [Spelling]);

/// One spelling of a slot.
pub(crate) struct Spelling {
    /// The key that holds it.
    pub(crate) key: &'static Key,
    /// The key of the payload that holds it, if the two are nested.
    pub(crate) outer: Option<&'static Key>,
    /// The path: both keys, with a dot between.
    path: &'static str,
    /// Whether the other keys inside the outer key are settings.
    pub(crate) among: bool,
    /// Whether it is deprecated. Its server accepts it only if the first spelling is absent, and it is never newly
    /// written.
    pub(crate) old: bool,
}

impl Spelling {
    /// A key of the payload.
    pub(crate) const fn at(key: &'static Key) -> Self {
        Self { key, outer: None, path: "", among: false, old: false }
    }

    /// A deprecated key of the payload, which the first one has replaced.
    pub(crate) const fn old(key: &'static Key) -> Self {
        Self { old: true, ..Self::at(key) }
    }

    /// A key inside a key of the payload. `path` is both, with a dot between.
    pub(crate) const fn inside(outer: &'static Key, key: &'static Key, path: &'static str) -> Self {
        Self { key, outer: Some(outer), path, among: false, old: false }
    }

    /// A key inside a key of the payload whose other keys are settings.
    pub(crate) const fn among_settings(outer: &'static Key, key: &'static Key, path: &'static str) -> Self {
        Self { among: true, ..Self::inside(outer, key, path) }
    }

    /// Its value in a payload, `null` included.
    #[inline]
    fn find<S: Source>(&self, payload: &S) -> Option<S> {
        match self.outer {
            Some(outer) => payload.get(outer)?.get(self.key),
            None if self.key.name.is_empty() => None,
            None => payload.get(self.key),
        }
    }

    /// Whether its outer key can hold it. Settings that are not an object are left unchanged.
    pub(crate) fn has_room<S: Source>(&self, payload: &S) -> bool {
        let is_object = |outer| payload.get(outer).is_none_or(|outer| outer.kind() == NodeKind::Map);
        !self.among || self.outer.is_none_or(is_object)
    }

    /// The key of the payload.
    pub(crate) fn top(&self) -> &'static Key {
        self.outer.unwrap_or(self.key)
    }

    /// Its path as text.
    pub(crate) fn path(&self) -> &'static str {
        if self.path.is_empty() { self.key.name } else { self.path }
    }

    /// Its path.
    pub(crate) fn to_path(&self) -> Path {
        Path::default().at(Place::key(self.path()))
    }
}

impl Slot {
    /// The spelling that is written.
    pub(crate) fn first(&self) -> &'static Spelling {
        // A slot always has a spelling.
        &self.0[0]
    }

    /// Its value in a payload, `null` included, with the spelling that was found.
    pub(crate) fn find<S: Source>(&self, payload: &S) -> Option<(&'static Spelling, S)> {
        self.0.iter().find_map(|spelling| Some((spelling, spelling.find(payload)?)))
    }

    /// The spellings other than the one that is read which also have a value.
    pub(crate) fn unread<S: Source>(self, payload: &S) -> impl Iterator<Item = &'static Spelling> {
        let says = |spelling: &&Spelling| spelling.find(payload).is_some_and(|node| node.kind() != NodeKind::Null);
        let others = if self.0.len() > 1 { self.0 } else { &[] };
        others.iter().filter(|spelling| !spelling.old).filter(says).skip(1)
    }

    /// Its value in a payload, unless that is empty.
    pub(crate) fn some<S: Source>(&self, payload: &S) -> Option<(&'static Spelling, S)> {
        let says = |spelling: &'static Spelling| {
            Some((spelling, spelling.find(payload).filter(|node| node.kind() != NodeKind::Null)?))
        };
        // A deprecated spelling counts only if the first one is absent.
        self.0.iter().filter(|one| !one.old || self.first().find(payload).is_none()).find_map(says)
    }
}

impl Slots {
    /// Whether the payload is the bare list.
    pub(crate) fn bare(&self) -> bool {
        self.list.first().key.name.is_empty()
    }

    /// The key of a body that holds the list; empty where a payload is always the bare list.
    pub(crate) fn list_key(&self) -> &'static str {
        self.list.0.iter().map(|spelling| spelling.key.name).find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// Every slot, in the order in which they are written.
    pub(crate) fn all(&self) -> impl Iterator<Item = Slot> {
        [self.system, Some(self.list), self.tools, self.choice].into_iter().flatten()
    }

    /// The keys of this payload that belong to a slot. A deprecated key beside the current one does not.
    pub(crate) fn tops<S: Source>(&self, payload: &S) -> impl Iterator<Item = &'static Key> {
        let counts = |slot: Slot, spelling: &Spelling| {
            (!spelling.old || slot.first().find(payload).is_none()) && spelling.has_room(payload)
        };
        self.all().flat_map(move |slot| slot.0.iter().filter(move |one| counts(slot, one))).map(Spelling::top)
    }
}
