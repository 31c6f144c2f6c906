//! Puts a summary into the place of what it covers, and follows it from list to list.

use std::{collections::BTreeSet, sync::Arc};

use super::{adopted::Adopted, identity::summary, list::List, pending::Pending, state::State};
use crate::{
    model::{Turn, compaction},
    prefix::Restart,
    rules::DialectId,
    stage::Compacted,
    value::Host,
};

/// How many summaries of other conversations, and earlier ones of the same, are remembered.
const ELSEWHERE: usize = 32;

/// Whether a turn has a summary that was not asked for: one of another provider, which the target can read, or one at
/// the beginning of a reply. It replaces everything before it.
fn is_unasked<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let is_read = |part| compaction::summary((turn.from, turn.input.as_ref()), &turn.parts[part]).is_some();
    let is_of_reply = || summary(turn).is_none();
    compaction::last_of(turn)
        .is_some_and(|(part, _)| if turn.from.same_wire(target) { is_of_reply() } else { is_read(part) })
}

impl State {
    /// The adopted block, if it is in the list of this request.
    pub(super) fn adopted_here(&self) -> Option<&Adopted> {
        self.adopted.as_ref().filter(|adopted| adopted.is_here)
    }

    /// The place of the adopted block in the list of this request.
    pub(super) fn compacted(&self) -> Option<Compacted> {
        self.adopted_here().map(|adopted| adopted.place)
    }

    /// The last reasoning that the adopted block covers: the one before what follows.
    pub(super) fn covered_reasoning(&self) -> Option<u64> {
        self.adopted_here().and_then(|adopted| adopted.last)
    }

    /// Finds the adopted block in a list. If the caller has removed turns that it covers, what is known of later turns
    /// moves with them.
    pub(super) fn follow<H: Host>(&mut self, list: &List<'_, H>) {
        if let Some(at) = self.newest_elsewhere(list.turns) {
            // The conversation goes on that has this one, or goes back to before the newest one.
            let mut back = self.elsewhere.remove(at);
            back.find(list);
            self.elsewhere.extend(self.adopted.replace(back));
            return;
        }
        let Some(adopted) = &mut self.adopted else { return };
        let before = adopted.place.covers;
        let is_whole = adopted.find(list);
        let after = adopted.place.covers;
        if !is_whole || after == before {
            return;
        }
        let moved = |index: usize| if index < before { index.min(after) } else { index - before + after };
        let pins = |pins: &mut Vec<usize>| {
            pins.retain(|index| *index >= before);
            for index in pins {
                *index = moved(*index);
            }
        };
        self.answered.iter_mut().for_each(|length| *length = moved(*length));
        self.answered.dedup();
        self.begun = moved(self.begun);
        self.notes.iter_mut().for_each(|note| note.index = moved(note.index));
        self.hoisted = self.hoisted.iter().map(|index| moved(*index)).collect();
        self.left_out = self.left_out.iter().map(|(index, block)| (moved(*index), *block)).collect();
        pins(&mut self.pinned);
        for one in self.pending.iter_mut().chain(&mut self.summarised) {
            one.length = moved(one.length);
            pins(&mut one.pinned);
            one.left_out.iter_mut().for_each(|(index, _)| *index = moved(*index));
        }
        if let Some(cut) = &mut self.cut {
            cut.count = moved(cut.count);
            pins(&mut cut.pinned);
        }
    }

    /// The last summary in a list that is known, if it is not the adopted one. A later one covers earlier ones.
    fn newest_elsewhere<H: Host>(&self, turns: &[Arc<Turn<H>>]) -> Option<usize> {
        if self.elsewhere.is_empty() {
            return None;
        }
        let adopted = self.adopted.as_ref().map(|adopted| adopted.restart.token);
        let place = |token| self.elsewhere.iter().position(|one| one.restart.token == token);
        let mut known = turns.iter().rev().filter_map(|turn| summary(turn));
        known.find_map(|token| if Some(token) == adopted { Some(None) } else { place(token).map(Some) }).flatten()
    }

