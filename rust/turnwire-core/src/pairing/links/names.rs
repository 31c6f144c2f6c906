//! Makes new ids for repeated and invalid ones, in one way everywhere. The first call keeps its id; a later call with
//! the same id gets a new one.
//!
//! A new id depends only on what comes before it, so a growing conversation keeps its ids. It never equals an id in
//! use.

use std::borrow::Cow;

use crate::{
    rules::{IdRule, Once},
    value::{HashMap, HashSet},
};

/// The ids in use so far.
pub(crate) struct Names<'a> {
    rule: IdRule,
    /// Ids that stay unchanged.
    held: HashSet<Cow<'a, [u8]>>,
    /// Ids that were written so far.
    written: HashSet<Cow<'a, [u8]>>,
    /// Ids of calls that are sent in parallel.
    in_step: HashSet<Cow<'a, [u8]>>,
    /// How often an id was requested or tried.
    asked: HashMap<Cow<'a, [u8]>, u64>,
}

impl<'a> Names<'a> {
    /// Starts without ids. If the rule says so, no id is used twice.
    pub(crate) fn new(rule: IdRule) -> Self {
        Self {
            rule,
            held: HashSet::default(),
            written: HashSet::default(),
            in_step: HashSet::default(),
            asked: HashMap::default(),
        }
    }

    /// Reserves an id that stays unchanged, so that no new id equals it.
    pub(crate) fn reserve(&mut self, id: Cow<'a, [u8]>) {
        self.held.insert(id);
    }

    /// Records an id that is written unchanged, even if an earlier call has it.
    pub(crate) fn keep(&mut self, id: Cow<'a, [u8]>) {
        *self.asked.entry(id.clone()).or_default() += 1;
        self.in_step.insert(id.clone());
        self.written.insert(id);
    }

    /// Begins a new group of parallel calls.
    pub(crate) fn next_step(&mut self) {
        self.in_step.clear();
    }

    /// [`Self::keep`] for an owned id.
    pub(crate) fn keep_own(&mut self, id: String) {
        self.keep(Cow::Owned(id.into_bytes()));
    }

    /// The id that replaces this one. `None` if it stays. `sound`: whether the target accepts the id itself.
    pub(crate) fn give(&mut self, id: Cow<'a, [u8]>, sound: bool) -> Option<String> {
        let is_taken = match self.rule.once {
            Once::Free => false,
            Once::InStep => self.in_step.contains(&id),
            Once::InPayload => self.written.contains(&id),
        };
        if sound && !is_taken {
            self.keep(id);
            return None;
        }
        let asked = self.asked.entry(id.clone()).or_default();
        loop {
            let number = sound.then(|| numbered(&self.rule, &id, asked.saturating_add(1).max(2))).flatten();
            let new = number.unwrap_or_else(|| spell(&self.rule, hash(&id, *asked)));
            *asked += 1;
            let key = Cow::Owned(new.clone().into_bytes());
            if !self.held.contains(&key) && self.written.insert(key) {
                return Some(new);
            }
        }
    }
}

/// The id with a number appended, if the target accepts that.
fn numbered(rule: &IdRule, id: &[u8], number: u64) -> Option<String> {
    let new = format!("{}_{number}", std::str::from_utf8(id).ok()?);
    rule.allows(new.as_bytes()).then_some(new)
}

/// A made-up id, derived from the name of its tool.
pub(crate) fn spelled(rule: &IdRule, said: &[u8], salt: u64) -> String {
    spell(rule, hash(said, salt))
}

/// FNV-1a with the last step of SplitMix64, which spreads it over all bits. It is the same on every machine and in
/// every version.
fn hash(id: &[u8], salt: u64) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = id.iter().chain(&salt.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// `call_` and eleven letters or digits, or as much of that as the target accepts.
fn spell(rule: &IdRule, mut hash: u64) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const PREFIX: &str = "call_";
    const LETTERS: usize = 11;
    let width = rule.exact.unwrap_or(rule.max.min(PREFIX.len() + LETTERS));
    let mut new = String::new();
    if width == PREFIX.len() + LETTERS && rule.alphabet.has(b'_') {
        new.push_str(PREFIX);
    }
    let letters = width - new.len();
    for _ in 0..if rule.exact.is_some() { letters } else { letters.min(LETTERS) } {
        new.push(char::from(DIGITS[(hash % 62) as usize]));
        hash /= 62;
    }
    new
}
