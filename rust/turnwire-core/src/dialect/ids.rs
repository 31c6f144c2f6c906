//! Call ids as the target takes them: what it refuses gets an id of its own, the same on a call and on its result.
//!
//! A new id is a hash of the old one, so it stays what it was while the conversation grows. It is never one that the
//! conversation already has.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    hash::BuildHasher,
};

use foldhash::fast::RandomState;

use super::{limits::IdRule, write::Writer};
use crate::{
    handle::{Host, Input, Text},
    part::{Kind, Part},
    turn::Turn,
    value::Sink,
};

/// The new ids of one rendering, by turn and part; nearly always none.
pub(crate) struct Ids<H: Host> {
    renamed: HashMap<(usize, usize), Text<H>>,
}

/// A call or a result, by its id.
struct Use<'a> {
    turn: usize,
    part: usize,
    id: Cow<'a, [u8]>,
    call: bool,
    /// Whether the turn is written anew; the ids of one that goes back as it came are given.
    free: bool,
}

/// A call that was met on the way.
struct Met<H: Host> {
    turn: usize,
    renamed: Option<Text<H>>,
    open: bool,
}

impl<H: Host> Ids<H> {
    /// Nothing is renamed.
    pub(crate) fn none() -> Self {
        Self { renamed: HashMap::new() }
    }

    /// What must be renamed for the target of `w`.
    pub(crate) fn of<K: Sink<H>>(w: &Writer<'_, H, K>) -> Self {
        let turns = &w.conversation.turns;
        let rule = &w.target.limits.id;
        // By their hashes: two ids that share one are only looked at once more, and truly, below.
        let (state, mut seen) =
            (RandomState::default(), HashSet::with_capacity_and_hasher(turns.len(), RandomState::default()));
        let all_fit = turns.iter().all(|turn| {
            let free = !w.replays(turn);
            turn.parts.iter().filter_map(|part| id(part, turn.input.as_ref())).all(|(id, call)| {
                (!free || rule.allows(&id)) && (!rule.once || !call || seen.insert(state.hash_one(&*id)))
            })
        });
        if all_fit {
            return Self { renamed: HashMap::new() };
        }
        let uses = turns.iter().enumerate().flat_map(|(at, turn)| uses(at, turn, !w.replays(turn)));
        Self { renamed: rename(rule, uses.collect()) }
    }

    /// The new id of the part at this place, if it has one.
    pub(crate) fn renamed(&self, turn: usize, part: usize) -> Option<&Text<H>> {
        if self.renamed.is_empty() { None } else { self.find(turn, part) }
    }

    #[cold]
    #[inline(never)]
    fn find(&self, turn: usize, part: usize) -> Option<&Text<H>> {
        self.renamed.get(&(turn, part))
    }
}

/// The id of a call or a result, and whether it is a call's.
#[inline]
fn id<'a, H: Host>(part: &'a Part<H>, input: Option<&'a Input>) -> Option<(Cow<'a, [u8]>, bool)> {
    match &part.kind {
        Kind::Call(call) => Some((call.id.wtf8(input), true)),
        Kind::Result(result) => Some((result.id.wtf8(input), false)),
        _ => None,
    }
}

/// The calls and results of one turn.
fn uses<H: Host>(turn: usize, one: &Turn<H>, free: bool) -> impl Iterator<Item = Use<'_>> {
    one.parts.iter().enumerate().filter_map(move |(part, kind)| {
        id(kind, one.input.as_ref()).map(|(id, call)| Use { turn, part, id, call, free })
    })
}

/// Walks in order: a result belongs to the nearest turn before it that still has an open call with its id.
fn rename<H: Host>(rule: &IdRule, uses: Vec<Use<'_>>) -> HashMap<(usize, usize), Text<H>> {
    let mut taken: HashSet<Vec<u8>> = uses.iter().map(|one| one.id.to_vec()).collect();
    let mut written = HashSet::new();
    let mut met: HashMap<Cow<'_, [u8]>, Vec<Met<H>>> = HashMap::new();
    let mut renamed = HashMap::new();
    for one in uses {
        let same = met.entry(one.id.clone()).or_default();
        let keeps = rule.allows(&one.id);
        let place = (one.turn, one.part);
        if one.call {
            let keeps = keeps && !(rule.once && written.contains(&one.id));
            let new = (one.free && !keeps).then(|| fresh(rule, &one.id, same.len(), &mut taken));
            if new.is_none() {
                written.insert(one.id);
            }
            if let Some(new) = &new {
                renamed.insert(place, new.share());
            }
            same.push(Met { turn: one.turn, renamed: new, open: true });
            continue;
        }
        let nearest = same.iter().rfind(|call| call.open).map(|call| call.turn);
        let call = match nearest {
            Some(turn) => same.iter_mut().find(|call| call.open && call.turn == turn),
            None => same.last_mut(),
        };
        match call {
            Some(call) => {
                call.open = false;
                if let Some(new) = call.renamed.as_ref().filter(|_| one.free) {
                    renamed.insert(place, new.share());
                }
            }
            None if one.free && !keeps => {
                let new: Text<H> = fresh(rule, &one.id, 0, &mut taken);
                renamed.insert(place, new.share());
                same.push(Met { turn: one.turn, renamed: Some(new), open: false });
            }
            None => {}
        }
    }
    renamed
}

/// An id that nobody has: a hash of the old one and of how many calls had it before.
fn fresh<H: Host>(rule: &IdRule, id: &[u8], before: usize, taken: &mut HashSet<Vec<u8>>) -> Text<H> {
    let mut salt = before as u64;
    loop {
        let new = spell(rule, hash(id, salt));
        if taken.insert(new.as_bytes().to_vec()) {
            return Text::own(&new);
        }
        salt = salt.wrapping_add(1 << 32);
    }
}

/// FNV-1a, and the last step of SplitMix64 to spread it over all bits.
fn hash(id: &[u8], salt: u64) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = id.iter().chain(&salt.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// `call_` and eleven letters or digits, or as many of them as the target takes.
fn spell(rule: &IdRule, mut hash: u64) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const PREFIX: &str = "call_";
    let width = rule.exact.unwrap_or_else(|| rule.max.min(11 + PREFIX.len()));
    let prefix = if width == 11 + PREFIX.len() && rule.alphabet.has(b'_') { PREFIX } else { "" };
    let mut new = String::from(prefix);
    for _ in 0..(width - prefix.len()).min(11) {
        new.push(char::from(DIGITS[(hash % 62) as usize]));
        hash /= 62;
    }
    new
}
