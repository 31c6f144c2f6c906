//! Leaves out results of calls that the provider ran, if their call is missing, and such calls, if their result is missing,
//! or if another server ran them.
//!
//! The call may be in an earlier message: the model pauses, or waits for results of the client's tools. A call without a
//! result runs when the model continues, so nothing but results may follow it. Code that calls the client's tools runs
//! already, and waits for them.

use crate::{
    model::{Kind, Part, Role, Turn},
    pairing::links::{on_server, ran},
    report::Edit,
    rules::{DialectId, RanRule},
    stage::{Draft, reasoning::leave_out},
    value::{HashMap, HashSet, Host, Input},
};

const NO_CALL: &str = "the target refuses the result of a tool that it ran without the call before it";
const NO_RESULT: &str =
    "the target refuses the call of a tool that it runs without its result before the user's next words";

const OF_ANOTHER: &str = "the target refuses a call that another server ran, and a result that names no call";

/// The indices of a turn and a part.
type Site = (usize, usize);

/// Leaves out the calls that another server ran, with their results: ids of this one cannot be made up.
pub(super) fn foreign<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some(rule) = target.facts.ran else { return };
    let foreign = Found::of(draft, target, rule).foreign;
    if !foreign.is_empty() {
        let goes =
            |at: usize, turn: &Turn<H>, part: usize| foreign.contains(&(at, part)) || is_rest(turn, at, part, &foreign);
        leave_out(draft, goes, (Edit::Opaque, OF_ANOTHER));
    }
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) {
    let Some(rule) = target.facts.ran else { return };
    // The call may be in messages that the server keeps.
    if on_server::has_earlier_turns(&draft.given.frame, Some(target)) {
        return;
    }
    let mut found = Found::of(draft, target, rule);
    if !found.lone.is_empty() {
        leave_out(draft, |at, _, part| found.lone.contains(&(at, part)), (Edit::OrphanResult, NO_CALL));
        found = Found::of(draft, target, rule);
    }
    let Some(asked) = draft.turns().rposition(|turn| asks(turn)) else { return };
    let Found { open, callers, .. } = found;
    let late = |(id, site): (String, Site)| (site.0 < asked && !callers.contains(&id)).then_some(site);
    let gone: HashSet<Site> = open.into_iter().filter_map(late).collect();
    if !gone.is_empty() {
        let goes =
            |at: usize, turn: &Turn<H>, part: usize| gone.contains(&(at, part)) || is_rest(turn, at, part, &gone);
        leave_out(draft, goes, (Edit::OrphanCall, NO_RESULT));
    }
}

/// Whether the user says something in this turn.
fn asks<H: Host>(turn: &Turn<H>) -> bool {
    turn.role == Role::User && turn.parts.iter().any(|part| !matches!(part.kind, Kind::Result(_)))
}

/// Whether a part is reasoning that would be alone in its turn.
fn is_rest<H: Host>(turn: &Turn<H>, at: usize, part: usize, gone: &HashSet<Site>) -> bool {
    let thinks = |part: &Part<H>| matches!(part.kind, Kind::Reasoning(_));
    thinks(&turn.parts[part])
        && turn.parts.iter().any(|part| !thinks(part))
        && turn.parts.iter().enumerate().all(|(place, part)| thinks(part) || gone.contains(&(at, place)))
}

/// The calls and results that the provider ran.
#[derive(Default)]
struct Found {
    /// The calls without a result, by their ids.
    open: HashMap<String, Site>,
    /// All calls so far.
    called: HashSet<String>,
    /// The calls that have called the client's tools.
    callers: HashSet<String>,
    /// The results without a call before them.
    lone: HashSet<Site>,
    /// The calls whose ids this provider did not make, with their results, and results that name no call.
    foreign: HashSet<Site>,
    /// The ids of those calls.
    foreign_ids: HashSet<String>,
}

impl Found {
    fn of<H: Host>(draft: &Draft<'_, H>, target: DialectId, rule: &RanRule) -> Self {
        let mut found = Self::default();
        for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| turn.from.same_wire(target)) {
            for (place, part) in turn.parts.iter().enumerate() {
                found.add((at, place), part, rule, turn.input.as_ref());
            }
        }
        found
    }

    fn add<H: Host>(&mut self, site: Site, part: &Part<H>, rule: &RanRule, input: Option<&Input>) {
        match (&part.kind, &part.origin) {
            (Kind::Opaque(name), _) if name.is(rule.call, input) => {
                let id = ran::id_of(part, input);
                if part.flaw.is_some() {
                    self.foreign.insert(site);
                    self.foreign_ids.extend(id);
                    return;
                }
                let Some(id) = id else { return };
                self.called.insert(id.clone());
                self.open.insert(id, site);
            }
            (Kind::Opaque(name), Some(origin)) if rule.results.split(' ').any(|word| name.is(word, input)) => {
                match ran::text_of(origin, rule.answers, input) {
                    Some(id) if self.called.contains(&id) => {
                        self.open.remove(&id);
                    }
                    Some(id) if self.foreign_ids.contains(&id) => {
                        self.foreign.insert(site);
                    }
                    Some(_) => {
                        self.lone.insert(site);
                    }
                    None => {
                        self.foreign.insert(site);
                    }
                }
            }
            (Kind::Call(_), _) => {
                let (key, id) = rule.caller;
                let extras = part.extras.iter().flat_map(|extras| extras.iter());
                let caller =
                    extras.filter(|(name, _)| name.is(key, input)).find_map(|(_, raw)| ran::text_of(raw, id, input));
                self.callers.extend(caller);
            }
            _ => {}
        }
    }
}