    /// Adopts the compaction block that the caller received. It replaces everything in its request. `last`: the last
    /// request.
    pub(super) fn adopt<H: Host>(
        &mut self,
        list: &List<'_, H>,
        turns: &[Arc<Turn<H>>],
        how: (DialectId, Option<&Pending>),
    ) {
        self.adopt_first(list, turns, how);
        let Some(adopted) = self.adopted_here().filter(|_| self.asked > 0 && self.summarised.is_none()).cloned() else {
            return;
        };
        let come: Vec<_> = turns.iter().skip(adopted.place.covers).filter_map(|turn| self.own_summary(turn)).collect();
        for token in come {
            if self.asked > 0 && token != adopted.restart.token && !self.spare.contains(&token) {
                self.spare.push(token);
                self.asked -= 1;
                self.has_spare(&adopted);
            }
        }
    }

    /// Whether a turn is a summary that has not come before.
    pub(super) fn is_new_summary<H: Host>(&self, turn: &Turn<H>) -> bool {
        let mut known = self.adopted.iter().chain(&self.elsewhere).map(|one| one.restart.token);
        self.own_summary(turn).is_some_and(|token| !self.spare.contains(&token) && known.all(|one| one != token))
    }

    /// The identity of a turn that is a summary, unless another provider made it for its own requests.
    fn own_summary<H: Host>(&self, turn: &Turn<H>) -> Option<u64> {
        let target = DialectId::named(&self.target).ok()?;
        summary(turn).filter(|_| turn.from.same_wire(target))
    }

    /// The indices of summaries that are not sent.
    pub(super) fn spare_in<H: Host>(&self, turns: &[Arc<Turn<H>>]) -> Vec<usize> {
        if self.spare.is_empty() && self.elsewhere.is_empty() {
            return Vec::new();
        }
        // An earlier summary may stand behind the turns that the adopted one still covers. It would replace that one.
        let covers = self.compacted().map_or(usize::MAX, |place| place.covers);
        let is_earlier = |token| self.elsewhere.iter().any(|one| one.restart.token == token);
        let is_spare = |index, token| self.spare.contains(&token) || index >= covers && is_earlier(token);
        let all = turns.iter().enumerate().filter_map(|(index, turn)| Some((index, summary(turn)?)));
        all.filter(|(index, token)| is_spare(*index, *token)).map(|(index, _)| index).collect()
    }

    fn adopt_first<H: Host>(
        &mut self,
        list: &List<'_, H>,
        turns: &[Arc<Turn<H>>],
        (target, sent): (DialectId, Option<&Pending>),
    ) {
        let (Some(asked), Some((at, covers))) = (&self.summarised, self.covered(list)) else { return };
        let Some(token) = summary(&turns[at]) else { return };
        let is_own = |turn: &Turn<H>| turn.from.same_wire(target) && is_unasked(turn, target);
        if turns[covers..at].iter().any(|turn| is_unasked(turn, target)) || turns[at..].iter().any(|turn| is_own(turn))
        {
            // It comes in front of what it does not cover, where the other summary replaces it, too. The provider made
            // one behind it without knowing it.
            self.spare.push(token);
            self.await_others(list, Compacted { covers, at });
            return;
        }
        let (place, restart) = (Compacted { covers, at }, Restart { token, base: asked.base, all: asked.all });
        let (covered, next) = Adopted::hashes(list, place);
        let adopted = Adopted { place, restart, last: asked.last, covered: Some(covered), next, is_here: true };
        self.elsewhere.extend(self.adopted.replace(adopted.clone()));
        let too_many = self.elsewhere.len().saturating_sub(ELSEWHERE);
        self.elsewhere.drain(..too_many);
        let pinned = asked.pinned.clone();
        let is_other = |one: &Pending| one.root != asked.root && one.root != 0 && asked.root != 0;
        if sent.is_some_and(|one| is_other(one) || self.is_elsewhere(one, list)) {
            // Another conversation was served since. What was decided for it does not hold here.
            self.begin_anew();
        }
        self.await_others(list, adopted.place);
        // It also replaces the notes, so later changes of the head are appended again.
        *self = Self {
            answered: vec![adopted.answered()],
            pinned,
            given: self.head.as_ref().map(|head| head.given(target)),
            cut: None,
            notes: Vec::new(),
            left_out: BTreeSet::new(),
            messages: Vec::new(),
            settled: 0,
            growing: None,
            settled_in: None,
            ..std::mem::take(self)
        };
    }
}
