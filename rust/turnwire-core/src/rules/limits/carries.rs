//! Says how a target that did not make signed reasoning passes it on to its maker.

use crate::{rules::carrier::Maker, value::Key};

/// How signed reasoning of other makers goes back through a target.
#[derive(Clone, Copy, Debug)]
pub enum Carries {
    /// Not at all, unless the target itself made it.
    Nothing,
    /// In one list of details, each of which names its maker's format.
    Details,
    /// Under these keys.
    Keys(&'static CarriedKeys),
}

/// The keys in which a target passes on the reasoning of others.
#[derive(Debug)]
pub struct CarriedKeys {
    /// The lists of an assistant's message, each with the maker of its blocks.
    pub(crate) blocks: &'static [(&'static Key, Maker)],
    /// Where a call has Google's signature: the keys on the way to it. Empty if there is no place for one.
    pub(crate) signature: &'static [&'static Key],
}

impl Carries {
    /// The keys of a target that has some.
    pub(crate) fn keys(self) -> Option<&'static CarriedKeys> {
        if let Self::Keys(keys) = self { Some(keys) } else { None }
    }

    /// The keys on the way to Google's signature of a call; none if there is no place for one.
    pub(crate) fn signature(self) -> &'static [&'static Key] {
        self.keys().map_or(&[], |keys| keys.signature)
    }

    /// The list of an assistant's message for blocks of this maker.
    pub(crate) fn list_of(self, maker: Maker) -> Option<&'static Key> {
        let mut lists = self.keys()?.blocks.iter();
        lists.find(|(_, of)| *of == maker).map(|(key, _)| *key)
    }
}
