//! The builder's steps in their order: compress, filter, pair, relay, system, opening, conform, fit, validate.
//!
//! Each step works on shared turns. A turn that it does not change stays the same `Arc`; a turn that it changes is a new one,
//! marked as touched, whose other parts are shared. Steps see limits, never the name of a dialect.

mod bond;
pub mod check;
mod compress;
mod conform;
mod failed;
mod filter;
mod fit;
pub mod front;
mod opening;
pub mod pair;
mod relay;
mod size;
mod system;
mod thinking;
mod validate;
mod window;

use std::sync::Arc;

use smallvec::smallvec;

pub use self::{
    check::check,
    compress::Summary,
    failed::Failed,
    relay::Relay,
    size::{Budget, Counter},
    thinking::Thinking,
    window::{Window, summed, window},
};
pub use crate::model::tool::MISSING_RESULT;
use crate::{
    detect::foreign,
    model::{
        conversation::{Conversation, Frame},
        turn::Turn,
    },
    report::{
        error::Error,
        path::Path,
        provenance::{Sources, seen_from},
        receipt::{Change, Entry, Receipt, Warning},
    },
    rules::{dialect_id::DialectId, limits::Limits},
    text::budget::RESERVE,
    value::handle::{Host, Text},
};

/// The warning that a turn was read as a dialect which does not know what it holds.
const WRONG_DIALECT: &str = "wrong_dialect";

/// What the caller wants built.
#[derive(Debug)]
pub struct Inputs<'a, H: Host> {
    /// System prompts, to be joined by a newline.
    pub system_prompts: &'a [Text<H>],
    /// What stands for the older turns.
    pub summary: Option<&'a Summary>,
    /// How much may be sent; `None` for all there is.
    pub budget: Option<Budget<'a>>,
    /// The share of the budget, from 0 to 1, that is freed ahead, so that the same old turns pay while the conversation
    /// grows by as much.
    pub reserve: f64,
    /// The caller's own indices of turns that the budget neither cuts nor drops, nor the exchanges that they belong to.
    pub pinned: &'a [usize],
    /// For whom: its limits hold.
    pub target: Option<DialectId>,
    /// What the user is to have said before a first assistant turn, where the target wants the user to begin.
    pub opening: Option<&'a Text<H>>,
    /// What must not reach the program that writes the target's format, where that is not turnwire.
    pub relay: Relay,
    /// Leave the calls of the last turn to the caller.
    pub keep_open: bool,
    /// What becomes of reasoning once the turns before it have changed.
    pub thinking: Thinking,
    /// Whether a summary is to say what goes: then the first that the user said goes like the rest, and system turns do not
    /// count as turns.
    pub summarised: bool,
}

impl<H: Host> Default for Inputs<'_, H> {
    fn default() -> Self {
        Self {
            system_prompts: &[],
            summary: None,
            budget: None,
            reserve: RESERVE,
            pinned: &[],
            target: None,
            opening: None,
            relay: Relay::default(),
            keep_open: false,
            thinking: Thinking::Keep,
            summarised: false,
        }
    }
}

/// A turn on its way, and the caller's own index of it.
#[derive(Debug)]
pub(crate) struct Slot<H: Host> {
    pub(crate) turn: Arc<Turn<H>>,
    pub(crate) index: usize,
    /// The given turns that it is made of; none for one that a step has made.
    pub(crate) sources: Sources,
}

impl<H: Host> Slot<H> {
    /// A turn that a step has made, for the given turn at `index` or before it.
    fn made(turn: Turn<H>, index: usize) -> Self {
        Self { turn: Arc::new(turn), index, sources: Sources::new() }
    }

    /// Where the turn stands in the caller's payload.
    fn path(&self) -> Path {
        self.turn.path(self.index)
    }

    /// Where one of its parts stands there.
    fn path_of(&self, part: usize) -> Path {
        self.turn.part_path(self.index, part)
    }
}

/// A conversation on its way through the steps.
#[derive(Debug)]
pub(crate) struct Draft<'a, H: Host> {
    given: &'a Conversation<H>,
    /// The turns, once a step has something to change; until then they are the given ones.
    slots: Option<Vec<Slot<H>>>,
    /// What surrounds the turns, where a step has changed it.
    frame: Option<Arc<Frame<H>>>,
    pub(crate) receipt: Receipt,
}

impl<'a, H: Host> Draft<'a, H> {
    fn of(given: &'a Conversation<H>) -> Self {
        Self { given, slots: None, frame: None, receipt: Receipt::default() }
    }

    /// The turns as they are now.
    fn turns(&self) -> impl ExactSizeIterator<Item = &Arc<Turn<H>>> + DoubleEndedIterator + Clone {
        let count = self.slots.as_ref().map_or(self.given.turns().len(), Vec::len);
        (0..count).map(|at| match &self.slots {
            Some(slots) => &slots[at].turn,
            None => &self.given.turns()[at],
        })
    }

    /// The turns, to be changed.
    fn slots(&mut self) -> &mut Vec<Slot<H>> {
        let given = self.given.turns();
        self.slots.get_or_insert_with(|| {
            given
                .iter()
                .enumerate()
                .map(|(index, turn)| Slot { turn: turn.clone(), index, sources: smallvec![index] })
                .collect()
        })
    }

