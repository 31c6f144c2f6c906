//! A quick check that almost every conversation passes: every call has its result directly after its run, and there are
//! no other results.

use std::{borrow::Cow, hash::BuildHasher};

use super::{from_binds, has_id, is_among_results, is_sound, lateness};
use crate::{
    model::{Kind, Role, Tie, ToolResult, Turn},
    pairing::links::{joins, may_follow, ran},
    rules::{DialectId, Limits},
    stage::Policy,
    value::{HashSet, Host, hash::Hasher},
};

/// With more open calls than this, the full pass runs instead, because it searches in a table.
const MANY: usize = 64;

/// The current run of assistant turns, and the results after it.
struct Exchange<'a> {
    open: Vec<(Cow<'a, [u8]>, bool)>,
    unanswered: usize,
    /// The call whose result is expected next, if results come in the order of their calls.
    next: usize,
    /// Whether any result has come.
    answering: bool,
    /// Whether results must directly follow the last turn with calls.
    closed: bool,
    /// The ids of calls whose results may come anywhere later.
    awaited: HashSet<Vec<u8>>,
    /// Whether the last turn is reasoning that must be followed by the item it led to.
    waiting: bool,
}

/// Whether there is nothing to do. In doubt it returns false: the full pass changes nothing without a reason.
pub(super) fn is_paired<'a, H: Host>(turns: impl ExactSizeIterator<Item = &'a Turn<H>>, rules: &Policy) -> bool {
    // Compares hashes instead of ids. If two ids have the same hash, the only cost is the full pass.
    let state = Hasher::default();
    let mut seen: HashSet<u64> = HashSet::with_capacity_and_hasher(turns.len() / 2, state.clone());
    let mut joined: Option<(DialectId, bool)> = None;
    let mut run = Exchange {
        open: Vec::new(),
        unanswered: 0,
        next: 0,
        answering: false,
        closed: false,
        awaited: HashSet::default(),
        waiting: false,
    };
    for turn in turns {
        if turn.role != Role::Assistant {
            if !run.answered_by(turn, rules) {
                return false;
            }
            continue;
        }
        if run.waiting && turn.tie == Tie::GivesBack {
            return false;
        }
        let apart = run.answering || run.closed || (run.unanswered > 0 && !may_follow(turn.from));
        if apart && !run.end() {
            return false;
        }
        let mut only_reasoning = !turn.parts.is_empty();
        let mut calls = false;
        for part in &turn.parts {
            let call = match &part.kind {
                Kind::Reasoning(_) => continue,
                Kind::Result(_) => return false,
                Kind::Call(call) => call,
                Kind::Opaque(_)
                    if ran::id(turn, part, rules.target)
                        .is_some_and(|id| !seen.insert(state.hash_one(id.as_bytes()))) =>
                {
                    return false;
                }
                _ => {
                    only_reasoning = false;
                    continue;
                }
            };
            (only_reasoning, calls) = (false, true);
            let id = call.id.wtf8(turn.input.as_ref());
            if (!call.made_up_id || rules.writes_made_up_ids(turn.from, part))
                && (!is_sound(&id, rules) || !seen.insert(state.hash_one(&*id)))
            {
                return false;
            }
            if rules.may_wait(turn, part) {
                run.awaited.insert(id.into_owned());
                continue;
            }
            run.open.push((id, false));
            run.unanswered += 1;
        }
        if calls {
            let joins = match joined {
                Some((from, joins)) if from == turn.from => joins,
                _ => joins(turn.from),
            };
            joined = Some((turn.from, joins));
            run.closed = !joins;
        }
        run.waiting = only_reasoning && from_binds(turn.from) && (run.waiting || has_id(turn));
    }
    !run.waiting && (run.unanswered == 0 || rules.keep_open)
}

impl<'a> Exchange<'a> {
    /// Takes the results of a turn that is not the assistant's. Returns false if something is out of order.
    fn answered_by<H: Host>(&mut self, turn: &'a Turn<H>, rules: &Policy) -> bool {
        if self.waiting {
            return false;
        }
        let (mut results, mut others) = (false, turn.parts.is_empty());
        for part in &turn.parts {
            match &part.kind {
                Kind::Result(_) if part.is_progress() => return false,
                Kind::Result(result) if self.is_awaited(result, turn) => {}
                Kind::Result(result) => {
                    if turn.role.is_system() || !self.result(&result.id.wtf8(turn.input.as_ref()), rules) {
                        return false;
                    }
                    results = true;
                }
                Kind::Call(_) => return false,
                _ => others |= !is_among_results(turn, part),
            }
        }
        !others || (!(results && lateness(turn).any(|late| late)) && self.end())
    }

    /// Whether a result is the first one of a call that may wait for it.
    fn is_awaited<H: Host>(&mut self, result: &ToolResult<H>, turn: &Turn<H>) -> bool {
        !self.awaited.is_empty() && self.awaited.remove(&*result.id.wtf8(turn.input.as_ref()))
    }

    fn result(&mut self, id: &[u8], rules: &Policy) -> bool {
        self.answering = true;
        let fits = |(open, answered): &(Cow<'_, [u8]>, bool)| !*answered && **open == *id;
        let in_order = rules.limits.is_some_and(Limits::orders_results);
        let found = if self.open.get(self.next).is_some_and(fits) {
            Some(self.next)
        } else if in_order || self.open.len() > MANY {
            None
        } else {
            self.open.iter().position(fits)
        };
        let Some((at, call)) = found.and_then(|at| self.open.get_mut(at).map(|call| (at, call))) else { return false };
        call.1 = true;
        self.next = at + 1;
        self.unanswered -= 1;
        true
    }

    /// Ends the run of results. Returns false if a call has none.
    fn end(&mut self) -> bool {
        if self.unanswered > 0 {
            return false;
        }
        self.open.clear();
        (self.next, self.answering, self.closed, self.waiting) = (0, false, false, false);
        true
    }
}
