//! Ids that are unique and, for a target, valid there. A name depends only on what stands before it, so that a conversation
//! that grows keeps the names it had.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use super::{Hash, matching::Plan};
use crate::{
    dialect::limits::IdRule,
    handle::Host,
    part::Kind,
    receipt::{Change, Entry},
    stage::{Rules, Slot},
    text::Units,
};

/// Whether an id can be written at all: it says something, in whole characters, and the target takes it.
pub(super) fn is_sound(id: &[u8], rules: &Rules) -> bool {
    !id.is_empty() && !Units::Utf8(id).has_surrogate() && rules.limits.is_none_or(|limits| limits.id.allows(id))
}

/// Gives a name of its own to each call whose id was used before or is refused, and says so.
pub(super) fn give<H: Host>(slots: &[Slot<H>], plan: &mut Plan<'_>, rules: &Rules) -> Vec<Entry> {
    let rule = rules.limits.map_or(IdRule::ANY, |limits| limits.id);
    let mut used: HashSet<Cow<'_, [u8]>, Hash> = HashSet::default();
    let mut counts: HashMap<Cow<'_, [u8]>, u64, Hash> = HashMap::default();
    let mut entries = Vec::new();
    for call in &mut plan.calls {
        let slot = &slots[call.slot];
        let made_up =
            matches!(slot.turn.parts.get(call.part).map(|part| &part.kind), Some(Kind::Call(one)) if one.made_up_id);
        if made_up && !rules.writes_made_up_ids(slot.turn.from) {
            continue;
        }
        let sound = is_sound(&call.id, rules);
        if sound && used.insert(call.id.clone()) {
            continue;
        }
        let count = counts.entry(call.id.clone()).or_default();
        let name = loop {
            *count += 1;
            let name = spell(&rule, &call.id, sound, *count);
            if used.insert(Cow::Owned(name.clone().into_bytes())) {
                break name;
            }
        };
        let why = if sound {
            "this id was used before: the call and its result got one of their own"
        } else {
            "this id cannot be sent: the call and its result got another"
        };
        let mut entry = Entry::new(Change::RenamedId, slot.index, slot.path_of(call.part), why)
            .of(String::from_utf8_lossy(&call.id).into_owned());
        entry.new_id = Some(name.clone());
        entries.push(entry);
        call.name = Some(name);
    }
    entries
}

/// The `count`th name for an id: a number behind it, or a hash where the id itself cannot stand.
fn spell(rule: &IdRule, id: &[u8], sound: bool, count: u64) -> String {
    if let Some(exact) = rule.exact {
        return base62(hash(id, count), exact);
    }
    let separator = if rule.alphabet.has(b'_') { "_" } else { "" };
    let tail = if sound { (count + 1).to_string() } else { base62(hash(id, count), 6) };
    let room = rule.max.saturating_sub(tail.len() + separator.len());
    let mut name = String::new();
    for letter in String::from_utf8_lossy(id).chars() {
        let allowed =
            letter != char::REPLACEMENT_CHARACTER && rule.alphabet.has_all(letter.encode_utf8(&mut [0; 4]).as_bytes());
        let letter = if allowed { Some(letter) } else { separator.chars().next() };
        let Some(letter) = letter else { continue };
        if name.len() + letter.len_utf8() > room {
            break;
        }
        name.push(letter);
    }
    if name.is_empty() && room >= 4 {
        name.push_str("call");
    }
    name + separator + &tail
}

/// FNV-1a, and the last step of SplitMix64 to spread it over all bits: the same on every machine and for ever.
fn hash(id: &[u8], count: u64) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = id.iter().chain(&count.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// A number in letters and digits, as many as asked for.
fn base62(mut number: u64, width: usize) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = String::with_capacity(width);
    for _ in 0..width {
        out.push(char::from(DIGITS[(number % 62) as usize]));
        number /= 62;
    }
    out
}