    /// Where in the caller's payload the turn stands that is at this place now.
    fn path(&self, at: usize) -> Path {
        match self.slots.as_ref().and_then(|slots| slots.get(at)) {
            Some(slot) => slot.path(),
            None => self.given.turns().get(at).map(|turn| turn.path(at)).unwrap_or_default(),
        }
    }

    /// The turn at this place, and the caller's own index of it.
    fn at(&self, at: usize) -> (&Turn<H>, usize) {
        match &self.slots {
            Some(slots) => (&slots[at].turn, slots[at].index),
            None => (&self.given.turns()[at], at),
        }
    }

    fn report(&mut self, entry: Entry) {
        self.receipt.entries.push(entry);
    }

    /// How many turns at the head are the very ones that were given, and behind the same system text and tools; `None` when
    /// all are.
    fn first_changed(&self) -> Option<usize> {
        // System text that cannot stay where it is goes to the head.
        if self.frame.is_some() || self.receipt.entries.iter().any(|entry| entry.code == Change::MovedSystem) {
            return Some(0);
        }
        let (slots, turns) = (self.slots.as_ref()?, self.given.turns());
        let same = slots.iter().zip(turns).take_while(|(slot, turn)| Arc::ptr_eq(&slot.turn, turn)).count();
        (same < turns.len().max(slots.len())).then_some(same)
    }

    /// The steps in their order.
    fn run(&mut self, inputs: &Inputs<'_, H>) -> Result<(), Error> {
        let rules = Rules::of(inputs)?;
        self.warn_of_wrong_dialects();
        compress::apply(self, inputs);
        filter::apply(self);
        pair::apply(self, &rules);
        relay::apply(self, inputs.relay);
        system::apply(self, inputs.system_prompts);
        opening::apply(self, &rules, inputs.opening);
        conform::apply(self, &rules)?;
        if fit::apply(self, inputs, &rules)? {
            // What was dropped may have parted neighbours of one side.
            conform::turns(self, &rules)?;
        }
        thinking::apply(self, inputs.thinking);
        validate::apply(self, &rules)
    }

    /// What was read as a dialect that does not know it stays what nobody knows: the caller is told which one does.
    fn warn_of_wrong_dialects(&mut self) {
        let found = self.given.turns().iter().enumerate().filter_map(|(index, turn)| foreign(turn, index));
        let warnings = found.map(|(path, text)| Warning { code: WRONG_DIALECT, path, text: text.into() });
        self.receipt.warnings.extend(warnings);
    }

    fn finish(mut self) -> Built<H> {
        self.receipt.first_changed_index = self.first_changed();
        debug_assert_eq!(self.receipt.is_empty(), self.receipt.first_changed_index.is_none(), "{}", self.receipt);
        if self.receipt.is_empty() {
            return Built { conversation: self.given.share(), receipt: self.receipt };
        }
        let origins = match (&self.slots, self.given.origins()) {
            (None, origins) => origins.map(Arc::from),
            (Some(slots), None) => Some(slots.iter().map(|slot| slot.sources.clone()).collect()),
            (Some(slots), Some(origins)) => Some(slots.iter().map(|slot| seen_from(&slot.sources, origins)).collect()),
        };
        let turns = match self.slots {
            Some(slots) => slots.into_iter().map(|slot| slot.turn).collect(),
            None => self.given.turns().to_vec(),
        };
        let frame = self.frame.unwrap_or_else(|| self.given.frame.clone());
        Built { conversation: Conversation::new(turns, frame, None).made_of(origins), receipt: self.receipt }
    }
}

/// What a build gives.
#[derive(Debug)]
pub struct Built<H: Host> {
    /// The turns that can be sent.
    pub conversation: Conversation<H>,
    /// What was changed.
    pub receipt: Receipt,
}

/// What the target allows and the caller chose, as the steps see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) limits: Option<&'static Limits>,
    pub(crate) target: Option<DialectId>,
    pub(crate) keep_open: bool,
}

impl Rules {
    /// Nobody in particular.
    pub(crate) const NONE: Self = Self { limits: None, target: None, keep_open: false };

    fn of<H: Host>(inputs: &Inputs<'_, H>) -> Result<Self, Error> {
        let limits = inputs.target.map(DialectId::limits).transpose()?;
        Ok(Self { limits, target: inputs.target, keep_open: inputs.keep_open })
    }

    /// Whether the target knows what only the dialect `from` knows. Without a target, a turn goes back where it came from.
    pub(crate) fn is_home(&self, from: DialectId) -> bool {
        self.target.is_none_or(|target| target.same_wire(from))
    }

    /// Whether the target gets the reasoning that came from `from`: nobody else can read it.
    pub(crate) fn replays_reasoning(&self, from: DialectId) -> bool {
        self.target.is_none_or(|target| target == from)
    }

    /// Whether an id that was made up for a turn without one will be written for the target.
    pub(crate) fn writes_made_up_ids(&self, from: DialectId) -> bool {
        let needed = self.limits.is_some_and(|limits| !limits.id.optional);
        needed && !self.target.is_some_and(|target| target.same_wire(from))
    }
}

/// Assembles, repairs, fits and validates. The conversation that is given stays as it is.
pub fn build<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Result<Built<H>, Failed> {
    let mut draft = Draft::of(conversation);
    match draft.run(inputs) {
        Ok(()) => Ok(draft.finish()),
        Err(error) => Err(Failed { error, receipt: draft.receipt }),
    }
}
