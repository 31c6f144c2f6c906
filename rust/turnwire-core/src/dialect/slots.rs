//! Where a payload keeps what: its list, system text, tools and the choice of tools, by every spelling that is read.

use crate::{
    conversation::Frame,
    handle::Host,
    node::NodeKind,
    path::{Path, Place},
    value::{Key, Source, keys},
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
}

impl Spelling {
    /// A key of the payload.
    pub(crate) const fn at(key: &'static Key) -> Self {
        Self { key, outer: None, path: "" }
    }

    /// A key inside a key of the payload; `path` is both, with a dot between.
    pub(crate) const fn inside(outer: &'static Key, key: &'static Key, path: &'static str) -> Self {
        Self { key, outer: Some(outer), path }
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

    /// Whether more than one spelling of it says something.
    pub(crate) fn is_twice<S: Source>(&self, payload: &S) -> bool {
        let says = |spelling: &&Spelling| spelling.find(payload).is_some_and(|node| node.kind() != NodeKind::Null);
        self.0.len() > 1 && self.0.iter().filter(says).count() > 1
    }

    /// Its value in a payload that says something.
    pub(crate) fn some<S: Source>(&self, payload: &S) -> Option<(&'static Spelling, S)> {
        self.find(payload).filter(|(_, node)| node.kind() != NodeKind::Null)
    }

    /// The spelling that came with a payload of this format, or the first.
    pub(crate) fn spelled<H: Host>(&self, frame: &Frame<H>, own: bool) -> &'static Spelling {
        let came = |spelling: &&Spelling| frame.order.contains(&spelling.top().name);
        self.0.iter().find(came).filter(|_| own).unwrap_or(self.first())
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

    /// The keys of a payload that belong to some slot.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &'static Key> {
        self.all().flat_map(|slot| slot.0).map(Spelling::top)
    }
}
