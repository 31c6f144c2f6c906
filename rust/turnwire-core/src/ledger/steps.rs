//! Splits messages that hold several steps, so that a ledger counts steps: such a message gets new ones with each
//! reply, and those that were sent stay.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use smallvec::smallvec;

use super::request::Request;
use crate::{
    detect::ReadAs,
    model::{Conversation, Turn},
    pairing::{Whole, steps},
    report::{
        Path, Receipt, Sources,
        provenance::{own_first, seen_from},
    },
    rules::DialectId,
    stage::{Built, Failed},
    value::{HashSet, Host, Raw},
};

/// The caller's list in steps.
#[derive(Debug)]
pub(super) struct Steps<H: Host> {
    /// A turn for each step.
    pub(super) list: Conversation<H>,
    given: Conversation<H>,
    /// The messages that were split.
    whole: Vec<Arc<Whole<H>>>,
    /// For each turn of the list, and for its end, the turn of the given list. Empty if nothing was split.
    turns: Arc<[Sources]>,
}

impl<H: Host> Steps<H> {
    pub(super) fn of(given: &Conversation<H>) -> Self {
        let mut whole = Vec::new();
        let mut turns = Vec::with_capacity(given.len());
        let mut list: Vec<Arc<Turn<H>>> = Vec::with_capacity(given.len());
        for (index, turn) in given.turns().iter().enumerate() {
            let made = Whole::of(turn, list.len()).map(Arc::new);
            match &made {
                Some(made) => list.extend(made.steps.iter().cloned()),
                None => list.push(turn.clone()),
            }
            whole.extend(made);
            turns.resize(list.len(), smallvec![index]);
        }
        if whole.is_empty() {
            let list = given.share().made_of(None);
            return Self { list, given: given.share(), whole, turns: [].into() };
        }
        turns.push(smallvec![given.len()]);
        let list = Conversation::new(list, given.frame.clone(), None);
        Self { list, given: given.share(), whole, turns: turns.into() }
    }

    /// The dialects that the given list was read as.
    pub(super) fn read_as(&self) -> ReadAs {
        ReadAs::of(self.given.turns())
    }

    /// The first steps.
    pub(super) fn first(&self, count: usize) -> Self {
        let mut list = self.list.share();
        if count < list.len() {
            list.turns_mut().truncate(count);
        }
        Self { list, given: self.given.share(), whole: self.whole.clone(), turns: self.turns.clone() }
    }

    /// The indices of the steps of these turns of the given list.
    pub(super) fn of_turns<'a>(&self, indices: &'a [usize]) -> Cow<'a, [usize]> {
        let count = self.list.len();
        if self.turns.is_empty() && indices.iter().all(|index| *index < count) {
            return Cow::Borrowed(indices);
        }
        let turns: HashSet<_> = indices.iter().copied().collect();
        (0..count).filter(|step| turns.contains(&self.turn(*step))).collect()
    }

    /// The turn of the given list that a step is part of.
    pub(super) fn turn(&self, step: usize) -> usize {
        self.turns.get(step).or(self.turns.last()).map_or(step, |turn| turn[0])
    }

    /// How many turns of the given list there are.
    pub(super) fn length(&self) -> usize {
        self.list.len().checked_sub(1).map_or(0, |last| self.turn(last) + 1)
    }

    /// The message that a step is part of, if it was split.
    fn whole_of(&self, step: usize) -> Option<&Whole<H>> {
        let behind = self.whole.partition_point(|one| one.index <= step);
        let whole = self.whole.get(behind.checked_sub(1)?)?;
        (step < whole.index + whole.steps.len()).then_some(&**whole)
    }

    /// Joins the steps of each message again, for a target that has such messages.
    pub(super) fn joined(&self, built: Built<H>, target: DialectId) -> Built<H> {
        let is_home = |one: &Arc<Whole<H>>| one.turn.from.same_wire(target);
        if !self.whole.iter().any(is_home) {
            return built;
        }
        let conversation = &built.conversation;
        let origins = origins_of(conversation);
        let turns: Vec<_> = conversation.turns().iter().collect();
        let joined = steps::join(&turns, |at| self.whole_of(*origins[at].first()?));
        let mut at = 0;
        let joined = joined.into_iter().map(|(turn, count)| {
            at += count;
            (turn, own_first(origins[at - count..at].iter().flatten().copied()))
        });
        let (turns, origins): (Vec<_>, Vec<_>) = joined.unzip();
        let is_given = built.receipt.first_changed_index.is_none() && self.length() == self.given.len();
        let list = self.given.list_origin.as_ref().filter(|_| is_given).map(Raw::share);
        let conversation = Conversation::new(turns, conversation.frame.clone(), list).made_of(Some(origins.into()));
        Built { conversation, ..built }
    }

    /// Names the caller's elements in a request.
    pub(super) fn show(&self, request: &mut Request<H>) {
        for origins in [Some(&*self.turns).filter(|turns| !turns.is_empty()), self.given.origins()] {
            let Some(origins) = origins else { continue };
            let rendering = &mut request.rendering;
            rendering.provenance = std::mem::take(&mut rendering.provenance).seen_from(origins);
            rendering.losses.iter_mut().for_each(|loss| loss.path = std::mem::take(&mut loss.path).seen_from(origins));
            let conversation = &request.built.conversation;
            let made_of: Vec<_> = origins_of(conversation).iter().map(|steps| seen_from(steps, origins)).collect();
            request.built.conversation = conversation.share().made_of(Some(made_of.into()));
        }
        self.show_in(&mut request.built.receipt);
        if !self.turns.is_empty() {
            request.built.dropped = self.dropped(&request.built.dropped);
        }
    }

    /// Names the caller's elements in an error.
    pub(super) fn of_failure(&self, mut failed: Failed) -> Failed {
        self.show_in(&mut failed.receipt);
        let path = self.seen(failed.error.path().clone());
        Failed { error: failed.error.at_path(path), receipt: failed.receipt }
    }

    fn show_in(&self, receipt: &mut Receipt) {
        if self.turns.is_empty() {
            return;
        }
        for change in &mut receipt.changes {
            change.index = change.index.map(|step| self.turn(step));
            change.path = self.seen(std::mem::take(&mut change.path));
        }
        receipt.break_at.iter_mut().for_each(|path| **path = self.seen(std::mem::take(&mut **path)));
        receipt.first_changed_index = receipt.first_changed_index.map(|step| self.turn(step));
    }

    fn seen(&self, path: Path) -> Path {
        if self.turns.is_empty() { path } else { path.settled().seen_from(&self.turns) }
    }

    /// A turn is gone if all of its steps are.
    fn dropped(&self, steps: &[(usize, bool)]) -> Vec<(usize, bool)> {
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        for (step, is_gone) in steps {
            let turn = self.turn(*step);
            // Steps are in the order of their turns.
            let before = |end: usize| self.turns.partition_point(|of| of[0] < end);
            let count = || before(turn + 1) - before(turn);
            *left.entry(turn).or_insert_with(count) -= usize::from(*is_gone);
        }
        left.into_iter().map(|(turn, left)| (turn, left == 0)).collect()
    }
}

/// The steps that each turn of a build was made from.
fn origins_of<H: Host>(built: &Conversation<H>) -> Vec<Sources> {
    let own = || (0..built.len()).map(|at| smallvec![at]).collect();
    built.origins().map_or_else(own, <[Sources]>::to_vec)
}
