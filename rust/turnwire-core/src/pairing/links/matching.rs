//! Matches results with calls in order. A repeated id is another call, and an empty id counts as none.
//!
//! The call of a result is the first open one with its id in the nearest earlier turn that has one. If there is none,
//! it is in a later turn. Every step is one table look-up, however often an id is used.

use std::{borrow::Cow, ops::Range};

use super::{calls, joins, may_follow, signed::Bare};
use crate::{
    model::{Kind, Turn},
    value::{HashMap, Host},
};

/// A call and where it is in the conversation.
#[derive(Debug)]
pub(crate) struct CallSite<'a> {
    pub(crate) turn: usize,
    pub(crate) part: usize,
    /// Its id, an index of `Matching::ids`.
    pub(crate) id: usize,
    /// Its result, an index of `Matching::results`.
    pub(crate) result: Option<usize>,
    /// Whether its result may come later, so that it stays where it is.
    pub(crate) waits: bool,
    /// Its run, an index of `Matching::runs`.
    pub(super) run: usize,
    /// The name of its tool.
    pub(super) name: Cow<'a, [u8]>,
    /// Whether its id was made up.
    pub(super) unnamed: bool,
    /// The next open call of this id in the same turn, and the first one in the nearest earlier turn that has one.
    next: Option<usize>,
    below: Option<usize>,
}

/// A result and where it is in the conversation.
#[derive(Debug)]
pub(crate) struct ResultSite<'a> {
    pub(crate) turn: usize,
    pub(crate) part: usize,
    /// Its id, an index of `Matching::ids`.
    pub(crate) id: usize,
    pub(crate) fate: Fate,
    /// The run before it, an index of `Matching::runs`, if there is one.
    pub(super) run: Option<usize>,
    /// The name of the tool in the result.
    pub(super) name: Option<Cow<'a, [u8]>>,
    /// Whether its id was made up.
    pub(super) unnamed: bool,
    pub(super) stand_in: bool,
    /// Whether it names no call, in a format where it then answers the only open one.
    pub(super) sole: bool,
}

/// What was decided about a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It answers this call, an index of `Matching::calls`.
    Of(usize),
    /// Its call is on the server, so it stays where it is.
    OnServer,
    /// It answers no call.
    Orphan,
    /// The call, an index of `Matching::calls`, already has a result.
    Duplicate(usize),
    /// It names no call, and not exactly one is open, so it stays where it is.
    Unnamed,
}

/// All calls and results, matched.
#[derive(Debug)]
pub(crate) struct Matching<'a> {
    /// Every distinct id.
    pub(crate) ids: Vec<Cow<'a, [u8]>>,
    pub(crate) calls: Vec<CallSite<'a>>,
    pub(crate) results: Vec<ResultSite<'a>>,
    /// The turns of each run of the calling side, whose results follow it.
    pub(crate) runs: Vec<Range<usize>>,
}

impl<'a> Matching<'a> {
    /// Pairs all turns. `on_server`: whether a result without a call before it answers a call on the server.
    pub(crate) fn of<H: Host>(turns: impl Iterator<Item = &'a Turn<H>>, on_server: bool) -> Self {
        let mut walk = Walk {
            found: Self { ids: Vec::new(), calls: Vec::new(), results: Vec::new(), runs: Vec::new() },
            by_id: HashMap::default(),
            uses: Vec::new(),
            loose: Vec::new(),
        };
        let (mut run, mut bare) = (None, Bare::default());
        for (at, turn) in turns.enumerate() {
            run = walk.run(at, turn, run);
            let input = turn.input.as_ref();
            for (part, one) in turn.parts.iter().enumerate() {
                match &one.kind {
                    Kind::Call(call) => {
                        let name = call.name.wtf8(input);
                        let id = call.id.wtf8(input);
                        let own = own_id(turn, &id);
                        let id = walk.call((at, part), id, name, call.made_up_id);
                        bare.extend(own.map(|own| (id, own)));
                    }
                    Kind::Result(result) if one.is_progress() => {
                        walk.progress((at, part), result.id.wtf8(input));
                    }
                    Kind::Result(result) => {
                        let name = result.name.as_deref().map(|name| name.wtf8(input));
                        let sole = turn.from.facts.sole_answers && result.id.is_empty();
                        let says = (name, result.made_up_id, result.is_stand_in(input), sole);
                        let id = result.id.wtf8(input);
                        let own = own_id(turn, &id);
                        let id = walk.result((at, part), id, says);
                        bare.extend(own.map(|own| (id, own)));
                    }
                    _ => {}
                }
            }
        }
        walk.look_ahead(on_server);
        walk.uncross();
        if !bare.is_empty() {
            walk.found.by_bare_id(&bare);
        }
        walk.found.by_name();
        let is_orphan = |result: &ResultSite<'_>| result.fate == Fate::Orphan;
        if walk.found.results.iter().any(is_orphan) {
            walk.found.eliminate(on_server);
        }
        walk.found
    }

