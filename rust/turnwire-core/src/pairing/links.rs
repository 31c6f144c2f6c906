//! Which result belongs to which call, the name of its tool, and the id that both have on the wire. Stages and
//! renderers use the same answer.
//!
//! A call and its results have one id, so they are renamed together or not at all. If one of them goes back as its
//! original wire value, the id stays, even if the target refuses it.

mod by_name;
mod eliminate;
mod matching;
pub(crate) mod names;
pub(crate) mod on_server;
pub(crate) mod ran;
mod signed;

use std::{borrow::Cow, cell::OnceCell, hash::BuildHasher};

pub(crate) use self::{
    matching::{CallSite, Fate, Matching, ResultSite},
    names::{Names, spelled},
};
use crate::{
    model::{Call, Kind, Part, Role, Turn, View},
    report::Severity,
    rules::{DialectId, IdRule, Once, Target},
    value::{HashMap, HashSet, Host, Input, Raw, Text, Value, hash::Hasher},
};

/// The links of one rendering.
pub(crate) struct Links<'a, H: Host> {
    turns: &'a [&'a Turn<H>],
    target: DialectId,
    /// Whether calls may be on the server.
    on_server: bool,
    /// The new ids, by turn and part. Usually empty.
    renamed: HashMap<(usize, usize), Text<H>>,
    /// Which result answers which call, computed on first use.
    matching: OnceCell<Matching<'a>>,
}

impl<'a, H: Host> Links<'a, H> {
    /// No links, for a list that is not rewritten.
    pub(crate) fn none(view: &'a View<'_, H>, target: DialectId) -> Self {
        let on_server = on_server::may_hold_calls(view.frame, view.turns.iter().copied(), Some(target));
        Self { turns: &view.turns, target, on_server, renamed: HashMap::default(), matching: OnceCell::new() }
    }

    /// The links of these turns for a target. `replays`: whether a turn goes back as its original wire value, so that
    /// its ids stay.
    pub(crate) fn of(view: &'a View<'_, H>, target: &Target<'_>, replays: impl Fn(&Turn<H>) -> bool) -> Self {
        let (mut links, rule) = (Self::none(view, target.id), target.id_rule());
        if !links.all_ids_stay(&rule, &replays) {
            links.renamed = rename(links.turns, links.matching(), target, replays);
        }
        links
    }

    /// Whether no id has to change. Looks at each id once.
    fn all_ids_stay(&self, rule: &IdRule, replays: impl Fn(&Turn<H>) -> bool) -> bool {
        // Compares hashes: if two ids have the same hash, the exact check runs, which does no harm.
        let state = Hasher::default();
        let expected = if rule.once == Once::InPayload { self.turns.len() } else { 0 };
        let mut seen: HashSet<u64> = HashSet::with_capacity_and_hasher(expected, Hasher::default());
        // A result with an id may answer a call without one, and vice versa.
        let (mut unnamed, mut named) = (false, false);
        let (mut unnamed_results, mut named_results) = (false, false);
        let all_stay = |turn: &Turn<H>| {
            let input = turn.input.as_ref();
            let carries = |id: &[u8]| bare(turn, id, self.target).is_some();
            if rule.once == Once::InStep && !calls(turn) {
                seen.clear();
            }
            turn.parts.iter().all(|part| match &part.kind {
                Kind::Call(call) => {
                    let id = call.id.wtf8(input);
                    unnamed |= call.made_up_id;
                    named |= !call.made_up_id;
                    (allows(rule, turn, &id, self.target) && !carries(&id) || replays(turn))
                        && (rule.once == Once::Free || seen.insert(state.hash_one(&*id)))
                }
                Kind::Result(result) => {
                    unnamed_results |= result.made_up_id;
                    named_results |= !result.made_up_id;
                    allows(rule, turn, &result.id.wtf8(input), self.target) || replays(turn)
                }
                Kind::Opaque(_) if rule.once == Once::InPayload => {
                    let ran = ran::id(turn, part, Some(self.target));
                    ran.is_none_or(|id| seen.insert(state.hash_one(id.as_bytes())))
                }
                _ => true,
            })
        };
        self.turns.iter().copied().all(all_stay) && !(unnamed && named_results) && !(named && unnamed_results)
    }

    fn matching(&self) -> &Matching<'a> {
        self.matching.get_or_init(|| Matching::of(self.turns.iter().copied(), self.on_server))
    }

    /// The new id of the call or result at this place, if it has one.
    pub(crate) fn renamed(&self, turn: usize, part: usize) -> Option<&Text<H>> {
        if self.renamed.is_empty() { None } else { self.find(turn, part) }
    }

    #[cold]
    #[inline(never)]
    fn find(&self, turn: usize, part: usize) -> Option<&Text<H>> {
        self.renamed.get(&(turn, part))
    }

    /// The place of the call that the result at this place answers.
    #[inline]
    pub(crate) fn call_site(&self, (turn, part): (usize, usize)) -> Option<(usize, usize)> {
        let matching = self.matching();
        let call = &matching.calls[matching.call_of(matching.result_at(turn, part)?)?];
        Some((call.turn, call.part))
    }

    /// The call that the result at this place answers, and the input of its spans.
    pub(crate) fn call(&self, turn: usize, part: usize) -> Option<(&'a Call<H>, Option<&'a Input>)> {
        let (turn, part) = self.call_site((turn, part))?;
        let turn = self.turns[turn];
        match &turn.parts[part].kind {
            Kind::Call(call) => Some((call, turn.input.as_ref())),
            _ => None,
        }
    }

    /// The tool's name of the call that the result at this place answers, and the input of its spans.
    pub(crate) fn call_name(&self, turn: usize, part: usize) -> Option<(&'a Text<H>, Option<&'a Input>)> {
        self.call(turn, part).map(|(call, input)| (&call.name, input))
    }
}

