//! Identifies a wire format and its profile: every turn has the id of the dialect that it was read from.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use super::{
    compaction::CompactionRule,
    extra_keys::ExtraKeys,
    facts::Facts,
    family::Family,
    interned::Interned,
    limits::{Limits, ReasoningRule},
};
use crate::report::{Error, error::Code};

/// A dialect and its profile.
#[derive(Clone, Copy)]
pub struct DialectId {
    pub(crate) facts: &'static Facts,
    /// The index of the profile in its format. From [`FIRST_SERVER`] on, that of a row which was stated at run time.
    pub(crate) profile: u16,
}

/// A row that was stated at run time.
#[derive(Debug)]
pub(crate) struct Server {
    /// The shipped row that it differs from.
    pub(crate) base: DialectId,
    pub(crate) limits: Limits,
    /// Its canonical name: the base and the columns that differ.
    pub(crate) name: String,
}

/// The rows that were stated at run time, by their canonical names.
pub(crate) static SERVERS: Interned<Server> = Interned::new();
/// The number of the first of them.
pub(crate) const FIRST_SERVER: u16 = 256;

impl DialectId {
    /// For turns that were not read from a payload, and so have no origin to send back.
    pub const NONE: Self = Self { facts: Facts::NONE, profile: 0 };

    /// Whether both are the same wire format, perhaps with different profiles.
    #[must_use]
    pub fn same_wire(self, other: Self) -> bool {
        self.facts.row == other.facts.row && (self.profile == other.profile || !self.is_apart() && !other.is_apart())
    }

    /// Whether reasoning in a turn of this dialect counts as the target's own. A profile without reasoning did not make it: it
    /// came from a server of the target's kind. All profiles of one maker read it, unless only the profile that signed it does.
    #[must_use]
    pub(crate) fn reasons_as(self, target: Self, signed: bool) -> bool {
        let none = |id: Self| id.limits().is_ok_and(|limits| limits.reasoning == ReasoningRule::None);
        let one_maker = || self.facts.maker.is_some_and(|maker| !signed || maker.is_one()) && !none(target);
        self == target || self.same_wire(target) && (none(self) || one_maker())
    }

    /// Whether its profile spells the format differently.
    #[cold]
    fn is_apart(self) -> bool {
        self.facts.apart.contains(&self.profile())
    }

    /// The shipped row that a server differs from; itself for a shipped row.
    #[must_use]
    pub fn base(self) -> Self {
        self.server().map_or(self, |server| server.base)
    }

    /// The row that was stated at run time.
    #[inline]
    pub(crate) fn server(self) -> Option<&'static Server> {
        SERVERS.at(self.profile.checked_sub(FIRST_SERVER)?)
    }

    /// The name of its profile, or of that which a server is based on; empty for the format itself.
    pub(crate) fn profile(self) -> &'static str {
        self.facts.profiles.get(usize::from(self.base().profile)).map_or("", |(name, _)| name)
    }

    /// Whether it is a dialect that can be read.
    pub(crate) fn can_be_read(self) -> bool {
        self.facts.slots.is_some()
    }

    /// Its limits.
    pub fn limits(self) -> Result<&'static Limits, Error> {
        #[cfg(test)]
        if let Some(other) = super::limits::overridden(self) {
            return Ok(other);
        }
        if let Some(server) = self.server() {
            return Ok(&server.limits);
        }
        let profile = self.facts.profiles.get(usize::from(self.profile));
        profile.map(|(_, limits)| limits).ok_or_else(no_dialect)
    }

    /// The keys that its format has beyond those that are read, and the keys of its replies.
    pub(crate) fn keys(self) -> &'static ExtraKeys {
        &self.facts.keys
    }

    /// The compaction block of its provider.
    pub(crate) fn compaction(self) -> Option<&'static CompactionRule> {
        self.facts.compaction
    }

    /// Whether both are formats of one family of models.
    pub(crate) fn is_relative(self, other: Self) -> bool {
        let family = |id: Self| id.limits().map_or(Family::Any, |limits| limits.family);
        family(self).is_same(family(other)) && !self.same_wire(other)
    }

    /// Whether its payload has a key for system text, beside the list.
    pub(crate) fn keeps_system_beside(self) -> bool {
        self.facts.slots.is_some_and(|slots| slots.system.is_some())
    }

    /// Its public name, with the profile.
    #[must_use]
    pub fn name(self) -> String {
        if let Some(server) = self.server() {
            return server.name.clone();
        }
        match self.profile() {
            "" => self.facts.name.to_owned(),
            profile => format!("{}{}{profile}", self.facts.name, self.facts.between()),
        }
    }
}

/// The error for turns that were not read from a payload and need a format.
#[cold]
pub(crate) fn no_dialect() -> Error {
    Error::new(Code::UnknownDialect, "these turns have no dialect")
}

impl PartialEq for DialectId {
    fn eq(&self, other: &Self) -> bool {
        self.facts.row == other.facts.row && self.profile == other.profile
    }
}

impl Eq for DialectId {}

impl Hash for DialectId {
    fn hash<S: Hasher>(&self, state: &mut S) {
        (self.facts.row, self.profile).hash(state);
    }
}

impl fmt::Debug for DialectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DialectId({})", self.name())
    }
}