    /// Whether a result answers a call that may wait for it.
    pub(crate) fn is_awaited(&self, result: usize) -> bool {
        matches!(self.results[result].fate, Fate::Of(call) if self.calls[call].waits)
    }

    /// The id of a call, unchanged.
    pub(crate) fn call_id(&self, call: usize) -> &[u8] {
        &self.ids[self.calls[call].id]
    }

    /// The id of a result, unchanged.
    pub(crate) fn result_id(&self, result: usize) -> &[u8] {
        &self.ids[self.results[result].id]
    }

    /// Whether a result has the id of this call.
    pub(crate) fn has_id_of(&self, result: usize, call: usize) -> bool {
        self.results[result].id == self.calls[call].id
    }

    /// The call that a result answers. For a duplicate, the call that it would have answered.
    pub(crate) fn call_of(&self, result: usize) -> Option<usize> {
        match self.results[result].fate {
            Fate::Of(call) | Fate::Duplicate(call) => Some(call),
            Fate::OnServer | Fate::Orphan | Fate::Unnamed => None,
        }
    }

    /// Whether a result follows the run of its call, with no other run between.
    pub(crate) fn is_behind_run(&self, result: usize, call: usize) -> bool {
        self.results[result].run == Some(self.calls[call].run)
    }

    /// The result at this place.
    pub(crate) fn result_at(&self, turn: usize, part: usize) -> Option<usize> {
        self.results.binary_search_by_key(&(turn, part), |result| (result.turn, result.part)).ok()
    }

    /// The turn and part of the first result without a call before it.
    pub(crate) fn orphan(&self) -> Option<(usize, usize)> {
        let place = |result: &ResultSite<'_>| (result.turn, result.part);
        let is_paired = |result: &&ResultSite<'_>| match result.fate {
            Fate::Of(call) => (self.calls[call].turn, self.calls[call].part) < place(result),
            Fate::OnServer | Fate::Unnamed => true,
            Fate::Orphan | Fate::Duplicate(_) => false,
        };
        self.results.iter().find(|result| !is_paired(result)).map(place)
    }
}

/// The id of a call or a result without the signature behind it, if there is one.
fn own_id<H: Host>(turn: &Turn<H>, id: &[u8]) -> Option<Vec<u8>> {
    turn.from.facts.carriers.split(id).map(|(own, _)| own.to_vec())
}

/// All uses of one id so far.
#[derive(Default)]
struct Uses {
    /// The first open call of the nearest turn with one; it links to the others.
    top: Option<usize>,
    /// The last call.
    last: Option<usize>,
    /// The call that the last result answered.
    answered: Option<usize>,
    /// Whether one run has two calls with this id.
    twins: bool,
}

/// The run of assistant turns that the next turn may join.
#[derive(Clone, Copy)]
enum Run {
    /// There is no call yet.
    Said,
    /// The run has calls, and their results may come after it.
    Called,
    /// Results have to directly follow the last turn.
    Closed,
}