/// The id of a call without the signature behind it, for a target that carries none there.
pub(crate) fn bare<'i, H: Host>(turn: &Turn<H>, id: &'i [u8], target: DialectId) -> Option<&'i [u8]> {
    let reads = target.facts.carriers.in_id.is_empty();
    turn.from.facts.carriers.split(id).filter(|_| reads).map(|(own, _)| own)
}

/// Whether the target accepts the id of a call or a result. A server that reads the signature behind an id takes a long one.
pub(crate) fn allows<H: Host>(rule: &IdRule, turn: &Turn<H>, id: &[u8], target: DialectId) -> bool {
    let reads = || rule.form < Severity::Error && !target.facts.carriers.in_id.is_empty();
    rule.allows(id) || reads() && turn.from.facts.carriers.split(id).is_some()
}

/// Computes the new ids. A call and all of its results get the same one. So do results that share an id but have no
/// call.
fn rename<H: Host>(
    turns: &[&Turn<H>],
    matching: &Matching<'_>,
    target: &Target<'_>,
    replays: impl Fn(&Turn<H>) -> bool,
) -> HashMap<(usize, usize), Text<H>> {
    let rule = &target.id_rule();
    let free: Vec<bool> = turns.iter().map(|turn| !replays(turn)).collect();
    // Indexed by call, then by id for results without a call.
    let all_calls = matching.calls.len();
    let group = |result: usize| matching.call_of(result).unwrap_or(all_calls + matching.results[result].id);
    let mut stays = vec![false; all_calls + matching.ids.len()];
    let mut uses: Vec<_> = matching.calls.iter().enumerate().map(|(at, call)| (call.turn, call.part, at)).collect();
    uses.extend(matching.results.iter().enumerate().map(|(at, result)| (result.turn, result.part, group(at))));
    uses.sort_unstable();
    for (turn, _, group) in &uses {
        stays[*group] |= !free[*turn];
    }
    // The server has the call under its current id.
    for result in matching.results.iter().filter(|result| result.fate == Fate::OnServer) {
        stays[all_calls + result.id] = true;
    }
    let id = |group: usize| &matching.ids[matching.calls.get(group).map_or_else(|| group - all_calls, |call| call.id)];
    let mut names = Names::new(*rule);
    // Ids that may stay do stay, so no new id may equal one of the conversation.
    matching.ids.iter().for_each(|id| names.reserve(id.clone()));
    for turn in turns.iter().filter(|_| rule.once == Once::InPayload) {
        turn.parts.iter().filter_map(|part| ran::id(turn, part, Some(target.id))).for_each(|id| names.keep_own(id));
    }
    let mut given: Vec<Option<Option<Text<H>>>> = stays.iter().map(|_| None).collect();
    let mut renamed = HashMap::default();
    let mut step = 0;
    for (turn, part, group) in uses {
        if turns[step..turn].iter().any(|turn| !calls(turn)) {
            names.next_step();
        }
        step = turn;
        let new = given[group].get_or_insert_with(|| {
            let id = id(group);
            if stays[group] {
                names.keep(id.clone());
                return None;
            }
            // An id that carries a signature is written without it.
            let caller = matching.calls.get(group).map(|call| turns[call.turn]);
            let bare = caller.and_then(|turn| bare(turn, id, target.id)).map(<[u8]>::to_vec);
            let Some(bare) = bare else {
                let allowed = caller.map_or_else(|| rule.allows(id), |turn| allows(rule, turn, id, target.id));
                return names.give(id.clone(), allowed).map(|new| Text::own(&new));
            };
            let allowed = rule.allows(&bare);
            let new = names.give(Cow::Owned(bare.clone()), allowed);
            Some(new.map_or_else(|| Text::own(&String::from_utf8_lossy(&bare)), |new| Text::own(&new)))
        });
        if let Some(new) = new {
            renamed.insert((turn, part), new.share());
        }
    }
    // A result without an id, or with another one, gets the id of its call.
    for (at, result) in matching.results.iter().enumerate().filter(|(_, result)| free[result.turn]) {
        let place = (result.turn, result.part);
        if let Some(call) = matching.call_of(at).filter(|call| !matching.has_id_of(at, *call))
            && !renamed.contains_key(&place)
        {
            renamed.insert(place, Text::own(&String::from_utf8_lossy(matching.call_id(call))));
        }
    }
    renamed
}

/// Whether the turn is on the calling side: the assistant's, or any other with a call.
pub(crate) fn calls<H: Host>(turn: &Turn<H>) -> bool {
    turn.role == Role::Assistant || turn.calls().next().is_some()
}

/// Whether a call says that its result may come later.
pub(crate) fn waits<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    let (flag, input) = (turn.from.facts.waits, turn.input.as_ref());
    let is_set = |raw: &Raw<H>| matches!(raw.to_value(input), Ok(Value::Bool(true)));
    !flag.is_empty()
        && part.extras.iter().flat_map(|extras| extras.iter()).any(|(key, raw)| key.is(flag, input) && is_set(raw))
}

/// Whether results of this dialect may come after further assistant turns.
#[inline]
pub(crate) fn joins(from: DialectId) -> bool {
    from.limits().is_ok_and(|limits| limits.joins_assistant)
}

/// Whether a turn of this dialect may come between a run's calls and their results. If it is a separate message, it is
/// not merged with them.
pub(crate) fn may_follow(from: DialectId) -> bool {
    from == DialectId::NONE || joins(from)
}
