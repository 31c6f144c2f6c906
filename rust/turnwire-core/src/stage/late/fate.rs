//! Decides which results are late, and why.

use super::Sent;
use crate::{
    model::{Kind, Role, ToolResult, Turn},
    pairing::{
        CallSite, Fate, Matching,
        links::{on_server, waits},
    },
    stage::{Draft, Policy},
    value::{HashMap, Host},
};
use std::sync::Arc;

/// A result that does not stay one.
pub(super) struct Late {
    /// The index of the given turn, and of the part in it.
    pub(super) place: (usize, usize),
    /// The name of the tool.
    pub(super) name: String,
    pub(super) becomes: Becomes,
}

/// What becomes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Becomes {
    /// Text of the user, because of this.
    Text(&'static str),
    /// It is left out, because the call has another result.
    Nothing,
}

/// Why a result becomes the user's text.
const ANSWERED_BEFORE: &str = "its call had been answered by a made-up result in an earlier request";
/// The same where a summary replaces the call.
const COVERED: &str = "its call is gone, because a summary replaces it";
/// The same where the budget of an earlier request had no room for the call.
const CUT_BEFORE: &str = "its call is gone, because an earlier request had no room for it";
/// The same where the result is the newest input, and the target wants it right after its call.
const SPOKEN_SINCE: &str = "the target wants it right after its call, but the assistant has spoken since";
/// The same where nothing says which call it answers.
const NO_CALL: &str = "it names no call, and not exactly one call is open";

/// The late results among the first `count` given turns. `own`: the index of a compaction that has replaced the calls
/// before it.
pub(super) fn decide<H: Host>(
    draft: &Draft<'_, H>,
    rules: &Policy,
    sent: &Sent<'_>,
    (own, count): (Option<usize>, usize),
) -> Vec<Late> {
    let given = draft.given.turns();
    let on_server = on_server::may_hold_calls(&draft.given.frame, given.iter().map(|turn| &**turn), rules.target);
    let matching = Matching::of(given.iter().map(|turn| &**turn), on_server);
    let mut answered = sent.answered.to_vec();
    // What a provider's own compaction covers was sent and answered, too.
    if let Some(at) = own {
        answered.insert(answered.partition_point(|length| *length <= at), at);
    }
    let covered = own.or(sent.compacted.map(|one| one.covers));
    let left = Left::of(draft);
    let judge = Judge { given, matching: &matching, rules, answered: &answered, covered, left, count };
    let mut late = Vec::new();
    for (at, result) in matching.results.iter().enumerate() {
        if (sent.cut..count).contains(&result.turn)
            && let Some(becomes) = judge.becomes(at)
        {
            let call = matching.call_of(at).map(|call| &matching.calls[call]);
            let name = call.map_or_else(|| judge.own_name(at), |call| judge.name_of(call));
            late.push(Late { place: (result.turn, result.part), name, becomes });
        }
    }
    late
}

/// How many calls are left of each given turn. A step leaves out the first ones, or all.
struct Left(Option<HashMap<usize, usize>>);

impl Left {
    fn of<H: Host>(draft: &Draft<'_, H>) -> Self {
        let counted = |slots: &Vec<_>| {
            let mut left = HashMap::default();
            for slot in slots {
                let slot: &crate::stage::DraftTurn<H> = slot;
                *left.entry(slot.index).or_default() += slot.turn.calls().count();
            }
            left
        };
        Self(draft.slots.as_ref().map(counted))
    }

    fn has<H: Host>(&self, call: &CallSite<'_>, turn: &Turn<H>) -> bool {
        let calls = |part: &&crate::model::Part<H>| matches!(part.kind, Kind::Call(_));
        let behind = turn.parts[call.part..].iter().filter(calls).count();
        self.0.as_ref().is_none_or(|left| left.get(&call.turn).is_some_and(|left| *left >= behind))
    }
}

struct Judge<'j, H: Host> {
    given: &'j [Arc<Turn<H>>],
    matching: &'j Matching<'j>,
    rules: &'j Policy<'j>,
    answered: &'j [usize],
    covered: Option<usize>,
    left: Left,
    /// How many turns the request has.
    count: usize,
}