struct Walk<'a> {
    found: Matching<'a>,
    by_id: HashMap<Cow<'a, [u8]>, usize>,
    /// The uses of each id.
    uses: Vec<Uses>,
    /// Results without a call before them.
    loose: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// Starts a run with an assistant turn, or adds the turn to the open run.
    fn run<H: Host>(&mut self, at: usize, turn: &Turn<H>, run: Option<Run>) -> Option<Run> {
        if !calls(turn) {
            return None;
        }
        let joined = run.filter(|run| match run {
            Run::Said => true,
            Run::Called => may_follow(turn.from),
            Run::Closed => false,
        });
        match (self.found.runs.last_mut(), joined) {
            (Some(range), Some(_)) => range.end = at + 1,
            _ => self.found.runs.push(at..at + 1),
        }
        Some(match turn.calls().next() {
            None => joined.unwrap_or(Run::Said),
            Some(_) if joins(turn.from) => Run::Called,
            Some(_) => Run::Closed,
        })
    }

    fn id(&mut self, id: Cow<'a, [u8]>) -> usize {
        if let Some(known) = self.by_id.get(&id) {
            return *known;
        }
        let new = self.uses.len();
        self.uses.push(Uses::default());
        self.found.ids.push(id.clone());
        self.by_id.insert(id, new);
        new
    }

    /// Adds a call. Returns the index of its id.
    fn call(&mut self, (turn, part): (usize, usize), id: Cow<'a, [u8]>, name: Cow<'a, [u8]>, unnamed: bool) -> usize {
        let says_none = id.is_empty();
        let id = self.id(id);
        let (uses, calls) = (&mut self.uses[id], &mut self.found.calls);
        let (call, run) = (calls.len(), self.found.runs.len().saturating_sub(1));
        if says_none {
            calls.push(CallSite {
                turn,
                part,
                id,
                result: None,
                waits: false,
                run,
                name,
                unnamed,
                next: None,
                below: None,
            });
            return id;
        }
        uses.twins |= uses.last.is_some_and(|last| calls[last].run == run);
        let mut below = None;
        match (uses.top, uses.last) {
            (Some(top), Some(last)) if calls[top].turn == turn => calls[last].next = Some(call),
            (top, _) => (below, uses.top) = (top, Some(call)),
        }
        uses.last = Some(call);
        calls.push(CallSite { turn, part, id, result: None, waits: false, run, name, unnamed, next: None, below });
        id
    }

    /// Matches a result. What it says: the name of its tool, whether its id was made up, whether it is a placeholder for
    /// a missing result, and whether it may only answer the one open call. Returns the index of its id.
    fn result(
        &mut self,
        (turn, part): (usize, usize),
        id: Cow<'a, [u8]>,
        (name, unnamed, stand_in, sole): (Option<Cow<'a, [u8]>>, bool, bool, bool),
    ) -> usize {
        let says_none = id.is_empty();
        let id = self.id(id);
        let Matching { calls, results, runs, .. } = &mut self.found;
        let (uses, result, run) = (&mut self.uses[id], results.len(), runs.len().checked_sub(1));
        if says_none {
            results.push(ResultSite { turn, part, id, fate: Fate::Orphan, run, name, unnamed, stand_in, sole });
            return id;
        }
        let fate = match (uses.top, uses.answered) {
            (Some(call), _) => {
                let below = calls[call].below;
                if let Some(next) = calls[call].next {
                    calls[next].below = below;
                }
                uses.top = calls[call].next.or(below);
                uses.answered = Some(call);
                Fate::Of(call)
            }
            (None, Some(call)) => match calls[call].result {
                // A real result replaces a placeholder.
                Some(earlier) if !stand_in && results[earlier].stand_in => {
                    results[earlier].fate = Fate::Duplicate(call);
                    Fate::Of(call)
                }
                _ => Fate::Duplicate(call),
            },
            (None, None) => Fate::Orphan,
        };
        match fate {
            Fate::Of(call) => calls[call].result = Some(result),
            _ => self.loose.push(result),
        }
        results.push(ResultSite { turn, part, id, fate, run, name, unnamed, stand_in, sole });
        id
    }

    /// Adds a result that says only how far its tool is: it leaves its call open.
    fn progress(&mut self, (turn, part): (usize, usize), id: Cow<'a, [u8]>) {
        let id = self.id(id);
        let fate = self.uses[id].last.map_or(Fate::Orphan, Fate::Duplicate);
        let run = self.found.runs.len().checked_sub(1);
        let site = ResultSite { turn, part, id, fate, run, name: None, unnamed: false, stand_in: true, sole: false };
        self.found.results.push(site);
    }

    /// Matches results that come before their calls: each with the first later call that is still open.
    fn look_ahead(&mut self, on_server: bool) {
        if self.loose.is_empty() {
            return;
        }
        let Matching { calls, results, .. } = &mut self.found;
        // For each id, its open calls, and how many of them are matched. Loose results are in order, so earlier calls
        // than a matched one are not needed again.
        let mut open: HashMap<usize, (Vec<usize>, usize)> = HashMap::default();
        if !on_server {
            for (at, call) in calls.iter().enumerate().filter(|(_, call)| call.result.is_none()) {
                open.entry(call.id).or_default().0.push(at);
            }
        }
        for result in std::mem::take(&mut self.loose) {
            let site = &mut results[result];
            if let Some((open, settled)) = open.get_mut(&site.id) {
                let here = (site.turn, site.part);
                let later = open.partition_point(|call| (calls[*call].turn, calls[*call].part) < here);
                if let Some(call) = open.get(later.max(*settled)) {
                    *settled = later.max(*settled) + 1;
                    site.fate = Fate::Of(*call);
                    calls[*call].result = Some(result);
                    continue;
                }
            }
            site.fate = match (site.fate, self.uses[site.id].last) {
                // The server finds its calls by their ids.
                (Fate::Orphan, _) if on_server => Fate::OnServer,
                (Fate::Orphan, Some(call)) => Fate::Duplicate(call),
                (fate, _) => fate,
            };
        }
    }

    /// Calls of one run with the same id got their results beginning with the last turn. Puts those into the order of
    /// the calls.
    fn uncross(&mut self) {
        if !self.uses.iter().any(|uses| uses.twins) {
            return;
        }
        let Matching { calls, results, .. } = &mut self.found;
        let mut twins: HashMap<(usize, usize), Vec<usize>> = HashMap::default();
        for (at, call) in calls.iter().enumerate() {
            if call.result.is_some() && self.uses[call.id].twins {
                twins.entry((call.run, call.id)).or_default().push(at);
            }
        }
        for twins in twins.into_values() {
            let mut theirs: Vec<_> = twins.iter().filter_map(|call| calls[*call].result).collect();
            theirs.sort_unstable();
            for (call, result) in twins.into_iter().zip(theirs) {
                calls[call].result = Some(result);
                results[result].fate = Fate::Of(call);
            }
        }
    }
}
