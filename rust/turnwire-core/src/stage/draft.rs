//! A conversation on its way through the steps: its turns, its frame, and the receipt so far.

use super::built::Built;
use crate::{
    detect::foreign,
    model::{Conversation, Frame, Role, Turn},
    pairing::{Whole, steps},
    report::{Change, Edit, Path, Receipt, Sources, ToolNames, provenance::origins_of},
    value::{HashMap, Host, Raw, Text},
};
use std::sync::Arc;

use smallvec::smallvec;

/// A turn of a draft, and its index in the caller's list.
#[derive(Debug)]
pub(crate) struct DraftTurn<H: Host> {
    pub(crate) turn: Arc<Turn<H>>,
    pub(crate) index: usize,
    /// The given turns that it was made from. Empty for a turn that a step made up.
    pub(crate) sources: Sources,
}

impl<H: Host> DraftTurn<H> {
    /// A turn that a step made up. `index`: the given turn that it comes before or belongs to.
    pub(super) fn made(turn: Turn<H>, index: usize) -> Self {
        Self { turn: Arc::new(turn), index, sources: Sources::new() }
    }

    /// The path of the turn in the caller's payload.
    pub(super) fn path(&self) -> Path {
        self.turn.path(self.index)
    }

    /// The path of one of its parts in the caller's payload.
    pub(super) fn path_of(&self, part: usize) -> Path {
        self.turn.part_path(self.index, part)
    }
}

/// A result that step 4 has cut, or left whole because its marker would be no smaller.
#[derive(Debug)]
pub(super) struct CutBefore {
    /// The caller's own marker.
    pub(super) own: Option<String>,
    /// How many bytes are gone.
    pub(super) gone: usize,
}

/// A conversation during a build.
#[derive(Debug)]
pub(crate) struct Draft<'a, H: Host> {
    pub(super) given: &'a Conversation<H>,
    /// The turns, once a step has changed one. Until then, the given turns are used.
    pub(super) slots: Option<Vec<DraftTurn<H>>>,
    /// The frame, if a step has changed it.
    pub(super) frame: Option<Arc<Frame<H>>>,
    /// The caller's own names for the tools that were renamed.
    pub(super) names: ToolNames,
    pub(crate) receipt: Receipt,
    /// What is unusual and stays, because the target accepts it. Only a check tells it: it is so at every step of a run.
    pub(super) taken: Vec<Change>,
    /// What step 4 decided for each result that is larger than a result may be, by the id of its call.
    pub(super) cut: HashMap<String, CutBefore>,
    /// The given turns that the budget shortened or dropped, and whether nothing of them is left.
    pub(super) dropped: Vec<(usize, bool)>,
    /// The turns that were split into steps, each with its original steps.
    whole: Vec<Whole<H>>,
    /// The given turns after step 4, which every later request sends too.
    pub(super) capped: HashMap<usize, Arc<Turn<H>>>,
}

impl<'a, H: Host> Draft<'a, H> {
    pub(super) fn of(given: &'a Conversation<H>) -> Self {
        Self {
            given,
            slots: None,
            frame: None,
            names: ToolNames::default(),
            receipt: Receipt::default(),
            taken: Vec::new(),
            cut: HashMap::default(),
            dropped: Vec::new(),
            whole: Vec::new(),
            capped: HashMap::default(),
        }
    }

    /// The turns in their current state.
    pub(super) fn turns(&self) -> impl ExactSizeIterator<Item = &Arc<Turn<H>>> + DoubleEndedIterator + Clone {
        let count = self.slots.as_ref().map_or(self.given.turns().len(), Vec::len);
        (0..count).map(|at| match &self.slots {
            Some(slots) => &slots[at].turn,
            None => &self.given.turns()[at],
        })
    }

    /// The turns, to be changed.
    pub(super) fn slots(&mut self) -> &mut Vec<DraftTurn<H>> {
        let given = self.given.turns();
        self.slots.get_or_insert_with(|| Self::all(given))
    }

    /// The given turns, unchanged.
    pub(super) fn all(given: &[Arc<Turn<H>>]) -> Vec<DraftTurn<H>> {
        let turn =
            |(index, turn): (usize, &Arc<Turn<H>>)| DraftTurn { turn: turn.clone(), index, sources: smallvec![index] };
        given.iter().enumerate().map(turn).collect()
    }

    /// Replaces each turn that holds several steps by its steps, because repairs need each side in its own turn.
    pub(super) fn split_steps(&mut self) {
        if !self.turns().any(|turn| steps::holds_results(turn.from)) {
            return;
        }
        let mut left = Vec::new();
        for slot in std::mem::take(self.slots()) {
            let Some(whole) = Whole::of(&slot.turn, slot.index) else {
                left.push(slot);
                continue;
            };
            left.extend(whole.steps.iter().map(|turn| DraftTurn {
                turn: turn.clone(),
                index: slot.index,
                sources: slot.sources.clone(),
            }));
            self.whole.push(whole);
        }
        *self.slots() = left;
    }

