//! Step 3: every call with exactly one result behind it, and every result with its call.
//!
//! An ordered walk, never a set of ids: an id that is used again is another call. What is in order already is recognised in
//! one cheap pass and not touched. Otherwise `matching` finds out who answers whom, `names` makes ids unique and valid, and
//! `layout` puts every result behind its call.

mod clean;
mod layout;
mod matching;
mod names;

use std::hash::{BuildHasherDefault, Hasher};

use super::{Draft, Inputs, Rules, Slot};
use crate::{
    conversation::Conversation,
    dialect::DialectId,
    error::Error,
    handle::Host,
    part::Kind,
    receipt::Entry,
    turn::{Role, Turn},
};

/// Whether a build has nothing to pair: one look at every turn, and nothing is made.
pub fn is_paired<H: Host>(conversation: &Conversation<H>, target: Option<DialectId>) -> Result<bool, Error> {
    let rules = Rules::of::<H>(&Inputs { target, ..Inputs::default() })?;
    Ok(clean::is_paired(conversation.turns().iter().map(|turn| &**turn), &rules))
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Rules) {
    if clean::is_paired(draft.turns().map(|turn| &**turn), rules) {
        return;
    }
    let continues = draft.continues();
    let slots = draft.slots();
    let mut plan = matching::walk(slots, continues);
    let mut entries = names::give(slots, &mut plan, rules);
    let (laid, moves) = layout::lay(slots, &plan, rules);
    drop(plan);
    entries.extend(moves);
    entries.sort_by_key(|entry: &Entry| entry.index);
    if !entries.is_empty() {
        *slots = laid;
        draft.receipt.entries.append(&mut entries);
    }
}

/// The first result without a call before it, by its slot and part.
pub(super) fn orphan<H: Host>(slots: &[Slot<H>]) -> Option<(usize, usize)> {
    matching::walk(slots, false).orphan()
}

/// Whether the turn belongs to the calling side.
pub(super) fn calls<H: Host>(turn: &Turn<H>) -> bool {
    turn.role == Role::Assistant || turn.calls().next().is_some()
}

/// Whether results may wait until the assistant turns behind a turn of this dialect are over.
fn joins(from: DialectId) -> bool {
    from.limits().is_ok_and(|limits| limits.joins_assistant)
}

/// Whether the turn is reasoning alone, in a dialect that wants to see what it led to.
fn waits<H: Host>(turn: &Turn<H>) -> bool {
    !turn.parts.is_empty()
        && turn.parts.iter().all(|part| matches!(part.kind, Kind::Reasoning(_)))
        && from_binds(turn.from)
}

fn from_binds(from: DialectId) -> bool {
    from.limits().is_ok_and(|limits| limits.binds_reasoning)
}

/// Ids are short and come from models, not from attackers with a clock: eight bytes at a time, one multiplication each.
#[derive(Default)]
struct IdHasher(u64);

type Hash = BuildHasherDefault<IdHasher>;

/// The hash of an id.
fn hash(id: &[u8]) -> u64 {
    let mut hasher = IdHasher::default();
    hasher.write(id);
    hasher.write_usize(id.len());
    hasher.finish()
}

impl IdHasher {
    fn mix(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
        self.0 = (wide as u64) ^ ((wide >> 64) as u64);
    }
}

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(word.try_into().map_or(0, u64::from_le_bytes));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(word));
        }
    }

    /// A hash that is one already.
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write_usize(&mut self, length: usize) {
        self.mix(length as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