impl<H: Host> Judge<'_, H> {
    fn becomes(&self, at: usize) -> Option<Becomes> {
        let result = &self.matching.results[at];
        match result.fate {
            Fate::Of(call) => self.why(call, result.turn).map(Becomes::Text),
            // A second result of a call cannot come before the first one.
            Fate::Duplicate(call) => {
                let first = self.matching.calls[call].result.map(|first| self.matching.results[first].turn)?;
                let is_late = |turn| self.is_answered(call, turn);
                if is_late(result.turn) && is_late(first) {
                    return Some(Becomes::Text(ANSWERED_BEFORE));
                }
                // The first one is text by now, so this one would count as the result.
                (result.turn >= first && self.why(call, first).is_some()).then_some(Becomes::Nothing)
            }
            Fate::Orphan if self.covered.is_some_and(|covered| covered <= result.turn) => Some(Becomes::Text(COVERED)),
            Fate::Unnamed if !self.rules.is_home(self.given[result.turn].from) => Some(Becomes::Text(NO_CALL)),
            Fate::OnServer | Fate::Orphan | Fate::Unnamed => None,
        }
    }

    /// Why the result of a call in this turn is late. `None` if it is not.
    fn why(&self, call: usize, turn: usize) -> Option<&'static str> {
        let site = &self.matching.calls[call];
        let is_gone = site.turn < turn && !self.left.has(site, &self.given[site.turn]);
        if is_gone && self.covered.is_some_and(|covered| site.turn < covered) {
            Some(COVERED)
        } else if self.is_answered(call, turn) {
            Some(ANSWERED_BEFORE)
        } else if is_gone {
            Some(CUT_BEFORE)
        } else {
            (self.may_wait(site) && !self.waits(site) && self.is_newest(site, turn)).then_some(SPOKEN_SINCE)
        }
    }

    /// Whether an earlier request has answered the call with a made-up result.
    fn is_answered(&self, call: usize, turn: usize) -> bool {
        let site = &self.matching.calls[call];
        let first = self.answered.partition_point(|length| *length <= site.turn);
        !self.waits(site) && self.answered.get(first).is_some_and(|length| *length <= turn)
    }

    /// Whether the call may wait for its result, and the target knows that.
    fn waits(&self, site: &CallSite<'_>) -> bool {
        let turn = &self.given[site.turn];
        self.rules.may_wait(turn, &turn.parts[site.part])
    }

    fn may_wait(&self, site: &CallSite<'_>) -> bool {
        let turn = &self.given[site.turn];
        waits(turn, &turn.parts[site.part])
    }

    /// Whether the assistant was the last to speak before the results at the end of the request in which this result
    /// was sent first, and spoke behind its call.
    fn is_newest(&self, site: &CallSite<'_>, turn: usize) -> bool {
        let sent_at = self.answered.partition_point(|length| *length <= turn);
        let end = self.answered.get(sent_at).copied().unwrap_or(self.count);
        let last = (0..end).rev().find(|at| !self.given[*at].role.is_system() && !self.comes_late(*at));
        last.is_some_and(|last| {
            let said = &self.given[last];
            said.role == Role::Assistant && said.calls().next().is_none() && (site.turn..turn).contains(&last)
        })
    }

    /// Whether a turn has only results, none of which stands behind its call in a run.
    fn comes_late(&self, at: usize) -> bool {
        let turn = &self.given[at];
        let is_late = |part: usize| {
            let Some(result) = self.matching.result_at(at, part) else { return false };
            match self.matching.results[result].fate {
                Fate::Of(call) => {
                    self.may_wait(&self.matching.calls[call]) || !self.matching.is_behind_run(result, call)
                }
                Fate::Duplicate(_) | Fate::Orphan | Fate::Unnamed => true,
                Fate::OnServer => false,
            }
        };
        !turn.parts.is_empty() && (0..turn.parts.len()).all(is_late)
    }

    fn name_of(&self, site: &CallSite<'_>) -> String {
        let turn = &self.given[site.turn];
        match &turn.parts[site.part].kind {
            Kind::Call(call) => call.name.to_str(turn.input.as_ref()).into_owned(),
            _ => String::new(),
        }
    }

    /// The name that a result itself has for its tool.
    fn own_name(&self, at: usize) -> String {
        let site = &self.matching.results[at];
        let turn = &self.given[site.turn];
        match &turn.parts[site.part].kind {
            Kind::Result(ToolResult { name: Some(name), .. }) => name.to_str(turn.input.as_ref()).into_owned(),
            _ => "a tool".to_owned(),
        }
    }
}
