//! Where a payload keeps what: its list, system text, tools and the choice of tools, by every spelling that is read.

use crate::{
    report::path::{Path, Place},
    value::{
        door::{Key, Source, keys},
        node::NodeKind,
    },
};

keys! {
    UNNAMED = "";
}

/// The slots of a format's payload.
pub(crate) struct Slots {
    /// The list of turns. A format whose payload is the bare list has no name for it.
    pub(crate) list: Slot,
    /// Whether the list may be a string: the user's only text.
    pub(crate) list_or_text: bool,
    /// Whether a list of one may stand as that one, without brackets: JSON of protobuf reads it so in any repeated field.
    pub(crate) singles: bool,
    /// System text.
    pub(crate) system: Option<Slot>,
    /// Tool definitions.
    pub(crate) tools: Option<Slot>,
    /// The choice of tools.
    pub(crate) choice: Option<Slot>,
    /// Keys that say that calls or results may stand on the server.
    pub(crate) continues: &'static [&'static Key],
}

impl Slots {
    /// Of a payload that is the bare list.
    pub(crate) const BARE_LIST: Self = Self {
        list: Slot(&[Spelling::at(&UNNAMED)]),
        list_or_text: false,
        singles: false,
        system: None,
        tools: None,
        choice: None,
        continues: &[],
    };
}

/// One slot: the first spelling is what is written anew.
#[derive(Clone, Copy)]
pub(crate) struct Slot(pub(crate) &'static [Spelling]);

/// One spelling of a slot.
pub(crate) struct Spelling {
    /// The key that holds it.
    pub(crate) key: &'static Key,
    /// The key of the payload that holds the first one, where they are nested.
    pub(crate) outer: Option<&'static Key>,
    /// Both, with a dot between.
    path: &'static str,
    /// Whether its server takes it only in the place of the first one: it goes back as it came, and nothing is written so.
    pub(crate) old: bool,
}

impl Spelling {
    /// A key of the payload.
    pub(crate) const fn at(key: &'static Key) -> Self {
        Self { key, outer: None, path: "", old: false }
    }

    /// A key of the payload that the first one has taken the place of.
    pub(crate) const fn old(key: &'static Key) -> Self {
        Self { old: true, ..Self::at(key) }
    }

    /// A key inside a key of the payload; `path` is both, with a dot between.
    pub(crate) const fn inside(outer: &'static Key, key: &'static Key, path: &'static str) -> Self {
        Self { key, outer: Some(outer), path, old: false }
    }

    /// Its value in a payload, `null` included.
    fn find<S: Source>(&self, payload: &S) -> Option<S> {
        match self.outer {
            Some(outer) => payload.get(outer)?.get(self.key),
            None => payload.get(self.key),
        }
    }

    /// The key of the payload.
    pub(crate) fn top(&self) -> &'static Key {
        self.outer.unwrap_or(self.key)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &'static str {
        if self.path.is_empty() { self.key.name } else { self.path }
    }

    /// Its path.
    pub(crate) fn to_path(&self) -> Path {
        Path::default().at(Place::key(self.path()))
    }
}

impl Slot {
    /// What is written anew.
    pub(crate) fn first(&self) -> &'static Spelling {
        // A slot without a spelling would be no slot.
        &self.0[0]
    }

    /// Its value in a payload, `null` included, with the spelling that was met.
    pub(crate) fn find<S: Source>(&self, payload: &S) -> Option<(&'static Spelling, S)> {
        self.0.iter().find_map(|spelling| Some((spelling, spelling.find(payload)?)))
    }

    /// The spellings that say something beside the one that is read.
    pub(crate) fn unread<S: Source>(self, payload: &S) -> impl Iterator<Item = &'static Spelling> {
        let says = |spelling: &&Spelling| spelling.find(payload).is_some_and(|node| node.kind() != NodeKind::Null);
        let others = if self.0.len() > 1 { self.0 } else { &[] };
        others.iter().filter(|spelling| !spelling.old).filter(says).skip(1)
    }

    /// Its value in a payload that says something.
    pub(crate) fn some<S: Source>(&self, payload: &S) -> Option<(&'static Spelling, S)> {
        let says = |spelling: &'static Spelling| {
            Some((spelling, spelling.find(payload).filter(|node| node.kind() != NodeKind::Null)?))
        };
        // An old one counts only where the one that has taken its place is not there at all.
        self.0.iter().filter(|one| !one.old || self.first().find(payload).is_none()).find_map(says)
    }
}

impl Slots {
    /// Whether the payload is the list and nothing else.
    pub(crate) fn bare(&self) -> bool {
        self.list.first().key.name.is_empty()
    }

    /// Every slot there is, in the order in which they are written anew.
    pub(crate) fn all(&self) -> impl Iterator<Item = Slot> {
        [self.system, Some(self.list), self.tools, self.choice].into_iter().flatten()
    }

    /// The keys of this payload that belong to some slot. An old one beside the one that has taken its place does not.
    pub(crate) fn tops<S: Source>(&self, payload: &S) -> impl Iterator<Item = &'static Key> {
        let counts = |slot: Slot, spelling: &Spelling| !spelling.old || slot.first().find(payload).is_none();
        self.all().flat_map(move |slot| slot.0.iter().filter(move |one| counts(slot, one))).map(Spelling::top)
    }
}
