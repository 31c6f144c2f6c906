//! An index of the signs of all dialects: from a word to the dialects that know it.

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::{
    dialects,
    rules::{DialectId, Spot, block_rule::block_rule_of, settings},
    value::Key,
};

/// A set of dialects with signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u32);

impl Set {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(u32::MAX);

    fn one(at: usize) -> Self {
        Self(1 << at)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The dialects of both sets, or all of this set if they have none in common.
    pub(super) fn and_if_any(self, other: Self) -> Self {
        if self.has(other) { self.and(other) } else { self }
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A sign: its spot, its word, and the dialects that know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    pub(super) spot: Spot,
    pub(super) word: &'static str,
    pub(super) known_by: Set,
}

/// All signs, and the dialects in the order of the table.
pub(super) struct Index {
    signs: Vec<Sign>,
    /// The signs, each in the first free slot at or after its [`hash`].
    places: Box<[u16; PLACES]>,
    dialects: Vec<(&'static str, Option<DialectId>)>,
    /// The keys of bodies under which a dialect keeps its list.
    pub(super) lists: Vec<&'static Key>,
    /// The dialects that can be read.
    readable: Set,
}

/// A power of two, more than twice the number of signs.
const PLACES: usize = 4096;

/// An empty slot.
const FREE: u16 = u16::MAX;

/// The first slot to look at. It must be fast: every key of a payload is looked up here.
fn hash(spot: Spot, word: &str) -> usize {
    let bytes = word.as_bytes();
    let at = |at: usize| bytes.get(at).map_or(0, |byte| u64::from(*byte));
    let ends = at(0) | at(bytes.len() / 2) << 8 | at(bytes.len().wrapping_sub(1)) << 16;
    let all = ends ^ (bytes.len() as u64) << 24 ^ (spot as u64) << 56;
    (all.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.trailing_zeros())) as usize
}

impl Index {
    /// The only index: the table never changes.
    pub(super) fn get() -> &'static Self {
        static INDEX: OnceLock<Index> = OnceLock::new();
        INDEX.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut index = Self {
            signs: Vec::new(),
            places: Box::new([FREE; PLACES]),
            dialects: Vec::new(),
            lists: Vec::new(),
            readable: Set::NONE,
        };
        let formats = dialects::table::signs().map(|(name, signs)| (name, signs, true));
        let profiles = dialects::table::profile_signs().map(|(name, signs)| (name, signs, false));
        for (at, (name, signs, format)) in formats.chain(profiles).enumerate() {
            let one = Set::one(at);
            let id = DialectId::named(name).ok().filter(|id| id.can_be_read());
            if id.is_some() && format {
                index.readable = index.readable.or(one);
            }
            let slots = id.and_then(|id| id.facts.slots);
            for list in slots.into_iter().flat_map(|slots| slots.list.0).filter(|list| !list.key.name.is_empty()) {
                if index.lists.iter().all(|known| known.name != list.key.name) {
                    index.lists.push(list.key);
                }
            }
            index.dialects.push((name, id));
            let words = signs.iter().copied().flatten();
            let words = words.flat_map(|(spot, words)| words.split(' ').map(move |word| (*spot, word)));
            index.signs.extend(words.map(|(spot, word)| Sign { spot, word, known_by: one }));
        }
        for (wire, word) in settings::keys() {
            let known_by = index
                .members(Set::ALL)
                .filter(|(_, name, id)| *name == wire || id.is_some_and(|id| id.facts.name == wire));
            let known_by = known_by.fold(Set::NONE, |set, (one, ..)| set.or(one));
            index.signs.push(Sign { spot: Spot::Setting, word, known_by });
        }
        index.signs.sort_by_key(|sign| (sign.spot, sign.word));
        index.signs.dedup_by(|next, kept| {
            let same = (next.spot, next.word) == (kept.spot, kept.word);
            if same {
                kept.known_by = kept.known_by.or(next.known_by);
            }
            same
        });
        for (number, sign) in index.signs.iter().enumerate() {
            let mut place = hash(sign.spot, sign.word);
            while index.places[place] != FREE {
                place = (place + 1) % PLACES;
            }
            index.places[place] = u16::try_from(number).unwrap_or(FREE);
        }
        index
    }

    /// The sign of a word, if any dialect knows it.
    #[inline]
    pub(super) fn sign(&self, spot: Spot, word: &str) -> Option<Sign> {
        let mut place = hash(spot, word);
        // The table always has a free slot after the last sign.
        while let Some(sign) = self.signs.get(usize::from(self.places[place])) {
            if sign.spot == spot && sign.word == word {
                return Some(*sign);
            }
            place = (place + 1) % PLACES;
        }
        None
    }

    /// The sign of a tool that a provider runs: the dialects that describe tools of this type.
    #[cold]
    pub(super) fn provider_tool(&self, kind: &str) -> Option<Sign> {
        let runs = |id: DialectId| block_rule_of(id.keys().tools, kind).is_some();
        let known_by = self.members(Set::ALL).filter(|(.., id)| id.is_some_and(runs));
        let known_by = known_by.fold(Set::NONE, |set, (one, ..)| set.or(one));
        (!known_by.is_empty()).then_some(Sign { spot: Spot::Mark, word: "type", known_by })
    }

    /// Whether any of these dialects knows a word in this spot.
    pub(super) fn any(&self, spot: Spot, set: Set) -> bool {
        self.signs.iter().any(|sign| sign.spot == spot && sign.known_by.has(set))
    }

    /// The names of these dialects, for a sentence.
    pub(super) fn names(&self, set: Set) -> String {
        let names: Vec<_> = self.members(set).map(|(_, name, _)| name).collect();
        match names.as_slice() {
            [] => "no dialect".to_owned(),
            [one] => (*one).to_owned(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }

    fn members(&self, set: Set) -> impl Iterator<Item = (Set, &'static str, Option<DialectId>)> {
        let all = self.dialects.iter().enumerate().map(|(at, (name, id))| (Set::one(at), *name, *id));
        all.filter(move |(one, ..)| set.has(*one))
    }

    /// The set of this dialect and its profiles.
    pub(super) fn of(&self, dialect: DialectId) -> Set {
        let own = self.members(Set::ALL).filter(|(.., id)| id.is_some_and(|id| id.same_wire(dialect)));
        own.fold(Set::NONE, |set, (one, ..)| set.or(one))
    }

    /// Whether a dialect itself, or the format of a profile without signs of its own, lists a word as a key or a mark.
    pub(super) fn lists(&self, dialect: DialectId, word: &str) -> bool {
        let dialect = dialect.base();
        let own = |(.., id): &(Set, &str, Option<DialectId>)| *id == Some(dialect);
        let whole =
            |(.., id): &(Set, &str, Option<DialectId>)| id.is_some_and(|id| id.same_wire(dialect) && id.profile == 0);
        let own = self.members(Set::ALL).find(own).or_else(|| self.members(Set::ALL).find(whole));
        let known = |spot| self.sign(spot, word).map_or(Set::NONE, |sign| sign.known_by);
        own.is_some_and(|(one, ..)| known(Spot::Key).or(known(Spot::Mark)).has(one))
    }

    /// Whether bodies of a dialect have a key, as far as the signs and the table of settings tell.
    pub(super) fn has_in_body(&self, dialect: DialectId, key: &str) -> bool {
        let signs = [Spot::Body, Spot::Setting].map(|spot| self.sign(spot, key));
        signs.iter().flatten().any(|sign| sign.known_by.has(self.of(dialect)))
    }

    /// The other formats of a set whose name begins as that of this dialect, which must be in the set itself.
    pub(super) fn namesakes(&self, dialect: DialectId, set: Set) -> impl Iterator<Item = DialectId> {
        let family = |id: DialectId| id.facts.name.split(':').next();
        let known = set.has(self.of(dialect));
        let ids = self.members(set).filter_map(|(.., id)| id).filter(move |_| known);
        ids.filter(move |id| !id.same_wire(dialect) && family(*id) == family(dialect))
    }

    /// The candidates for a target: formats that can be read, and the profile that is the target.
    pub(super) fn taking_part(&self, target: Option<DialectId>) -> Set {
        let target = target.map(DialectId::base);
        let profile = self.members(Set::ALL).filter(|(.., id)| id.is_some() && *id == target);
        profile.fold(self.readable, |set, (one, ..)| set.or(one))
    }

    /// Chooses from several: the target if it is among them, else the first of the table. `None` if there is none.
    pub(super) fn choose(&self, set: Set, target: Option<DialectId>) -> Option<DialectId> {
        let ids = self.members(set.and(self.taking_part(target))).filter_map(|(.., id)| id);
        let ids: SmallVec<[DialectId; 16]> = ids.collect();
        // A profile without signs of its own has those of its wire format.
        let wire =
            |target: &DialectId| ids.iter().any(|id| *id == target.base() || id.same_wire(*target) && id.profile == 0);
        target.filter(wire).or(ids.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_dialect_has_signs_once() {
        let names: Vec<_> =
            dialects::table::signs().chain(dialects::table::profile_signs()).map(|(name, _)| name).collect();
        let once: BTreeSet<_> = names.iter().copied().collect();
        assert_eq!(names.len(), once.len(), "a row in signs.rs goes when its format has a file: {names:?}");
        let unsigned: Vec<_> = dialects::table::formats().filter(|name| !once.contains(name)).collect();
        assert_eq!(unsigned, [""; 0], "without signs, detection never finds a payload of theirs");
        assert!(names.len() <= u32::BITS as usize, "a set of dialects has a bit for each");
        assert!(Index::get().signs.len() * 2 < PLACES, "half of the places stay free");
    }

    #[test]
    fn every_block_that_a_format_has_a_rule_for_is_a_sign() {
        let mut missing = Vec::new();
        for (id, keys) in dialects::table::block_rules() {
            // Where options say that a text is a compaction, it has no type of its own.
            let made =
                |word: &&str| id.facts.options.is_some() && id.compaction().is_some_and(|rule| rule.kind == *word);
            for word in keys.iter().flat_map(|rule| rule.types.split_whitespace()).filter(|word| !made(word)) {
                let known =
                    |spot| Index::get().sign(spot, word).is_some_and(|sign| sign.known_by.has(Index::get().of(id)));
                if ![Spot::Block, Spot::Type, Spot::Bare].into_iter().any(known) {
                    missing.push(format!("{} {word}", id.name()));
                }
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_word_stands_once_among_the_signs_of_a_dialect() {
        for (name, signs) in dialects::table::signs().chain(dialects::table::profile_signs()) {
            let words: Vec<_> = signs
                .iter()
                .copied()
                .flatten()
                .flat_map(|(spot, words)| words.split(' ').map(move |word| (*spot, word)))
                .collect();
            let once: BTreeSet<_> = words.iter().copied().collect();
            assert_eq!(words.len(), once.len(), "{name}: {words:?}");
            assert!(words.iter().all(|(_, word)| !word.is_empty()), "{name}");
        }
    }
}