    /// Joins the steps of each turn again.
    fn join_steps(&mut self) {
        let whole = std::mem::take(&mut self.whole);
        let Some(slots) = self.slots.as_mut().filter(|_| !whole.is_empty()) else { return };
        let by_index: HashMap<_, _> = whole.iter().map(|one| (one.index, one)).collect();
        let turns: Vec<_> = slots.iter().map(|slot| &slot.turn).collect();
        let joined = steps::join(&turns, |at| by_index.get(&slots[at].index).copied());
        let mut at = 0;
        let slot = |(turn, count)| {
            let first = &slots[at];
            at += count;
            DraftTurn { turn, index: first.index, sources: first.sources.clone() }
        };
        *slots = joined.into_iter().map(slot).collect();
    }

    /// The path in the caller's payload of the turn at a current position.
    pub(super) fn path(&self, at: usize) -> Path {
        match self.slots.as_ref().and_then(|slots| slots.get(at)) {
            Some(slot) => slot.path(),
            None => self.given.turns().get(at).map(|turn| turn.path(at)).unwrap_or_default(),
        }
    }

    /// The turn at a current position, and its index in the caller's list.
    pub(super) fn at(&self, at: usize) -> (&Turn<H>, usize) {
        match &self.slots {
            Some(slots) => (&slots[at].turn, slots[at].index),
            None => (&self.given.turns()[at], at),
        }
    }

    pub(super) fn report(&mut self, entry: Change) {
        self.receipt.changes.push(entry);
    }

    /// How many turns at the head are the given ones, with the same system text and tools before them. `None` if
    /// nothing changed.
    pub(super) fn first_changed(&self) -> Option<usize> {
        // If the target accepts system text only at the head, it moves there, which changes the head.
        if self.frame.is_some() || self.receipt.changes.iter().any(|entry| entry.code == Edit::MovedSystem) {
            return Some(0);
        }
        let (slots, turns) = (self.slots.as_ref()?, self.given.turns());
        let same = slots.iter().zip(turns).take_while(|(slot, turn)| Arc::ptr_eq(&slot.turn, turn)).count();
        if same == turns.len().max(slots.len()) {
            return None;
        }
        // A result that is added or removed changes the message of its call, where that message holds both.
        let holds = same.checked_sub(1).is_some_and(|before| steps::holds_results(turns[before].from));
        let answers = |turn: &Turn<H>| turn.role != Role::Assistant && turn.results().next().is_some();
        let next = [slots.get(same).map(|slot| &slot.turn), turns.get(same)];
        let joined = holds && next.into_iter().flatten().any(|turn| answers(turn));
        Some(same - usize::from(joined))
    }

    /// Warns of content that another dialect knows, but not the one that it was read as.
    pub(super) fn warn_of_wrong_dialects(&mut self) {
        let found = self.given.turns().iter().enumerate().filter_map(|(index, turn)| foreign(turn, index));
        let warnings = found.map(|(path, text)| Change::warning(Edit::WrongDialect, path, text));
        self.receipt.changes.extend(warnings);
    }

    pub(super) fn finish(mut self) -> Built<H> {
        self.join_steps();
        self.receipt.first_changed_index = self.first_changed();
        let is_same = self.receipt.first_changed_index.is_none();
        debug_assert!(self.receipt.is_unchanged() || !is_same, "{}", self.receipt);
        self.receipt.sort();
        if is_same {
            return Built { conversation: self.given.share(), receipt: self.receipt, dropped: self.dropped };
        }
        let origins = match (&self.slots, self.given.origins()) {
            (None, origins) => origins.map(Arc::from),
            (Some(slots), None) => Some(slots.iter().map(|slot| slot.sources.clone()).collect()),
            (Some(slots), Some(origins)) => Some(slots.iter().map(|slot| origins_of(&slot.sources, origins)).collect()),
        };
        let turns = match self.slots {
            Some(slots) => slots.into_iter().map(|slot| slot.turn).collect(),
            None => self.given.turns().to_vec(),
        };
        let mut frame = self.frame.unwrap_or_else(|| self.given.frame.clone());
        if !self.names.is_empty() {
            let mut named = frame.map(&mut Text::share, &mut Raw::share);
            named.names.join(&self.names);
            frame = Arc::new(named);
        }
        Built {
            conversation: Conversation::new(turns, frame, None).made_of(origins),
            receipt: self.receipt,
            dropped: self.dropped,
        }
    }
}
